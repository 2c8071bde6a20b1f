// Lists entries, shows one and creates new ones.
import Domain
import HTTP
import Localization
import Operations
import Store

package enum EntryPages {
    private static let perPage = 25

    // MARK: List

    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        let type: String
        let title: String
        let status: EntryStatus
        let author: String
        let changed: Instant
        let thumbnail: ThumbnailView?
    }

    private struct List: Encodable, Sendable {
        let types: [Option]
        let states: [Option]
        let query: String
        let lines: [Line]
        /// The URL of the next page.
        let next: String?
        let isFirst: Bool
        let isFiltered: Bool
        let filterCount: Int?
        /// Whether entries with pages of their own are listed, too.
        let isAll: Bool
        /// Nil if the person may create none.
        let newURL: String?
        /// What the actor may do with many entries.
        let bulkActions: [Option]
        let bulkActionURL: String
        let problem: ErrorSummary?
    }

    /// `errors` are those of a bulk action.
    static func list(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let query = EntryListQuery(request.query)
        let filter = query.filter
        let page = try await request.database.entries.page(filter, cursor: query.cursor, limit: perPage)
        let thumbnails = try await request.database.thumbnails.of(entries: page.items.map(\.id))
        let types = request.context.rules.types
        let model = List(
            types: Option.list([("", tr("All types"))] + types.all.map { ($0.name, $0.plural) }, chosen: filter.type),
            states: Option.list(
                [
                    ("", tr("All states")), ("live", tr("Published", context: "list")),
                    ("ready", tr("Approved", context: "list")), ("draft", tr("Draft", context: "list")),
                    ("broken_stream", tr("Broken stream", context: "list")),
                ],
                chosen: filter.state),
            query: filter.query ?? "",
            lines: page.items.map { entry in
                Line(
                    id: entry.id, type: types[entry.type]?.label ?? entry.type, title: shown(entry.title),
                    status: EntryStatus(entry), author: entry.author, changed: Instant(entry.changedAt),
                    thumbnail: thumbnails[entry.id].map(ThumbnailView.init))
            },
            next: page.next.map { query.url(AdminURL.entries(), cursor: $0) },
            isFirst: query.cursor == nil, isFiltered: query.isFiltered,
            filterCount: FilterCount.of(filter.type != nil, filter.state != nil, query.isAll), isAll: query.isAll,
            newURL: newURL(filter.type, request),
            bulkActions: bulkActions(request.actor),
            bulkActionURL: query.url(AdminURL.bulkActions(), cursor: query.cursor),
            problem: ErrorSummary(errors, ids: ["/ids": "entries"]))
        return try request.page(
            "admin/entries/list", model, title: tr("Entries", context: "list"), status: errors.status)
    }

    private static func bulkActions(_ actor: Actor) -> [Option] {
        let actions = BulkActionKind.Object.entry.actions.filter { (try? $0.requireOnEntries(of: actor)) != nil }
        return Option.list(actions.map { ($0.rawValue, $0.label(on: .entry)) }, chosen: nil)
    }

    /// The form of a new entry of the listed type, or else the choice of a type.
    private static func newURL(_ type: String?, _ request: AdminRequest) -> String? {
        let types = request.creatableTypes.map(\.name)
        if types.isEmpty { return nil }
        return AdminURL.entryNew(query: ["type": type.flatMap { types.contains($0) ? $0 : nil }])
    }

    static func creatable(_ request: AdminRequest) -> [Option] {
        Option.list(request.creatableTypes.map { ($0.name, $0.label) }, chosen: nil)
    }

    package static func shown(_ title: String) -> String {
        EntryTitles.shown(title)
    }

    // MARK: One entry

    private struct Reference: Encodable, Sendable {
        let label: String
        let title: String
        let id: ID<Entry>
    }

    private struct Show: Encodable, Sendable {
        let id: ID<Entry>
        let type: String
        let title: String
        let status: EntryStatus
        let author: String
        let changed: Instant
        let newest: Int
        let approved: Int?
        let live: Int?
        let slug: String?
        let views: [FieldView]
        let diff: DiffTable?
        let notes: NotePanel
        let references: [Reference]
        let uses: EntryUsesPanel
        let publicURL: String?
        let stream: StreamPanel?
        let feed: FeedPanel?
        let releases: [EntryRelease]
        let problem: ErrorSummary?
        let when: PublishTimingForm
        let isGroup: Bool
        let mayEdit: Bool
        let mayApprove: Bool
        let mayPublish: Bool
        let mayUnpublish: Bool
        /// The releases that it can be added to; nil when the actor may not edit releases.
        let releaseChoices: ReleaseChoices?
    }

    private struct ReleaseChoices: Encodable, Sendable {
        let releases: [EntryRelease]
        let mayUnpublish: Bool
    }

    /// `errors` are those of an action on this page.
    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let (entry, newest) = try await find(request)
        var request = try await NotePanel.saving(request, .entry(entry.id), title: Self.shown(entry.title))
        let notes = try await NotePanel.load(&request, .entry(entry.id), errors: errors)
        let stream = try await StreamPanel.load(newest.content, entry, &request)
        let type = try request.context.rules.type(named: entry.type)
        // Before an approval the page shows the changes of the new version.
        let shown = entry.live ?? entry.approved
        let older =
            shown == nil || shown == entry.newest
            ? nil : try await request.database.revisions.find(entry.id, number: shown ?? 0)
        let titles = try await EntryTitles.load(
            [newest.content] + (older.map { [$0.content] } ?? []), of: type, request.database)
        let comparing = titles.comparing(on: request)
        let shownContents = [newest.content] + (older.map { [$0.content] } ?? [])
        let rendered = try await request.rendering(shownContents) { () -> (views: [FieldView], diff: DiffTable?) in
            (
                type.fields.filter { !type.isManualOrder($0) }.compactMap { field in
                    newest.content.fields[field.name].map {
                        FieldView(field, $0, titles: titles, images: comparing.images)
                    }
                },
                older.map { DiffTable(from: $0, to: newest, type, comparing) }
            )
        }
        let actor = request.actor
        let model = Show(
            id: entry.id, type: type.label, title: Self.shown(entry.title), status: EntryStatus(entry),
            author: newest.author, changed: Instant(newest.createdAt), newest: entry.newest, approved: entry.approved,
            live: entry.live, slug: entry.slug,
            views: rendered.views,
            diff: rendered.diff,
            notes: notes,
            references: newest.content.references(of: type).compactMap { reference in
                type.field(reference.field).map(type.isManualOrder) == true
                    ? nil : Reference(label: reference.label, title: titles(reference.id), id: reference.id)
            },
            uses: try await EntryUsesPanel.load(entry, request.database),
            publicURL: try await request.publicURL(of: entry),
            stream: stream,
            feed: try await FeedPanel.load(entry, request.database),
            releases: try await request.database.releases.containing(entry.id).map(EntryRelease.init),
            problem: ErrorSummary(errors),
            when: PublishTimingForm(
                request,
                label: newest.isApproved ? tr("Schedule", context: "release choices") : tr("Approve and schedule"),
                errors: errors),
            isGroup: entry.kind == .categoryGroup,
            mayEdit: actor.may(.suggest),
            mayApprove: actor.may(.approve) && !newest.isApproved,
            mayPublish: actor.may(.publish) && entry.approved.map { $0 > entry.live ?? 0 } ?? false,
            mayUnpublish: actor.may(.publish) && entry.live != nil && entry.kind != .categoryGroup,
            releaseChoices: try await releaseChoices(for: entry, request))
        return try request.page(
            "admin/entries/show", model, title: model.title, status: errors.status, type: entry.type)
    }

    private static func releaseChoices(for entry: EntryRow, _ request: AdminRequest) async throws -> ReleaseChoices? {
        guard request.actor.may(.createRelease) else { return nil }
        let releases = request.database.releases
        return ReleaseChoices(
            releases: try await (releases.open(limit: 50) + releases.scheduled(limit: 50)).map(EntryRelease.init),
            mayUnpublish: entry.live != nil && entry.kind != .categoryGroup)
    }

    /// The entry with the id in the path, and its newest revision.
    static func find(_ request: AdminRequest) async throws -> (EntryRow, RevisionRow) {
        let id: ID<Entry> = try request.id()
        guard let entry = try await request.database.entries.find(id),
            let newest = try await request.database.revisions.newest(of: id)
        else { throw Failure.missing("entry") }
        return (entry, newest)
    }
}
