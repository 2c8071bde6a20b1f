// The list of what awaits a decision, in the order and with the filters of its address.
import Domain
import FoundationEssentials
import HTTP
import Platform
import Review
import Store

enum QueuePages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/queue", access: .may(.readQueue)) { try await show($0) },
        AdminEndpoint(method: "GET", pattern: "/queue/counts", access: .may(.readQueue), isQuiet: true, handler: counts),
        AdminEndpoint(method: "POST", pattern: "/saved-views", access: .may(.readQueue), handler: keep),
        AdminEndpoint(method: "POST", pattern: "/saved-views/{id}/delete", access: .may(.readQueue), handler: forget),
    ]

    /// Rows of one page.
    private static let pageSize = 25
    /// Counting stops here, whatever the size of the queue.
    private static let countLimit = 1000

    private struct View: Encodable, Sendable {
        let name: String
        let address: String
        let isHere: Bool
        /// Whose it is, where it is somebody else's.
        let owner: String?
        let removal: String?
    }

    private struct Model: Encodable, Sendable {
        let rows: [QueueLine]
        let waiting: String
        let matching: String?
        let mine: String
        let late: String?
        let lateAddress: String
        let targetHours: Int
        let mentions: Int?
        let filter: QueueFilterForm
        let views: [View]
        let bulkAction: String
        let viewAddress: String
        let viewName: String
        let problem: ErrorSummary?
        let isFiltered: Bool
        let isEmpty: Bool
        let order: String
        let mineAddress: String
        let here: String
        let live: String
        let first: String?
        let next: String?
        let nextLabel: String
    }

    static func show(
        _ request: AdminRequest, errors: FieldErrors = FieldErrors(), viewName: String = "", status: Int = 200
    ) async throws -> Response {
        let query = QueueQuery(request.query)
        guard let account = request.session?.account else { throw Failure.missing("page") }
        let queue = request.database.queue
        let filter = try await query.filter(for: request)
        // Side by side, the dear ones first: what a search counts takes as long as its rows.
        async let rows = queue.page(filter, order: query.order, cursor: query.after, limit: pageSize)
        async let hits: Int? = query.isFiltered ? queue.count(filter, limit: countLimit) : nil
        async let standing = QueueCounts.load(request, limit: countLimit)
        let (page, counts, matching) = try await (rows, standing, hits)
        let model = Model(
            rows: try await QueueLine.load(page.items, query, request),
            waiting: QueueCounts.text(counts.waiting, countLimit),
            matching: matching.map { QueueCounts.text($0, countLimit) },
            mine: QueueCounts.text(counts.mine, countLimit),
            late: counts.late > 0 ? QueueCounts.text(counts.late, countLimit) : nil,
            lateAddress: "/queue?age=\(request.context.targetHours)", targetHours: request.context.targetHours,
            mentions: counts.mentions > 0 ? counts.mentions : nil,
            filter: try await QueueFilterForm.load(query, request),
            views: try await views(query, request, account),
            bulkAction: query.address("/bulk-actions"), viewAddress: query.address("/saved-views"), viewName: viewName,
            problem: ErrorSummary(errors, ids: ["/name": "view-name"]), isFiltered: query.isFiltered,
            isEmpty: counts.waiting == 0, order: QueueFilterForm.label(query.order),
            mineAddress: "/queue?holder=mine", here: query.address("/queue"),
            live: counts.address(query), first: query.after.map { _ in query.address("/queue") },
            next: page.next.map { query.address("/queue", after: $0) },
            nextLabel: query.order == .oldest ? "Newer »" : "More »")
        return try request.page(
            "admin/queue/list", model, title: (errors.isEmpty ? "" : "Error: ") + "Review queue", status: status)
    }

    // MARK: Counts that stay up to date

    /// One server-sent event; the browser asks again after a while. Nothing is held open, so that many pages cost little.
    private static func counts(_ request: AdminRequest) async throws -> Response {
        let query = QueueQuery(request.query)
        let counts = try await QueueCounts.load(request, limit: countLimit)
        let fresh = try await counts.fresh(query, request, limit: countLimit)
        let data: JSONValue = .object([
            "waiting": .string(QueueCounts.text(counts.waiting, countLimit)),
            "mine": .string(QueueCounts.text(counts.mine, countLimit)),
            "late": .string(QueueCounts.text(counts.late, countLimit)), "mentions": .int(Int64(counts.mentions)),
            "fresh": .string(fresh > 0 ? QueueCounts.text(fresh, countLimit) : ""),
        ])
        return .bytes(
            Array("retry: 5000\nevent: counts\ndata: \(data.canonicalText)\n\n".utf8),
            type: "text/event-stream; charset=utf-8")
    }

    // MARK: Saved views

    private static func views(
        _ query: QueueQuery, _ request: AdminRequest, _ account: ID<Account>
    ) async throws -> [View] {
        let here = query.text()
        return try await request.database.savedViews.visible(to: account).map { view in
            View(
                name: view.name, address: QueueQuery(text: view.query).address("/queue"), isHere: view.query == here,
                owner: view.owner == account ? nil : view.ownerName,
                removal: view.owner == account || request.actor.may(.administer)
                    ? "/saved-views/\(view.id)/delete" : nil)
        }
    }

    private static func keep(_ request: AdminRequest) async throws -> Response {
        let query = QueueQuery(request.query)
        guard let account = request.session?.account else { throw Failure.missing("page") }
        let name = request.text("name") ?? ""
        do {
            try await SaveView(database: request.database)(
                name, query: query.text(), isShared: request.form.first("shared") == "1", of: account,
                by: request.actor)
        } catch Failure.invalid(let errors) {
            return try await show(request, errors: errors, viewName: name, status: 422)
        }
        return request.redirect(to: query.address("/queue"), Flash("Kept as “\(name)”."))
    }

    private static func forget(_ request: AdminRequest) async throws -> Response {
        try await SaveView(database: request.database).forget(try request.id(), by: request.actor)
        return request.redirect(to: "/queue", Flash("The view was removed."))
    }
}
