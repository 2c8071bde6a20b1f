// The identities of the encryption key and of the media store that belong to this database.
import Domain
import Postgres

package struct IdentityStore: Sendable {
    package enum Resource: String, Sendable, PostgresEncodable {
        case key, media
    }

    let connection: StoreConnection

    /// 32 hexadecimal digits; nil before the first daemon has started.
    package func find(_ resource: Resource) async throws -> String? {
        try await connection.first("select value from delivery.identity where resource = \(resource)") {
            try $0("value")
        }
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
