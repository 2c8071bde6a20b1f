// The change feed and whole read tables, for clients that keep a copy (R32).
import Domain
import HTTP
import Store

/// A copy is made and kept by following `next_url` from response to response: through the tables, then through their
/// changes. It is relative to the URL of the API, which may change while a copy is kept.
enum ChangeEndpoints {
    /// `GET /v1/changes`: `next` is always the position to continue from. 410 `history_changed` if what the client has
    /// seen is not part of the history, 503 `replica_behind` if a replica has not received it yet.
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        let tables = try read.query.names("tables").map { try read.tables(named: $0, pointer: "/query/tables") }
        let page = try await read.reads.changes.page(
            since: try read.position() ?? .start, of: tables, rows: read.query.flag("rows") ?? false)
        let all = read.url("/v1/changes", ["since": "0"], keeping: ["rows", "view"])
        try page.history.check(remedy, restart: tables.map { read.start(of: $0) } ?? all)
        let next = read.url("/v1/changes", ["since": page.next.text], keeping: ["rows", "tables", "view"])
        var body = Array(#"{"data":["#.utf8)
        body += page.documents
        body += Array(#"],"next":"\#(page.next.text)",\#(following(next, page.isUpToDate, page.next.seen))}"#.utf8)
        return .following(body, next: next)
    }

    /// `GET /v1/tables/{table}`: `change` is the position to follow changes from after reading all pages. The cursor keeps
    /// that of the previous page; as `since` of the next table, it covers all tables. The response is 410 or 503 as for
    /// changes.
    static func rows(_ read: ReadCall) async throws -> ReadResponse {
        let names = read.call.path("table").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let tables = try read.tables(named: names, pointer: nil)
        let page = try await read.reads.tables.page(tables, since: try read.position(), cursor: read.cursor)
        try page.history.check(remedy, restart: read.start(of: tables))
        let cursor = page.rows.next.map { read.binding.text(of: $0) }
        let next =
            cursor.map { PathText.next(of: read.call.request, cursor: $0) }
            ?? read.url(
                "/v1/changes",
                ["since": page.position.text, "rows": "true", "tables": tables.map(\.name).joined(separator: ",")],
                keeping: ["view"])
        var body = Array(#"{"data":["#.utf8)
        body += page.rows.documents
        body += Array(#"],"next":\#(cursor.map { "\"\($0)\"" } ?? "null"),"change":"\#(page.position.text)","#.utf8)
        body += Array(#"\#(following(next, false, page.position.seen))}"#.utf8)
        return .following(body, next: next)
    }

    private static let remedy = "Discard your copy, and read the tables again from next_url."

    private static func following(_ next: String, _ isUpToDate: Bool, _ newest: TaggedNumber) -> String {
        let url = JSONValue.string(next).canonicalText
        return #""next_url":\#(url),"up_to_date":\#(isUpToDate),"#
            + #""publication":\#(newest.number),"publication_tag":"\#(newest.tag)""#
    }
}

extension HistoryStatus {
    /// Throws unless what the client has seen is part of the history; `remedy` says how to start over, `restart` where.
    func check(_ remedy: String, restart: String) throws(Problem) {
        switch self {
        case .held: break
        case .changed: throw .historyChanged(remedy, restart: restart)
        case .behind: throw .replicaBehind
        }
    }
}

extension ReadCall {
    /// The position in `since`; nil if there is none.
    fileprivate func position() throws(Failure) -> ChangePosition? {
        try query.since("0 or the `change` or `next` of a previous response", ChangePosition.init)
    }

    /// The read tables with these names, once each. Throws for one that is unknown or not for this client; `pointer` is that of the
    /// parameter, nil for the path.
    fileprivate func tables(named names: [String], pointer: String?) throws -> [ReadTable] {
        var tables: [ReadTable] = []
        for name in names where !tables.contains(where: { $0.name == name }) {
            guard let table = reads.packs.readTables.first(where: { $0.name == name }) else {
                guard let pointer else { throw Failure.missing("read table") }
                throw Failure.invalid(
                    FieldErrors(pointer, "choice", "There is no read table \u{201C}\(name)\u{201D}."))
            }
            guard table.isForGuests || reads.scope == .reader else {
                throw Problem.missingScope(.readFull, in: pointer == nil ? nil : "tables")
            }
            tables.append(table)
        }
        return tables
    }

    /// The URL of the first page of a copy of these tables.
    fileprivate func start(of tables: [ReadTable]) -> String {
        url("/v1/tables/" + tables.map(\.name).joined(separator: ","), [:], keeping: ["view"])
    }

    /// A URL with these parameters and those of the request with these names.
    fileprivate func url(_ path: String, _ parameters: KeyValuePairs<String, String>, keeping names: [String]) -> String
    {
        let own = parameters.map { FormFields.Field(name: $0.key, value: $0.value) }
        let fields = own + call.request.query.fields.filter { names.contains($0.name) }
        return fields.isEmpty ? path : path + "?" + FormFields(fields).urlEncoded
    }
}
