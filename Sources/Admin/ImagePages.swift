// What a preview link shows, to anybody who holds it: what differs from now, the feeds, their items, one item.
import Domain
import HTTP
import Platform
import Publishing
import Store

enum ImagePages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/preview/{token}", access: .anyone) { try await show($0) },
        AdminEndpoint(method: "GET", pattern: "/preview/{token}/", access: .anyone) { try await show($0) },
        AdminEndpoint(method: "GET", pattern: "/preview/{token}/feeds/{id}", access: .anyone, handler: feed),
        AdminEndpoint(method: "GET", pattern: "/preview/{token}/items/{id}", access: .anyone, handler: item),
        AdminEndpoint(method: "POST", pattern: "/preview/{token}/approve", access: .anyone, handler: approve),
    ]

    private static let perPage = 20
    private static let shownChanges = 300
    private static let shownFeeds = 200

    /// What all these pages show of the preview itself.
    private struct Head: Encodable, Sendable {
        let base: String
        let title: String
        let local: String
        let instant: Instant
        let isFuture: Bool
        let expires: Instant
    }

    /// The preview that the link in the path opens. A link that is none, expired or revoked says the same.
    private static func open(_ request: AdminRequest) async throws -> (PreviewRow, ImageStore, Head) {
        guard let token = request.parameters["token"].flatMap({ Token(text: $0) }),
            let preview = try await PreviewInstant(database: request.database).open(token)
        else { throw Failure.missing("preview") }
        let head = Head(
            base: "/preview/\(token.text)", title: preview.title, local: "\(preview.localTime) \(preview.zone)",
            instant: Instant(preview.instant), isFuture: preview.isFuture, expires: Instant(preview.expiresAt))
        return (preview, request.database.previews.image(of: preview.id), head)
    }

    /// Answers from one image: when a publication or the schedule moved while the answer was made, it is made again, for
    /// it may hold rows from before and after.
    private static func steadily(
        _ request: AdminRequest, _ answer: (PreviewRow, ImageStore, Head) async throws -> Response
    ) async throws -> Response {
        for _ in 1...5 {
            let (preview, image, head) = try await open(request)
            let response = try await answer(preview, image, head)
            if try await request.database.previews.isCurrent(preview.id) { return response }
        }
        throw Failure.unavailable(
            "So much is being published just now that this cannot be shown. Try again in a moment.")
    }

    private static func page(
        _ request: AdminRequest, _ template: String, _ model: some Encodable & Sendable, title: String,
        status: Int = 200
    ) throws -> Response {
        try request.page(template, model, title: title, status: status)
            .with("X-Robots-Tag", "noindex")
    }

    // MARK: The image

    private struct Change: Encodable, Sendable {
        let title: String
        let kind: String
        let word: String
        let tone: String
        let address: String?
    }

    private struct Line: Encodable, Sendable {
        let title: String
        let preview: String
        let address: String

        init(_ line: ImageLine, _ address: String) {
            title = line.title
            preview = line.preview
            self.address = address
        }
    }

    private struct Approval: Encodable, Sendable {
        let name: String
        let note: String
        let given: Instant
        let isStale: Bool
    }

    private struct Show: Encodable, Sendable {
        let head: Head
        let changes: [Change]
        let feeds: [Line]
        let approvals: [Approval]
        let name: String
        let note: String
        let problem: ErrorSummary?
    }

    private static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        try await steadily(request) { preview, image, head in
            let model = try await show(request, errors, preview, image, head)
            return try page(
                request, "admin/previews/show", model, title: (errors.isEmpty ? "" : "Error: ") + head.title,
                status: errors.isEmpty ? 200 : 422)
        }
    }

    private static func show(
        _ request: AdminRequest, _ errors: FieldErrors, _ preview: PreviewRow, _ image: ImageStore, _ head: Head
    ) async throws -> Show {
        Show(
            head: head,
            changes: try await image.changes(limit: shownChanges).map { change in
                let isGone = change.word == "gone"
                let address: String? =
                    isGone
                    ? nil
                    : change.table == "item"
                        ? "\(head.base)/items/\(change.id)"
                        : change.table == "feed" ? "\(head.base)/feeds/\(change.id)" : nil
                return Change(
                    title: EntryPages.shown(change.title), kind: change.table, word: change.word,
                    tone: isGone ? "bad" : change.word == "new" ? "ok" : "wait", address: address)
            },
            feeds: try await image.feeds(limit: shownFeeds).map { Line($0, "\(head.base)/feeds/\($0.id)") },
            approvals: try await request.database.previews.approvals(of: [preview.id]).map {
                Approval(name: $0.name, note: $0.note, given: Instant($0.approvedAt), isStale: $0.isStale)
            },
            name: request.form.first("name") ?? "", note: request.form.first("note") ?? "",
            problem: ErrorSummary(errors))
    }

    private struct Feed: Encodable, Sendable {
        let head: Head
        let title: String
        let items: [Line]
        let next: String?
    }

    private static func feed(_ request: AdminRequest) async throws -> Response {
        try await steadily(request) { _, image, head in try await feed(request, image, head) }
    }

    private static func feed(
        _ request: AdminRequest, _ image: ImageStore, _ head: Head
    ) async throws -> Response {
        let id: ID<Entry> = try request.id()
        guard let row = try await image.row("feed", id) else { throw Failure.missing("feed") }
        let items = try await image.items(of: id, cursor: request.query.first("cursor"), limit: perPage)
        let model = Feed(
            head: head, title: row["title"]?.stringValue ?? "",
            items: items.items.map { Line($0, "\(head.base)/items/\($0.id)") },
            next: items.next.map { cursor in
                "\(head.base)/feeds/\(id)?" + FormFields([FormFields.Field(name: "cursor", value: cursor)]).urlEncoded
            })
        return try page(request, "admin/previews/feed", model, title: model.title)
    }

    private struct Item: Encodable, Sendable {
        let head: Head
        let title: String
        let type: String
        let views: [FieldView]
    }

    private static func item(_ request: AdminRequest) async throws -> Response {
        try await steadily(request) { _, image, head in try await item(request, image, head) }
    }

    private static func item(
        _ request: AdminRequest, _ image: ImageStore, _ head: Head
    ) async throws -> Response {
        guard let document = try await image.row("item_full", try request.id())?["document"],
            let name = document["type"]?.stringValue
        else { throw Failure.missing("item") }
        let type = try request.context.rules.type(named: name)
        let content = Content(fields: document["fields"]?.objectValue ?? [:])
        let names = try await EntryNames.load([content], of: type, request.database)
        let model = Item(
            head: head, title: EntryPages.shown(document["title"]?.stringValue ?? ""), type: type.label,
            views: type.fields.compactMap { field in
                content.fields[field.name].map { FieldView(field, $0, names: names) }
            })
        return try page(request, "admin/previews/item", model, title: model.title)
    }

    private static func approve(_ request: AdminRequest) async throws -> Response {
        let (preview, _, head) = try await open(request)
        do {
            try await PreviewInstant(database: request.database).approve(
                preview, name: request.form.first("name") ?? "", note: request.form.first("note") ?? "",
                from: request.request.remoteAddress)
            return request.redirect(to: head.base, Flash("Thank you. Your name and what you said are noted."))
        } catch Failure.invalid(let errors) {
            return try await show(request, errors: errors)
        }
    }
}
