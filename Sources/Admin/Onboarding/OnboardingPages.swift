// Previews onboarding sets on a phone, in light and dark mode, next to the published version.
import Domain
import HTTP
import Localization
import Store

enum OnboardingPages {
    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        /// The image of the first screen that has one.
        let thumbnail: ThumbnailView?
        let key: String
        let language: String
        let screens: Int
        let status: ValueForm.Status?
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        let mayCreate: Bool
    }

    static func list(_ request: AdminRequest) async throws -> Response {
        let sets = try await request.database.entries.choices(.onboardingSet)
        let images = try await request.thumbnails(of: sets.map(\.id))
        func text(_ set: EntryChoice, _ name: String) -> String { set.content[name]?.stringValue ?? "" }
        let lines = sets.sorted { (text($0, "key"), text($0, "locale")) < (text($1, "key"), text($1, "locale")) }.map {
            Line(
                id: $0.id, title: $0.title, thumbnail: images[$0.id], key: text($0, "key"),
                language: text($0, "locale"), screens: $0.content["screens"]?.arrayValue?.count ?? 0,
                status: ValueForm.Status($0))
        }
        return try request.page(
            "admin/onboarding/list", List(lines: lines, mayCreate: request.actor.may(.edit, on: "onboarding_set")),
            title: tr("Onboarding", context: "list"))
    }

    // MARK: Set

    /// One screen on a phone.
    struct Phone: Encodable, Sendable {
        struct Dot: Encodable, Sendable {
            let isCurrent: Bool
        }

        let label: String
        let title: String?
        let text: String
        let image: FieldView.Image?
        let hiddenImages: FieldView.HiddenImages?
        let dots: [Dot]
        let isLast: Bool
    }

    private struct Show: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let key: String
        let language: String
        let newest: Int
        let live: Int?
        /// The newest version.
        let phones: [Phone]
        /// The published version, if it is another one.
        let livePhones: [Phone]
        let diff: DiffTable?
        let mayEdit: Bool
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        let (entry, newest) = try await EntryPages.find(request)
        guard entry.kind == .onboardingSet else { throw Failure.missing(tr("onboarding set")) }
        let type = try request.context.rules.type(named: entry.type)
        let live =
            entry.live == nil || entry.live == entry.newest
            ? nil : try await request.database.revisions.live(of: entry.id)
        let titles = try await EntryTitles.load([newest.content], of: type, request.database)
        let comparing = titles.comparing(on: request)
        let images = request.images
        let shown = try await request.rendering([newest.content] + (live.map { [$0.content] } ?? [])) {
            (
                newest: phones(of: newest.content, type, titles, images),
                live: live.map { phones(of: $0.content, type, titles, images) } ?? [],
                diff: live.map { DiffTable(from: $0, to: newest, type, comparing) }
            )
        }
        func text(_ name: String) -> String { newest.content.fields[name]?.stringValue ?? "" }
        let model = Show(
            id: entry.id, title: EntryPages.shown(entry.title), key: text("key"), language: text("locale"),
            newest: entry.newest, live: entry.live, phones: shown.newest,
            livePhones: shown.live, diff: shown.diff,
            mayEdit: request.actor.may(.suggest, on: "onboarding_set"))
        return try request.page("admin/onboarding/show", model, title: model.title)
    }

    private static func phones(
        of content: Content, _ type: ContentType, _ titles: EntryTitles, _ images: ContentImages
    ) -> [Phone] {
        let screens = content.fields["screens"]?.arrayValue ?? []
        let image = type.field("screens")?.fields.first { $0.type == .image }
        return screens.enumerated().map { index, screen in
            let shown = image.flatMap { field in
                screen[field.name].map { FieldView(field, $0, titles: titles, images: images) }
            }
            return Phone(
                label: tr("Screen \(index + 1) of \(screens.count)"), title: screen["title"]?.stringValue,
                text: screen["text"]?.stringValue ?? "", image: shown?.image, hiddenImages: shown?.hiddenImages,
                dots: screens.indices.map { Phone.Dot(isCurrent: $0 == index) }, isLast: index == screens.count - 1)
        }
    }
}
