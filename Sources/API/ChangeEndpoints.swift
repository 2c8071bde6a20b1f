// What changed, for whoever keeps a copy of the read tables (R32).
import Store

enum ChangeEndpoints {
    /// `GET /v1/changes`: `next` is always a number to go on from.
    static func list(_ read: ReadCall) async throws -> ReadAnswer {
        let page = try await read.reads.changes.page(since: read.query.number("since") ?? 0)
        var body = Array(#"{"data":["#.utf8)
        body += page.documents
        body += Array(#"],"next":\#(page.next),"publication":\#(page.publication)}"#.utf8)
        return .document(body)
    }
}
