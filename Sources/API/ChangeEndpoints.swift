// The change feed, for clients that keep a copy of the read tables (R32).
import Domain
import Store

enum ChangeEndpoints {
    /// `GET /v1/changes`: `next` is always the number to continue from.
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        let page = try await read.reads.changes.page(
            since: read.query.number("since") ?? 0, rows: read.query.flag("rows") ?? false)
        var body = Array(#"{"data":["#.utf8)
        body += page.documents
        body += Array(#"],"next":\#(page.next),"publication":\#(page.publication)}"#.utf8)
        return .document(body)
    }

    /// `GET /v1/tables/{table}`: `change` is the number to follow changes from after reading all pages.
    static func rows(_ read: ReadCall) async throws -> ReadResponse {
        let name = read.call.path("table")
        guard let table = ReadTable.all.first(where: { $0.name == name }) else { throw Failure.missing("read table") }
        guard table.isForGuests || read.reads.scope == .reader else { throw Problem.missingScope(.readFull) }
        let page = try await read.reads.tables.page(table, cursor: read.cursor)
        return .pageWith(page.rows, #","change":\#(page.change),"publication":\#(page.publication)"#)
    }
}
