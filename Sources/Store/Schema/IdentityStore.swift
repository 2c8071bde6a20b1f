// The identities of the encryption key and of the media store that belong to this database, and its own.
import Domain
import Localization
import Postgres

package struct IdentityStore: Sendable {
    package enum Resource: String, Sendable, PostgresEncodable {
        case key, media, database
    }

    let connection: StoreConnection

    /// 32 hexadecimal digits; nil before the first daemon has started.
    package func find(_ resource: Resource) async throws -> String? {
        try await connection.first("select value from delivery.identity where resource = \(resource)") {
            try $0("value")
        }
    }

    /// The server of this database and its number there. A standby that takes over has those of its primary.
    private static let databaseID: SQL = """
        (select lpad(to_hex(s.system_identifier), 16, '0') || lpad(to_hex(d.oid::bigint), 16, '0')
         from pg_control_system() s, pg_database d where d.datname = current_database())
        """

    /// The value of this database for `Resource.database`.
    package func databaseID() async throws -> String {
        try await connection.rows("select \(Self.databaseID) as id") { try $0("id") as String }[0]
    }

    /// Whether another database recorded the identity: this one was restored from a dump, cloned or moved to another server.
    package func isCopy() async throws -> Bool {
        try await connection.rows(
            """
            select exists (
                select from delivery.identity i where i.resource = 'database' and i.value <> \(Self.databaseID)) as copy
            """
        ) { try $0("copy") as Bool }[0]
    }

    package static var copied: String {
        tr(
            "This database is a copy: it was restored, cloned or moved to another server. Nothing is deleted from its media "
                + "store, because the original may use it, too. If the original is out of use, or the store is a copy as "
                + "well, run \"vitrine media adopt\".")
    }

    /// Records the first identity; false if there is one already.
    package func add(_ resource: Resource, _ value: String, by actor: Actor) async throws -> Bool {
        try await connection.run(
            """
            insert into delivery.identity (resource, value, adopted_by) values (\(resource), \(value), \(actor.rowID))
            on conflict (resource) do nothing
            """) > 0
    }

    package func replace(_ resource: Resource, by value: String, by actor: Actor) async throws {
        try await connection.run(
            """
            insert into delivery.identity (resource, value, adopted_by) values (\(resource), \(value), \(actor.rowID))
            on conflict (resource) do update
            set value = excluded.value, adopted_by = excluded.adopted_by, adopted_at = clock_timestamp()
            """)
    }
}
