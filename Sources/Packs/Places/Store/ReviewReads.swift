// Reads reviews: of a place, newest first, or one (B56).
import Domain
import Postgres
import Store

package struct ReviewReads: Sendable {
    let connection: StoreConnection

    /// The newest approval first; none when the place does not exist.
    package func page(of place: IDOrSlug, cursor: String?) async throws -> DocumentPage {
        let statement: SQL =
            switch place {
            case .id(let id): "select document, age, id from api_v1.review where place_id = \(id)"
            case .slug(let slug):
                """
                select document, age, id from api_v1.review
                where place_id = (select p.id from api_v1.place p where p.slug = \(slug))
                """
            }
        return try await connection.newestDocuments(statement, cursor: cursor)
    }

    package func find(_ id: ID<Entry>) async throws -> [UInt8]? {
        try await connection.first("select document from api_v1.review where id = \(id)") { try $0.bytes("document") }
    }
}
