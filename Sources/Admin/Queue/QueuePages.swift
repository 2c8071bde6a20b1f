// The queue: pending submissions, filtered and sorted by the query string, with counts and saved views.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Platform
import Review
import Store

enum QueuePages {
    /// Rows per page.
    private static let pageSize = 25
    /// Counting stops here, regardless of the queue's size.
    private static let countLimit = 1000

    private struct View: Encodable, Sendable {
        let name: String
        let url: String
        let isCurrent: Bool
        /// Nil for one's own view.
        let owner: String?
        /// Set if the signed-in person may delete it.
        let deleteID: ID<SavedView>?
    }

    private struct Model: Encodable, Sendable {
        let rows: [QueueLine]
        let pending: String
        let matching: String?
        let mine: String
        let overdue: String?
        let targetHours: Int
        let mentions: Int?
        let filter: QueueFilterForm
        let views: [View]
        let bulkActionURL: String
        let saveURL: String
        let viewName: String
        let problem: ErrorSummary?
        let isFiltered: Bool
        let isEmpty: Bool
        let sortOrder: String
        let reloadURL: String
        let countsURL: String
        let firstURL: String?
        let nextURL: String?
        let nextLabel: String
    }

    static func show(
        _ request: AdminRequest, errors: FieldErrors = FieldErrors(), viewName: String = ""
    ) async throws -> Response {
        let query = QueueQuery(request.query)
        guard let account = request.session?.account else { throw Failure.missing("page") }
        let queue = request.database.queue
        let filter = try await query.filter(for: request)
        // Concurrently, the slow ones first: counting the matches of a search takes as long as loading its rows.
        async let rows = queue.page(filter, order: query.order, cursor: query.cursor, limit: pageSize)
        async let matches: Int? = query.isFiltered ? queue.count(filter, limit: countLimit) : nil
        async let totals = QueueCounts.load(request, limit: countLimit)
        let (page, counts, matching) = try await (rows, totals, matches)
        let model = Model(
            rows: try await QueueLine.load(page.items, query, request),
            pending: QueueCounts.text(counts.pending, countLimit),
            matching: matching.map { QueueCounts.text($0, countLimit) },
            mine: QueueCounts.text(counts.mine, countLimit),
            overdue: counts.overdue > 0 ? QueueCounts.text(counts.overdue, countLimit) : nil,
            targetHours: request.services.reviewPolicy.targetHours,
            mentions: counts.mentions > 0 ? counts.mentions : nil,
            filter: try await QueueFilterForm.load(query, request),
            views: try await views(query, request, account),
            bulkActionURL: query.url(AdminURL.bulkActions()), saveURL: query.url(AdminURL.savedViews()),
            viewName: viewName,
            problem: ErrorSummary(errors, ids: ["/name": "view-name"]), isFiltered: query.isFiltered,
            isEmpty: counts.pending == 0, sortOrder: QueueFilterForm.label(query.order),
            reloadURL: query.url(AdminURL.queue()),
            countsURL: counts.url(query), firstURL: query.cursor.map { _ in query.url(AdminURL.queue()) },
            nextURL: page.next.map { query.url(AdminURL.queue(), cursor: $0) },
            nextLabel: query.order == .oldest ? tr("Newer »", context: "model") : tr("Next »", context: "model"))
        return try request.page(
            "admin/queue/list", model, title: tr("Queue", context: "model"), status: errors.status)
    }

    // MARK: Live counts

    /// Sends one server-sent event and closes the connection, so that many open pages cost little; the browser reconnects.
    static func counts(_ request: AdminRequest) async throws -> Response {
        let query = QueueQuery(request.query)
        let counts = try await QueueCounts.load(request, limit: countLimit)
        let received = try await counts.received(query, request, limit: countLimit)
        let data: JSONValue = .object([
            "pending": .string(QueueCounts.text(counts.pending, countLimit)),
            "mine": .string(QueueCounts.text(counts.mine, countLimit)),
            "overdue": .string(QueueCounts.text(counts.overdue, countLimit)), "mentions": .int(Int64(counts.mentions)),
            "new": .string(received > 0 ? QueueCounts.text(received, countLimit) : ""),
        ])
        return .bytes(
            Array("retry: 5000\nevent: counts\ndata: \(data.canonicalText)\n\n".utf8),
            type: "text/event-stream; charset=utf-8")
    }

    // MARK: Saved views

    private static func views(
        _ query: QueueQuery, _ request: AdminRequest, _ account: ID<Account>
    ) async throws -> [View] {
        let current = query.queryString()
        return try await request.database.savedViews.visible(to: account).map { view in
            View(
                name: view.name, url: QueueQuery(queryString: view.query).url(AdminURL.queue()),
                isCurrent: view.query == current,
                owner: view.owner == account ? nil : view.ownerName,
                deleteID: view.owner == account || request.actor.may(.administer) ? view.id : nil)
        }
    }

    static func save(_ request: AdminRequest) async throws -> Response {
        let query = QueueQuery(request.query)
        guard let account = request.session?.account else { throw Failure.missing("page") }
        let name = request.text("name") ?? ""
        return try await request.submit(orShow: { try await show($0, errors: $1, viewName: name) }) {
            try await request.services.saveView(
                name, query: query.queryString(), isShared: request.form.first("shared") == "1", of: account,
                by: request.actor)
            return request.redirect(to: query.url(AdminURL.queue()), Flash(tr("View saved as “\(name)”.")))
        }
    }

    static func delete(_ request: AdminRequest) async throws -> Response {
        try await request.services.saveView.delete(try request.id(), by: request.actor)
        return request.redirect(to: AdminURL.queue(), Flash(tr("View deleted.")))
    }
}
