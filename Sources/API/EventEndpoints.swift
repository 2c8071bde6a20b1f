// Events for push notifications: items added to feeds, promotions that started (B12).
import Store

enum EventEndpoints {
    /// `GET /v1/events`: `next` is always the number to continue from.
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        let (page, next) = try await read.reads.events.page(since: read.query.number("since") ?? 0)
        return .document(Array(#"{"data":["#.utf8) + page.documents + Array(#"],"next":\#(next)}"#.utf8))
    }
}
