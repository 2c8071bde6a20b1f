// The pages of a preview link, without sign-in: differences from the published state, feeds, their items, one item.
import Domain
import HTTP
import Localization
import Operations
import Platform
import Store

enum PreviewLinkPages {
    private static let perPage = 20
    private static let shownChanges = 300
    private static let shownFeeds = 200

    /// The header of all these pages.
    private struct Head: Encodable, Sendable {
        let token: String
        let title: String
        let local: String
        let instant: Instant
        let isFuture: Bool
        let expires: Instant
    }

    /// The preview of the link in the path. Unknown, expired and revoked links get the same response.
    private static func open(_ request: AdminRequest) async throws -> (PreviewRow, SnapshotStore, Head) {
        guard let token = request.parameters["token"].flatMap({ Token(text: $0) }),
            let preview = try await request.services.managePreview.open(token)
        else { throw Failure.missing("preview") }
        let head = Head(
            token: token.text, title: preview.title, local: "\(preview.localTime) \(preview.zone)",
            instant: Instant(preview.instant), isFuture: preview.isFuture, expires: Instant(preview.expiresAt))
        return (preview, request.database.previews.snapshot(of: preview.id), head)
    }

    /// Renders from one snapshot. If a publication or the schedule changed meanwhile, the response could mix rows from
    /// before and after, so it is rendered again.
    private static func consistently(
        _ request: AdminRequest, _ render: (PreviewRow, SnapshotStore, Head) async throws -> Response
    ) async throws -> Response {
        for _ in 1...5 {
            let (preview, snapshot, head) = try await open(request)
            let response = try await render(preview, snapshot, head)
            if try await request.database.previews.isCurrent(preview.id) { return response }
        }
        throw Failure.unavailable(
            "Content is being published right now. Try again in a moment.")
    }

    private static func page(
        _ request: AdminRequest, _ template: String, _ model: some Encodable & Sendable, title: String,
        status: Int = 200
    ) throws -> Response {
        try request.page(template, model, title: title, status: status)
            .with("X-Robots-Tag", "noindex")
    }

    // MARK: Pages

    private struct Change: Encodable, Sendable {
        let title: String
        let kind: String
        let state: String
        let tone: String
        let url: String?
    }

    private struct Line: Encodable, Sendable {
        let title: String
        let preview: String
        let thumbnail: ThumbnailView?
        let url: String

        init(_ line: SnapshotLine, _ url: String) {
            title = line.title
            preview = line.preview
            thumbnail = line.thumbnail.map { ThumbnailView($0) }
            self.url = url
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
        let draft: TabDraft
        /// Set if an approval was received.
        let sent: String?
    }

    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        try await consistently(request) { preview, snapshot, head in
            let model = try await show(request, errors, preview, snapshot, head)
            return try page(
                request, "admin/previews/show", model, title: head.title,
                status: errors.status)
        }
    }

    private static func show(
        _ request: AdminRequest, _ errors: FieldErrors, _ preview: PreviewRow, _ snapshot: SnapshotStore, _ head: Head
    ) async throws -> Show {
        Show(
            head: head,
            changes: try await snapshot.changes(limit: shownChanges).map { change in
                let isDeleted = change.kind == "deleted"
                let page: AdminURL? =
                    isDeleted
                    ? nil : change.table == "item" ? .previewItem : change.table == "feed" ? .previewFeed : nil
                return Change(
                    title: EntryPages.shown(change.title), kind: noun(change.table),
                    state: state(change.kind, change.table),
                    tone: isDeleted ? "bad" : change.kind == "new" ? "ok" : "wait", url: page?(head.token, change.id))
            },
            feeds: try await snapshot.feeds(limit: shownFeeds).map {
                Line($0, AdminURL.previewFeed(head.token, $0.id))
            },
            approvals: try await request.database.previews.approvals(of: [preview.id]).map {
                Approval(name: $0.name, note: $0.note, given: Instant($0.approvedAt), isStale: $0.isStale)
            },
            name: request.form.first("name") ?? "", note: request.form.first("note") ?? "",
            problem: ErrorSummary(errors),
            draft: TabDraft(draft(preview), at: AdminURL.preview(head.token), request),
            sent: request.flash == nil ? nil : draft(preview))
    }

    private static func noun(_ table: String) -> String {
        switch table {
        case "item": tr("item", context: "preview")
        case "feed": tr("feed", context: "preview")
        default: tr("category", context: "preview")
        }
    }

    private static func state(_ kind: String, _ table: String) -> String {
        switch kind {
        case "new": tr("New", context: "preview")
        // A category without members is not shown to readers, though nobody unpublished it.
        case "deleted" where table == "category": tr("Removed", context: "preview")
        case "deleted": tr("Unpublished", context: "preview")
        default: tr("Changed", context: "preview")
        }
    }

    /// The key of what the tab has kept: the link is a secret, which no saved form may have in its URL.
    private static func draft(_ preview: PreviewRow) -> String { "preview \(preview.id)" }

    private struct Feed: Encodable, Sendable {
        let head: Head
        let title: String
        let items: [Line]
        let next: String?
    }

    static func feed(_ request: AdminRequest) async throws -> Response {
        try await consistently(request) { _, snapshot, head in try await feed(request, snapshot, head) }
    }

    private static func feed(
        _ request: AdminRequest, _ snapshot: SnapshotStore, _ head: Head
    ) async throws -> Response {
        let id: ID<Entry> = try request.id()
        guard let row = try await snapshot.row("feed", id) else { throw Failure.missing("feed") }
        let items = try await snapshot.items(of: id, cursor: request.cursor, limit: perPage)
        let model = Feed(
            head: head, title: row["title"]?.stringValue ?? "",
            items: items.items.map { Line($0, AdminURL.previewItem(head.token, $0.id)) },
            next: items.next.map { AdminURL.previewFeed(head.token, id, query: ["cursor": $0]) })
        return try page(request, "admin/previews/feed", model, title: model.title)
    }

    private struct Item: Encodable, Sendable {
        let head: Head
        let title: String
        let type: String
        let views: [FieldView]
    }

    static func item(_ request: AdminRequest) async throws -> Response {
        try await consistently(request) { _, snapshot, head in try await item(request, snapshot, head) }
    }

    private static func item(
        _ request: AdminRequest, _ snapshot: SnapshotStore, _ head: Head
    ) async throws -> Response {
        guard let document = try await snapshot.row("item_full", try request.id())?["document"],
            let name = document["type"]?.stringValue
        else { throw Failure.missing("item") }
        let type = try request.context.rules.type(named: name)
        let content = Content(fields: document["fields"]?.objectValue ?? [:])
        let names = try await EntryTitles.load(content, of: type, in: snapshot, request.database)
        let views = try await request.rendering([content]) {
            type.fields.compactMap { field in
                content.fields[field.name].map { FieldView(field, $0, titles: names, images: request.images) }
            }
        }
        let model = Item(
            head: head, title: EntryPages.shown(document["title"]?.stringValue ?? ""), type: type.label, views: views)
        return try page(request, "admin/previews/item", model, title: model.title)
    }

    static func approve(_ request: AdminRequest) async throws -> Response {
        let (preview, _, head) = try await open(request)
        if request.restoresDraft { return try await show(request) }
        return try await request.submit(orShow: { try await show($0, errors: $1) }) {
            try await request.services.managePreview.approve(
                preview, name: request.form.first("name") ?? "", note: request.form.first("note") ?? "",
                from: request.request.remoteAddress)
            return request.redirect(
                to: AdminURL.preview(head.token), Flash(tr("Thank you. Your approval was recorded.")))
        }
    }
}
