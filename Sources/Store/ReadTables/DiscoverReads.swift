// Reads the entries of the Discover page, in the curators' order (A20).
import Domain
import Postgres

package struct DiscoverReads: Sendable {
    let connection: StoreConnection

    package func page(cursor: String?) async throws -> DocumentPage {
        var statement: SQL = "select document, position, id from api_v1.discover"
        if let cursor {
            let cursorPosition = try Cursor(parsing: cursor, count: 2)
            statement +=
                " where (position, id) > (\(try cursorPosition.integer(0))::bigint, \(try cursorPosition.uuid(1))::uuid)"
        }
        statement += " order by position, id limit \(fixed: DocumentPage.size + 1)"
        return try DocumentPage(try await connection.rows(statement), cursor: ["position", "id"])
    }
}
