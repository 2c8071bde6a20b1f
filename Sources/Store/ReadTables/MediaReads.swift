// Reads the images of live entries with their files (A40, B9).
import Domain
import Postgres

package struct MediaReads: Sendable {
    let connection: StoreConnection

    /// Newest first; with `path` only images that have a file with it.
    package func page(path: String? = nil, cursor: String?) async throws -> DocumentPage {
        var statement: SQL = "select document, id from api_v1.media where true"
        if let path { statement += " and paths @> array[\(path)::text]" }
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 1)
            statement += " and id < \(try position.uuid(0))::uuid"
        }
        statement += " order by id desc limit \(fixed: DocumentPage.size + 1)"
        return try DocumentPage(try await connection.rows(statement), cursor: ["id"])
    }

    package func find(_ id: ID<Media>) async throws -> [UInt8]? {
        try await connection.first("select document from api_v1.media where id = \(id)") { try $0.bytes("document") }
    }
}
