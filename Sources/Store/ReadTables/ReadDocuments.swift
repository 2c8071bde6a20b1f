// Reads published documents by id, batching concurrent callers into one statement: the most frequent read of apps.
import Domain
import FoundationEssentials
import Postgres

/// A call is sent to PostgreSQL at once; calls made while one is in progress are sent together.
package final class ReadDocuments: Sendable {
    private struct Key: Hashable {
        let table: String
        let id: UUID
    }

    private let statement: BatchedStatement<(table: String, id: UUID), [UInt8]?>

    /// - Parameter tables: of `api_v1`, each with the columns `id` and `document`; the client's role must be allowed to
    ///   read them.
    init(_ client: PostgresClient, tables: [String]) {
        statement = BatchedStatement(
            client: client, spread: .byLoop, connections: 1,
            statement: { inputs in
                var statement: SQL = ""
                for (number, table) in tables.enumerated() {
                    let ids = inputs.filter { $0.table == table }.map(\.id)
                    statement +=
                        """
                        \(raw: number == 0 ? "" : " union all ")select \(raw: "'\(table)'") as source, id, document
                        from api_v1.\(raw: table) where id = any(\(ids))
                        """
                }
                return statement
            },
            outputs: { rows, inputs in
                var documents: [Key: [UInt8]] = [:]
                for row in rows {
                    documents[Key(table: try row("source"), id: try row("id"))] = try row.bytes("document")
                }
                return inputs.map { .success(documents[Key(table: $0.table, id: $0.id)]) }
            })
    }

    /// The document; nil when there is none.
    func find<Subject>(_ id: ID<Subject>, in table: String) async throws -> [UInt8]? {
        try await StoreFailure.translating { try await statement((table, id.uuid)) }
    }
}
