// The change feed, for clients that keep a copy of the read tables (R32).
import Domain
import Store

enum ChangeEndpoints {
    /// `GET /v1/changes`: `next` is always the position to continue from. 410 `history_changed` if what the client has
    /// seen is not part of the history, 503 `replica_behind` if a replica has not received it yet.
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        let page = try await read.reads.changes.page(
            since: try read.position() ?? .start, rows: read.query.flag("rows") ?? false)
        try page.history.check(remedy)
        var body = Array(#"{"data":["#.utf8)
        body += page.documents
        body += Array(#"],"next":"\#(page.next.text)",\#(members(page.next.seen))}"#.utf8)
        return .document(body)
    }

    /// `GET /v1/tables/{table}`: `change` is the position to follow changes from after reading all pages. The cursor keeps
    /// that of the previous page; as `since` of the next table, it covers all tables. The response is 410 or 503 as for
    /// changes.
    static func rows(_ read: ReadCall) async throws -> ReadResponse {
        let name = read.call.path("table")
        guard let table = read.reads.packs.readTables.first(where: { $0.name == name }) else {
            throw Failure.missing("read table")
        }
        guard table.isForGuests || read.reads.scope == .reader else { throw Problem.missingScope(.readFull) }
        let page = try await read.reads.tables.page(table, since: try read.position(), cursor: read.cursor)
        try page.history.check(remedy)
        return .pageWith(page.rows, #","change":"\#(page.position.text)",\#(members(page.position.seen))"#)
    }

    private static let remedy = "Discard your copy, read the tables again without since, and follow from their change."

    private static func members(_ newest: TaggedNumber) -> String {
        #""publication":\#(newest.number),"publication_tag":"\#(newest.tag)""#
    }
}

extension HistoryStatus {
    /// Throws unless what the client has seen is part of the history; `remedy` says how to start over.
    func check(_ remedy: String) throws(Problem) {
        switch self {
        case .held: break
        case .changed: throw .historyChanged(remedy)
        case .behind: throw .replicaBehind
        }
    }
}

extension ReadCall {
    /// The position in `since`; nil if there is none.
    fileprivate func position() throws(Failure) -> ChangePosition? {
        try query.since("0 or the `change` or `next` of a previous response", ChangePosition.init)
    }
}
