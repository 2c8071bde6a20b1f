// Videos with what plays them, addressable without their feed (A37). For readers only: no guest may see the table.
import Domain
import Postgres

package struct VideoReads: Sendable {
    let connection: StoreConnection

    package func find(_ address: ReadAddress) async throws -> [UInt8]? {
        let statement: SQL =
            switch address {
            case .id(let id): "select document from api_v1.video where id = \(id)"
            // The slug is unique among items, and the index is theirs.
            case .slug(let slug):
                "select v.document from api_v1.item i join api_v1.video v on v.id = i.id where i.slug = \(slug)"
            }
        return try await connection.first(statement) { try $0.bytes("document") }
    }
}
