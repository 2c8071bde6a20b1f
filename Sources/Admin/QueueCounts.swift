// How much waits, is late, is one's own or names one: counted no further than a limit, whatever the size of the queue.
import Domain
import FoundationEssentials
import HTTP
import Platform
import Review
import Store

struct QueueCounts: Sendable {
    let waiting: Int
    let mine: Int
    let late: Int
    let mentions: Int

    static func load(_ request: AdminRequest, limit: Int) async throws -> QueueCounts {
        guard let account = request.session?.account else { throw Failure.missing("page") }
        let standing = try await request.database.queue.standing(
            for: account, within: try await request.database.queueFilter(within: request.actor.scope),
            lateAfter: request.context.targetHours,
            limit: limit)
        return QueueCounts(
            waiting: standing.waiting, mine: standing.mine, late: standing.late, mentions: standing.mentions)
    }

    /// Where a page asks for news: with the moment from which on something is new.
    func address(_ query: QueueQuery) -> String {
        let since = "since=\(InstantText.text(Date()))"
        let text = query.text()
        return "/queue/counts?" + (text.isEmpty ? since : "\(text)&\(since)")
    }

    /// How many that match have come since then.
    func fresh(_ query: QueueQuery, _ request: AdminRequest, limit: Int) async throws -> Int {
        guard let since = request.query.first("since").flatMap({ Timestamp($0) }) else { return 0 }
        var filter = try await query.filter(for: request)
        filter.receivedAfter = since
        return try await request.database.queue.count(filter, limit: limit)
    }

    static func text(_ number: Int, _ limit: Int) -> String {
        number > limit ? "1,000+" : String(number)
    }
}
