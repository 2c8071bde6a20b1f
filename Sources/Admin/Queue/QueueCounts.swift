// Counts pending, overdue and claimed submissions and unread mentions, each up to a limit regardless of the queue's size.
import Domain
import FoundationEssentials
import HTTP
import Platform
import Review
import Store

struct QueueCounts: Sendable {
    let pending: Int
    let mine: Int
    let overdue: Int
    let mentions: Int

    static func load(_ request: AdminRequest, limit: Int) async throws -> QueueCounts {
        guard let account = request.session?.account else { throw Failure.missing("page") }
        let counts = try await request.database.queue.counts(
            for: account, within: try await request.database.queueFilter(within: request.actor.scope),
            overdueAfter: request.services.reviewPolicy.targetHours,
            limit: limit)
        return QueueCounts(
            pending: counts.waiting, mine: counts.mine, overdue: counts.overdue, mentions: counts.mentions)
    }

    /// The URL from which a page updates its counts, with the time after which a submission is new.
    func url(_ query: QueueQuery) -> String {
        let since = "since=\(InstantText.text(Date()))"
        let queryString = query.queryString()
        return AdminURL.queueCounts() + "?" + (queryString.isEmpty ? since : "\(queryString)&\(since)")
    }

    /// The number of matching submissions received since then.
    func received(_ query: QueueQuery, _ request: AdminRequest, limit: Int) async throws -> Int {
        guard let since = request.query.first("since").flatMap({ Timestamp($0) }) else { return 0 }
        var filter = try await query.filter(for: request)
        filter.receivedAfter = since
        return try await request.database.queue.count(filter, limit: limit)
    }

    static func text(_ number: Int, _ limit: Int) -> String {
        number > limit ? "1,000+" : String(number)
    }
}
