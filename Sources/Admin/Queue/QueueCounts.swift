// The live counts of the queue page, each up to a limit regardless of the queue's size.
import Domain
import FoundationEssentials
import HTTP
import Platform
import Store

enum QueueCounts {
    /// The URL from which a page updates its counts, with the time after which a submission is new.
    static func url(_ query: QueueQuery) -> String {
        let since = "since=\(InstantText.text(Date()))"
        let queryString = query.queryString()
        return AdminURL.queueCounts() + "?" + (queryString.isEmpty ? since : "\(queryString)&\(since)")
    }

    /// Sends one server-sent event and closes the connection, so that many open pages cost little; the browser reconnects.
    static func show(_ request: AdminRequest) async throws -> Response {
        let query = QueueQuery(request.query)
        var counts = try await QueueTabs.load(request).texts.mapValues { JSONValue.string($0) }
        let received = try await received(query, request)
        if let account = request.session?.account {
            let viewers = try await request.database.viewers.others(than: account)
            counts["viewers"] = .object(
                Dictionary(viewers.map { ($0.key.description, JSONValue.string($0.value.joined(separator: ", "))) }) {
                    first, _ in first
                })
        }
        counts["new"] = .string(received > 0 ? CountText.text(received, limit: QueueTabs.limit) : "")
        return .bytes(
            Array("retry: 5000\nevent: counts\ndata: \(JSONValue.object(counts).canonicalText)\n\n".utf8),
            type: "text/event-stream; charset=utf-8")
    }

    /// The number of matching submissions received since then.
    private static func received(_ query: QueueQuery, _ request: AdminRequest) async throws -> Int {
        guard let since = request.query.first("since").flatMap({ Timestamp($0) }) else { return 0 }
        var filter = try await query.filter(for: request)
        filter.receivedAfter = since
        return try await request.database.queue.count(filter, limit: QueueTabs.limit)
    }
}
