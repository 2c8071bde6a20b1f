// Videos with what plays them, addressable without their feed (A37). For readers only: no guest may see the table.
import Domain
import Postgres

package struct VideoReads: Sendable {
    let connection: StoreConnection
    let documents: ReadDocuments

    package func find(_ address: IDOrSlug) async throws -> [UInt8]? {
        switch address {
        case .id(let id): return try await documents.find(id, in: "video")
        case .slug(let slug):
            // The slug is unique among items, and the index is theirs.
            return try await connection.first(
                "select v.document from api_v1.item i join api_v1.video v on v.id = i.id where i.slug = \(slug)"
            ) { try $0.bytes("document") }
        }
    }
}
