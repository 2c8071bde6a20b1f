// Published documents by id, many callers with one statement: what apps ask for most.
import Domain
import FoundationEssentials
import Postgres

/// Each call goes to PostgreSQL; those that come while an earlier one is on its way go together.
package final class ReadDocuments: Sendable {
    private struct Place: Hashable {
        let table: String
        let id: UUID
    }

    private let statement: BatchedStatement<(table: String, id: UUID), [UInt8]?>

    /// - Parameter tables: of `api_v1`, each with the columns `id` and `document`; the client's role must be allowed to read them.
    init(_ client: PostgresClient, tables: [String]) {
        statement = BatchedStatement(
            client: client, spread: .byLoop, connections: 1,
            statement: { inputs in
                var statement: SQL = ""
                for (number, table) in tables.enumerated() {
                    let ids = inputs.filter { $0.table == table }.map(\.id)
                    statement +=
                        """
                        \(raw: number == 0 ? "" : " union all ")select \(raw: "'\(table)'") as place, id, document
                        from api_v1.\(raw: table) where id = any(\(ids))
                        """
                }
                return statement
            },
            outputs: { rows, inputs in
                var documents: [Place: [UInt8]] = [:]
                for row in rows {
                    documents[Place(table: try row("place"), id: try row("id"))] = try row.bytes("document")
                }
                return inputs.map { .success(documents[Place(table: $0.table, id: $0.id)]) }
            })
    }

    /// The document; nil where there is none.
    func find<Subject>(_ id: ID<Subject>, in table: String) async throws -> [UInt8]? {
        try await StoreFailure.translating { try await statement((table, id.uuid)) }
    }
}
