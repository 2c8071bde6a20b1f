// Reads the newest publication, and checks whether a publication that a client has seen is part of the history.
import Domain
import Postgres

package struct PublicationReads: Sendable {
    let connection: StoreConnection

    /// The newest publication; none before the first.
    func newest() async throws -> TaggedNumber {
        try await connection.first("select number, tag from api_v1.publication order by number desc limit 1") {
            TaggedNumber(number: try $0("number"), tag: try $0("tag"))
        } ?? .none
    }

    /// The newest publication as a document; nil before the first.
    package func newestDocument() async throws -> [UInt8]? {
        try await connection.first(
            """
            select json_build_object('number', number, 'tag', tag, 'changes', changes, 'published_at',
                to_char(published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as document
            from api_v1.publication order by number desc limit 1
            """
        ) { try $0.bytes("document") }
    }

    func isOnReplica() async throws -> Bool {
        try await connection.first("select \(Self.isReplica) as is_replica") { try $0("is_replica") } ?? false
    }

    /// Whether this database is a standby, or a logical replica of the read tables.
    static let isReplica: SQL = """
        (pg_is_in_recovery() or exists (
            select from pg_subscription_rel s where s.srrelid = 'api_v1.publication'::regclass))
        """

    /// The `HistoryStatus` of a publication, as an expression: no further query, on the same snapshot as the rows.
    static func history(of publication: TaggedNumber) -> SQL {
        history(of: publication, in: "publication")
    }

    /// The same for an event.
    static func history(ofEvent event: TaggedNumber) -> SQL { history(of: event, in: "event") }

    private static func history(of seen: TaggedNumber, in table: String) -> SQL {
        if seen == .none { return "'held'" }
        return """
            coalesce((select case when h.tag = \(seen.tag) then 'held' else 'changed' end
                from api_v1.\(raw: table) h where h.number = \(seen.number)::bigint),
                case when \(isReplica) then 'behind' else 'changed' end)
            """
    }
}
