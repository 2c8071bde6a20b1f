// The two category groups with their categories that have a live member (A23, B31).
import Domain
import Postgres

package struct CategoryReads: Sendable {
    let connection: StoreConnection

    /// All groups, each with its categories in the curators' order as its last member, `"categories"`.
    package func groups() async throws -> DocumentPage {
        let rows = try await connection.rows(
            """
            select json_build_object('id', g.id, 'number', g.number, 'slug', g.slug, 'name', g.name, 'categories',
                coalesce((select json_agg(c.document order by c.position, c.id)
                          from api_v1.category c where c.group_id = g.id), '[]')) as document
            from api_v1.category_group g order by g.number
            """)
        return try DocumentPage(whole: rows)
    }

    package func find(_ address: ReadAddress) async throws -> [UInt8]? {
        let statement: SQL =
            switch address {
            case .id(let id): "select document from api_v1.category where id = \(id)"
            case .slug(let slug): "select document from api_v1.category where slug = \(slug)"
            }
        return try await connection.first(statement) { try $0.bytes("document") }
    }
}
