// The list of what awaits a decision, oldest first.
import Domain
import HTTP
import Store

enum QueuePages {
    static let routes = [
        AdminRoute(method: "GET", pattern: "/queue", access: .may(.readQueue), handler: show)
    ]

    /// Rows of one page.
    private static let pageSize = 25
    /// Counting stops here, whatever the size of the queue.
    private static let countLimit = 1000

    private struct Row: Encodable, Sendable {
        let address: String
        let title: String
        let type: String
        let source: String
        let wished: String?
        let received: Instant
        let holder: String?
        let isMine: Bool
    }

    private struct Option: Encodable, Sendable {
        let value: String
        let label: String
        let isChosen: Bool
    }

    private struct Model: Encodable, Sendable {
        let rows: [Row]
        let waiting: String
        let matching: String?
        let mine: String
        let types: [Option]
        let clients: [Option]
        let category: String?
        let words: String?
        let isMine: Bool
        let isFiltered: Bool
        let isEmpty: Bool
        let mineAddress: String
        let first: String?
        let next: String?
    }

    private static func show(_ request: AdminRequest) async throws -> Response {
        let query = QueueQuery(request.query)
        let account = request.session?.account
        let queue = request.database.queue
        let filter = query.filter(for: account)
        var mine = QueueFilter()
        mine.claimedBy = account
        let page = try await queue.page(filter, cursor: query.after, limit: pageSize)
        let waiting = try await queue.count(QueueFilter(), limit: countLimit)
        let matching = query.isFiltered ? try await queue.count(filter, limit: countLimit) : nil
        let types = request.context.rules.types
        let model = Model(
            rows: page.items.map { row($0, query, types, account) },
            waiting: count(waiting), matching: matching.map(count),
            mine: count(try await queue.count(mine, limit: countLimit)),
            types: types.all.filter(\.submittable).map {
                Option(value: $0.name, label: $0.label, isChosen: $0.name == query.type)
            },
            clients: try await request.database.clients.list().map {
                Option(value: $0.id.description, label: $0.name, isChosen: $0.id == query.client)
            },
            category: query.category, words: query.words, isMine: query.isMine, isFiltered: query.isFiltered,
            isEmpty: waiting == 0, mineAddress: "/queue?mine=1",
            first: query.after.map { _ in query.address("/queue") },
            next: page.next.map { query.address("/queue", after: $0) })
        return try request.page("admin/queue/list", model, title: "Review queue")
    }

    private static func row(
        _ row: QueueRow, _ query: QueueQuery, _ types: ContentTypes, _ account: ID<Account>?
    ) -> Row {
        Row(
            address: query.address("/queue/\(row.id)"), title: row.title.isEmpty ? "Without a title" : row.title,
            type: types[row.type]?.label ?? row.type, source: row.source, wished: row.wishedCategory,
            received: Instant(row.receivedAt), holder: row.claimedBy, isMine: row.claimedByID == account)
    }

    private static func count(_ number: Int) -> String {
        number > countLimit ? "1,000+" : String(number)
    }
}
