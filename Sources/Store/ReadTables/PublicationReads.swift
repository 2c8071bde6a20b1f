// Reads the newest publication.
import Domain
import Postgres

package struct PublicationReads: Sendable {
    let connection: StoreConnection

    /// The newest number; 0 before the first publication.
    package func number() async throws -> Int64 {
        try await connection.first("select number from api_v1.publication order by number desc limit 1") {
            try $0("number")
        } ?? 0
    }

    /// The newest publication; nil before the first.
    package func newest() async throws -> [UInt8]? {
        try await connection.first(
            """
            select json_build_object('number', number, 'changes', changes, 'published_at',
                to_char(published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as document
            from api_v1.publication order by number desc limit 1
            """
        ) { try $0.bytes("document") }
    }
}
