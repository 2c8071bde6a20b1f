// Reads videos with their playback data, independent of feeds (A37); guests may not see the table.
import Domain
import Postgres

package struct VideoReads: Sendable {
    let connection: StoreConnection
    let documents: ReadDocuments

    package func find(_ idOrSlug: IDOrSlug) async throws -> [UInt8]? {
        switch idOrSlug {
        case .id(let id): return try await documents.find(id, in: "video")
        case .slug(let slug):
            // Slugs are unique among items, and the index belongs to that table.
            return try await connection.first(
                "select v.document from api_v1.item i join api_v1.video v on v.id = i.id where i.slug = \(slug)"
            ) { try $0.bytes("document") }
        }
    }
}
