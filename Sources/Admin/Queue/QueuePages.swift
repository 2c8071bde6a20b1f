// The queue: pending submissions, filtered and sorted by the query string, with counts and saved views.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Operations
import Platform
import Store

enum QueuePages {
    /// Rows per page.
    private static let pageSize = 25
    /// A saved view that the signed-in person may delete, or that has no tab.
    private struct View: Encodable, Sendable {
        let name: String
        let url: String
        let deleteID: ID<SavedView>?
    }

    private struct Model: Encodable, Sendable {
        let rows: [QueueLine]
        let isCompact: Bool
        let densityURL: String
        let pending: String
        let matching: String?
        let tabs: [QueueTab]
        let isDecided = false
        let filter: QueueFilterForm
        let views: [View]
        let mayDecide: Bool
        let bulkActionURL: String
        let saveURL: String
        let viewName: String
        let problem: ErrorSummary?
        /// What can't be read in the search text.
        let searchProblems: [String]
        let operators: SearchOperators
        /// The same search among decided submissions; nil without one.
        let decidedSearchURL: String?
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
        let search = try await query.search(request)
        if let search, search.problems.isEmpty, search.search.list == .decided {
            return request.redirect(to: AdminURL.decided(query: ["q": query.q]))
        }
        let queue = request.database.queue
        let filter = try await query.filter(for: request)
        // Concurrently, the slow ones first: counting the matches of a search takes as long as loading its rows.
        async let rows = queue.page(filter, order: query.order, cursor: query.cursor, limit: pageSize)
        async let matches: Int? = query.isFiltered ? queue.count(filter, limit: QueueTabs.limit) : nil
        async let lists = QueueTabs.load(request)
        async let form = QueueFilterForm.load(query, request)
        let (page, tabs, matching) = try await (rows, lists, matches)
        let isCompact = QueueDensity.isCompact(request)
        let model = Model(
            rows: try await QueueLine.load(page.items, query, request, hasSummaries: true),
            isCompact: isCompact, densityURL: QueueDensity.url(isCompact: !isCompact, query),
            pending: CountText.text(tabs.pending, limit: QueueTabs.limit),
            matching: matching.map { CountText.text($0, limit: QueueTabs.limit) },
            tabs: tabs.tabs(query), filter: try await form, views: views(tabs, request),
            mayDecide: request.actor.may(.decide),
            bulkActionURL: query.url(AdminURL.bulkActions()), saveURL: query.url(AdminURL.savedViews()),
            viewName: viewName,
            problem: ErrorSummary(errors, ids: ["/name": "view-name"]),
            searchProblems: search?.problems.map(\.message) ?? [], operators: SearchOperators(),
            decidedSearchURL: search?.search.list == .pending
                ? nil : query.q.map { AdminURL.decided(query: ["q": $0]) },
            isFiltered: query.isFiltered,
            isEmpty: tabs.pending == 0, sortOrder: QueueFilterForm.label(query.order),
            reloadURL: query.url(AdminURL.queue()),
            countsURL: QueueCounts.url(query), firstURL: query.cursor.map { _ in query.url(AdminURL.queue()) },
            nextURL: page.next.map { query.url(AdminURL.queue(), cursor: $0) },
            nextLabel: query.order == .oldest ? tr("Newer »", context: "model") : tr("Next »", context: "model"))
        return try request.page(
            "admin/queue/list", model, title: tr("Queue", context: "model"), status: errors.status)
    }

    // MARK: Saved views

    private static func views(_ tabs: QueueTabs, _ request: AdminRequest) -> [View] {
        tabs.views.map { view in
            let isOwn = view.owner == request.session?.account
            return View(
                name: view.name, url: QueueQuery(queryString: view.query).url(AdminURL.queue()),
                deleteID: isOwn || request.actor.may(.administer) ? view.id : nil)
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
