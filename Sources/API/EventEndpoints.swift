// Events for push notifications: items added to feeds, promotions that started (B12).
import Domain
import Store

enum EventEndpoints {
    /// `GET /v1/events`: `next` is always the position to continue from. 410 `history_changed` if the last event that the
    /// client has read is not part of the history, 503 `replica_behind` if a replica has not received it yet.
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        let last = try read.query.since("0 or the `next` of the previous page") { TaggedNumber($0) }
        let page = try await read.reads.events.page(since: last ?? .none)
        try page.history.check(
            "Read events again from next_url, and skip those you have handled.", restart: "/v1/events?since=0")
        let next = "/v1/events?since=\(page.next.text)"
        let body = Array(#"{"data":["#.utf8) + page.events.documents
        return .following(
            body + Array(#"],"next":"\#(page.next.text)","next_url":"\#(next)"}"#.utf8), next: next)
    }
}
