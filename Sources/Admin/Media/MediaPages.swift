// The media library: lists, adds and describes images.
import Domain
import HTTP
import Localization
import Operations
import Store

enum MediaPages {
    private static let perPage = 48

    // MARK: List

    private struct Line: Encodable, Sendable {
        let id: ID<Media>
        let name: String
        let alt: String
        let thumbnail: ThumbnailView?
        let status: String
        let tone: String
        /// The name of the input for its alternative text, where it is asked for.
        let field: String?

        init(_ media: MediaRow, asks: Bool, _ form: FormFields) {
            id = media.id
            name = MediaPages.shown(media.name)
            field = asks ? "alt.\(media.id)" : nil
            alt = field.flatMap { form.first($0) } ?? media.alt
            thumbnail = ThumbnailView(media)
            (status, tone) = MediaPages.status(of: media)
        }
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        let query: String
        let states: [Option]
        let tags: [Option]
        /// How many images have no alternative text, as a text; nil if none or if they are shown.
        let undescribed: String?
        /// Whether the page asks for alternative texts.
        let asks: Bool
        let isFiltered: Bool
        let filterCount: Int?
        let isFirst: Bool
        let next: String?
        let mayAdd: Bool
        let mayOpenExternal: Bool
        let alt: String
        let limits: String
        let problem: ErrorSummary?
        /// Where the page asks for alternative texts.
        let autosave: Autosaved?
    }

    static func list(
        _ request: AdminRequest, errors: FieldErrors = FieldErrors()
    ) async throws -> Response {
        let isDescribing = request.request.path == AdminURL.mediaDescriptions()
        let query = request.query
        let filter = MediaFilter(
            query: query.text("q"), state: isDescribing ? undescribed : query.text("state"), tag: query.text("tag"),
            file: query.text("file"))
        let cursor = request.cursor
        let page = try await request.database.media.page(filter, cursor: cursor, limit: perPage)
        if request.wantsJSON {
            return try MediaJSON.response(MediaJSON.Page(images: page.items.map(MediaJSON.init), next: page.next))
        }
        let mayAdd = request.actor.may(.suggest)
        let asks = filter.state == undescribed && mayAdd
        let (saving, images) = asks ? try await asking(request, page.items) : (request, page.items)
        let missing = asks ? 0 : try await request.database.media.undescribedCount(limit: countLimit + 1)
        let tags = try await request.database.media.tags()
        let states = [
            ("", tr("All", context: "list")), ("unused", tr("Unused", context: "list")),
            (undescribed, tr("Without alternative text")),
            ("missing", tr("Files missing")),
        ]
        let model = List(
            lines: images.map { Line($0, asks: asks, saving.form) }, query: filter.query ?? "",
            states: Option.list(states, chosen: filter.state),
            tags: tags.isEmpty ? [] : Option.list([("", tr("All tags"))] + tags.map { ($0, $0) }, chosen: filter.tag),
            undescribed: missing == 0
                ? nil
                : missing == 1
                    ? tr("1 image without alternative text")
                    : tr("\(CountText.text(missing, limit: countLimit)) images without alternative text"),
            asks: asks, isFiltered: filter != MediaFilter(),
            filterCount: FilterCount.of(filter.state != nil, filter.tag != nil), isFirst: cursor == nil,
            next: page.next.map { url(of: filter, cursor: $0) }, mayAdd: mayAdd,
            mayOpenExternal: request.mayOpen(AdminURL.externalImages()),
            alt: request.form.first("alt") ?? "", limits: limits(request), problem: ErrorSummary(errors),
            autosave: saving.autosave(askingURL))
        return try saving.page(
            "admin/media/list", model, title: tr("Media", context: "list"),
            status: errors.status)
    }

    /// Counting of images without alternative text stops here.
    private static let countLimit = 1000

    /// The filter of images without alternative text.
    private static let undescribed = "undescribed"

    /// The URL that opens the form of alternative texts.
    private static var askingURL: String { AdminURL.media(query: ["state": undescribed]) }

    /// The request for the page that asks for alternative texts, and its images: also those of other pages with a text that was
    /// typed and not saved.
    private static func asking(
        _ request: AdminRequest, _ images: [MediaRow]
    ) async throws -> (AdminRequest, [MediaRow]) {
        let saving = try await request.autosaving([askingURL: tr("Alternative texts", context: "autosave")])
        guard let restored = saving.restored(askingURL) else { return (saving, images) }
        let others = Set(texts(restored.form).map(\.id)).subtracting(images.map(\.id))
        let found = try await request.database.media.find(Array(others.prefix(perPage)))
        return (restored, images + found.filter(\.alt.isEmpty))
    }

    /// The limits of one file.
    static func limits(_ request: AdminRequest) -> String {
        let limits = request.context.library.processor.limits
        return tr("at most \(limits.bytes >> 20) MB and \(limits.pixels / 1_000_000) million pixels")
    }

    private static func url(of filter: MediaFilter, cursor: String) -> String {
        AdminURL.media(query: [
            "q": filter.query, "state": filter.state, "tag": filter.tag, "file": filter.file, "cursor": cursor,
        ])
    }

    // MARK: Changes

    /// The form without script: one file or several, each with its own error.
    static func add(_ request: AdminRequest) async throws -> Response {
        let uploads = request.form.uploads.filter { $0.name == "file" }
        guard !uploads.isEmpty else {
            return try await list(request, errors: FieldErrors("/file", "required", tr("Choose a file.")))
        }
        let alt = request.form.first("alt") ?? ""
        var errors = FieldErrors()
        var added: [MediaRow] = []
        var isNew = false
        for upload in uploads {
            do {
                let result = try await request.services.ingestImage(
                    upload.bytes, name: upload.filename, alt: uploads.count == 1 ? alt : "", by: request.actor)
                added.append(result.media)
                isNew = isNew || result.isNew
            } catch Failure.invalid(let found) {
                for item in found.items {
                    let message = uploads.count == 1 ? item.message : "\(upload.filename): \(item.message)"
                    errors.add(item.pointer, item.code, message)
                }
            } catch let failure as Failure {
                errors.add("/file", "unavailable", "\(upload.filename): \(failure.sentence)")
            }
        }
        guard errors.isEmpty else { return try await list(request, errors: errors) }
        if uploads.count == 1, let media = added.first {
            let flash = isNew ? tr("Image added.") : tr("This image is already in the library.")
            return request.redirect(to: AdminURL.image(media.id), Flash(flash))
        }
        return request.redirect(
            to: AdminURL.media(query: ["state": added.contains { $0.alt.isEmpty } ? undescribed : nil]),
            Flash(tr("\(added.count) images added.")))
    }

    /// The alternative texts that were typed.
    private static func texts(_ form: FormFields) -> [(id: ID<Media>, alt: String)] {
        form.fields.compactMap { field -> (id: ID<Media>, alt: String)? in
            guard field.name.hasPrefix("alt."), !PlainText.singleLine(field.value).isEmpty,
                let id = ID<Media>(String(field.name.dropFirst(4)))
            else { return nil }
            return (id: id, alt: field.value)
        }
    }

    /// The alternative texts of several images.
    static func describe(_ request: AdminRequest) async throws -> Response {
        let texts = texts(request.form)
        return try await request.submit(orShow: list) {
            let saved = try await request.services.updateMedia(descriptions: texts, by: request.actor)
            return request.redirect(
                to: AdminURL.media(query: ["state": undescribed]),
                Flash(tr("\(saved, one: "# alternative text", other: "# alternative texts") saved.")))
        }
    }

    static func shown(_ name: String) -> String { name.isEmpty ? tr("(no name)") : name }

    static func status(of media: MediaRow) -> (label: String, tone: String) {
        if media.state == .missing { return (tr("Files missing"), "bad") }
        if media.alt.isEmpty { return (tr("No alternative text"), "wait") }
        return media.isLive
            ? (tr("Published", context: "show"), "ok")
            : media.isUsed ? (tr("In use"), "ok") : (tr("Unused", context: "show"), "")
    }
}
