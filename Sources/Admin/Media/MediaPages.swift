// The media library: lists, adds, shows, describes and deletes images.
import Domain
import HTTP
import Library
import Localization
import Store

enum MediaPages {
    private static let perPage = 48

    // MARK: List

    private struct Line: Encodable, Sendable {
        let id: ID<Media>
        let name: String
        let alt: String
        let thumbnail: String
        let status: String
        let tone: String

        init(_ media: MediaRow) {
            id = media.id
            name = MediaPages.shown(media.name)
            alt = media.alt
            thumbnail = AdminURL.mediaFiles + (media.file(width: 320)?.path ?? "")
            (status, tone) = MediaPages.status(of: media)
        }
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        let query: String
        let states: [Option]
        let isFiltered: Bool
        let isFirst: Bool
        let next: String?
        let mayAdd: Bool
        let alt: String
        let limits: String
        let problem: ErrorSummary?
    }

    static func list(
        _ request: AdminRequest, errors: FieldErrors = FieldErrors()
    ) async throws -> Response {
        let filter = MediaFilter(
            query: request.query.first("q").flatMap(filled), state: request.query.first("state").flatMap(filled))
        let cursor = request.query.first("cursor")
        let page = try await request.database.media.page(filter, cursor: cursor, limit: perPage)
        let states = [
            ("", tr("All", context: "list")), ("unused", tr("Unused", context: "list")),
            ("undescribed", tr("Without alternative text")),
            ("missing", tr("Files missing")),
        ]
        let limits = request.context.library.processor.limits
        let model = List(
            lines: page.items.map(Line.init), query: filter.query ?? "",
            states: Option.list(states, chosen: filter.state),
            isFiltered: filter != MediaFilter(), isFirst: cursor == nil,
            next: page.next.map { url(of: filter, cursor: $0) }, mayAdd: request.actor.may(.suggest),
            alt: request.form.first("alt") ?? "",
            limits: tr("at most \(limits.bytes >> 20) MB and \(limits.pixels / 1_000_000) million pixels"),
            problem: ErrorSummary(errors))
        return try request.page(
            "admin/media/list", model, title: tr("Media", context: "list"),
            status: errors.status)
    }

    private static func filled(_ text: String) -> String? {
        let text = PlainText.singleLine(text)
        return text.isEmpty ? nil : text
    }

    private static func url(of filter: MediaFilter, cursor: String) -> String {
        AdminURL.media(query: ["q": filter.query, "state": filter.state, "cursor": cursor])
    }

    static func add(_ request: AdminRequest) async throws -> Response {
        guard let upload = request.form.upload("file") else {
            return try await list(request, errors: FieldErrors("/file", "required", tr("Choose a file.")))
        }
        return try await request.submit(orShow: list) {
            let added = try await request.services.ingestImage(
                upload.bytes, name: upload.filename, alt: request.form.first("alt") ?? "", by: request.actor)
            let flash = added.isNew ? tr("Image added.") : tr("This image is already in the library.")
            return request.redirect(to: AdminURL.image(added.media.id), Flash(flash))
        }
    }

    // MARK: Image

    private struct File: Encodable, Sendable {
        let size: String
        let fileSize: String
        let url: String
    }

    private struct Use: Encodable, Sendable {
        let entry: ID<Entry>
        let type: String
        let title: String
        let status: String
        let tone: String
    }

    private struct Show: Encodable, Sendable {
        let id: ID<Media>
        let name: String
        let status: String
        let tone: String
        let author: String
        let added: Instant
        let image: String
        let width: Int
        let height: Int
        let files: [File]
        let uses: [Use]
        let alt: String
        let x: String
        let y: String
        let mayEdit: Bool
        let mayDelete: Bool
        let isMissing: Bool
        let problem: ErrorSummary?
    }

    /// Shows an image, with the rejected input and its errors, if any.
    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let media = try await find(request)
        let uses = try await request.database.media.uses(of: media.id)
        let types = Dictionary(request.context.rules.types.all.map { ($0.name, $0.label) }) { first, _ in first }
        let shown = media.file(width: 1)
        let (status, tone) = status(of: media)
        let model = Show(
            id: media.id, name: Self.shown(media.name), status: status, tone: tone, author: media.uploadedBy,
            added: Instant(media.uploadedAt), image: AdminURL.mediaFiles + (shown?.path ?? ""),
            width: shown?.width ?? 0,
            height: shown?.height ?? 0, files: media.files.map(file),
            uses: uses.map { use in
                Use(
                    entry: use.entry, type: types[use.type] ?? use.type, title: EntryPages.shown(use.title),
                    status: use.isLive
                        ? tr("Published", context: "show")
                        : use.isPast ? tr("Older versions only") : tr("Not published"),
                    tone: use.isLive ? "ok" : "wait")
            },
            alt: request.form.first("alt") ?? media.alt,
            x: request.form.first("focus_x") ?? percent(media.focus.x),
            y: request.form.first("focus_y") ?? percent(media.focus.y), mayEdit: request.actor.may(.suggest),
            mayDelete: request.actor.may(.edit) && !media.isUsed, isMissing: media.state == .missing,
            problem: ErrorSummary(errors))
        return try request.page(
            "admin/media/show", model, title: model.name,
            status: errors.status)
    }

    private static func find(_ request: AdminRequest) async throws -> MediaRow {
        guard let media = try await request.database.media.find(try request.id()) else {
            throw Failure.missing("image")
        }
        return media
    }

    private static func file(_ file: ImageValue.File) -> File {
        File(
            size: "\(file.width) × \(file.height)", fileSize: tr("\((file.bytes + 1023) / 1024) KB", context: "show"),
            url: AdminURL.mediaFiles + file.path)
    }

    static func shown(_ name: String) -> String { name.isEmpty ? tr("(no name)") : name }

    fileprivate static func status(of media: MediaRow) -> (label: String, tone: String) {
        if media.state == .missing { return (tr("Files missing"), "bad") }
        if media.alt.isEmpty { return (tr("No alternative text"), "wait") }
        return media.isLive
            ? (tr("Published", context: "show"), "ok")
            : media.isUsed ? (tr("In use"), "ok") : (tr("Unused", context: "show"), "")
    }

    /// Thousandths as percent: 33.3.
    private static func percent(_ thousandths: Int) -> String {
        thousandths % 10 == 0 ? String(thousandths / 10) : "\(thousandths / 10).\(thousandths % 10)"
    }

    static func describe(_ request: AdminRequest) async throws -> Response {
        let media = try await find(request)
        return try await request.submit(orShow: show) {
            var errors = FieldErrors()
            let x = thousandths("focus_x", tr("From the left"), request, &errors)
            let y = thousandths("focus_y", tr("From the top"), request, &errors)
            try errors.throwIfAny()
            try await save(
                media, alt: request.form.first("alt") ?? media.alt,
                FocalPoint(x: x ?? 500, y: y ?? 500) ?? .middle, request)
            return request.redirect(to: AdminURL.image(media.id), Flash(saved(media)))
        }
    }

    private static func thousandths(
        _ name: String, _ label: String, _ request: AdminRequest, _ errors: inout FieldErrors
    ) -> Int? {
        let text = PlainText.singleLine(request.form.first(name) ?? "").replacing(",", with: ".")
        guard let number = Double(text), (0...100).contains(number) else {
            errors.add("/\(name)", "format", tr("\(label): Enter a number from 0 to 100."))
            return nil
        }
        return Int((number * 10).rounded())
    }

    /// A click on the image, which is displayed at its file's width. Pressing Enter sends 0, 0 instead of a point.
    static func focus(_ request: AdminRequest) async throws -> Response {
        let media = try await find(request)
        guard let shown = media.file(width: 1), let x = request.form.first("focus.x").flatMap({ Int($0) }),
            let y = request.form.first("focus.y").flatMap({ Int($0) }), x != 0 || y != 0,
            let point = FocalPoint(x: x * 1000 / shown.width, y: y * 1000 / shown.height)
        else {
            let message = tr("Click the image or enter the focal point in percent.")
            return try await show(request, errors: FieldErrors("/focus_x", "required", message))
        }
        try await save(media, alt: media.alt, point, request)
        return request.redirect(to: AdminURL.image(media.id), Flash(saved(media)))
    }

    private static func save(_ media: MediaRow, alt: String, _ focus: FocalPoint, _ request: AdminRequest) async throws
    {
        try await request.services.updateMedia(media.id, alt: alt, focus: focus, by: request.actor)
    }

    private static func saved(_ media: MediaRow) -> String {
        media.isUsed
            ? tr("Image saved. Entries use the change in their next version; published versions don't change.")
            : tr("Image saved.")
    }

    static func delete(_ request: AdminRequest) async throws -> Response {
        let media = try await find(request)
        try await request.services.deleteMedia(media.id, by: request.actor)
        return request.redirect(to: AdminURL.media(), Flash(tr("Deleted \(shown(media.name)).", context: "show")))
    }

    /// Redirects to a file for pages that only know the image's id.
    static func image(_ request: AdminRequest) async throws -> Response {
        guard let file = try await find(request).file(width: 640) else { throw Failure.missing("image") }
        return Response.redirect(302, to: AdminURL.mediaFiles + file.path)
    }
}
