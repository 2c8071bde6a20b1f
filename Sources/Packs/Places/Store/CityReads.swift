// Reads cities: by prefix of their names, one by one, and the categories with places in a city.
import Domain
import Postgres
import Store

package struct CityReads: Sendable {
    let connection: StoreConnection

    /// Largest first. `query` contains prefixes of query in any of a city's names, in any order; ignores case and
    /// accents (B27). A query without usable terms finds nothing.
    package func page(_ query: String?, cursor: String?) async throws -> DocumentPage {
        var statement: SQL = "select document, rank, id from api_v1.city where true"
        if let query {
            // Parsed like the indexed names; each term may continue.
            statement += """
                 and terms @@ (
                    select to_tsquery('simple', string_agg('''' || replace(replace(w, '\\', '\\\\'), '''', '''''') || ''':*', ' & '))
                    from unnest(tsvector_to_array(to_tsvector('simple',
                        lower(public.unaccent('public.unaccent'::regdictionary, \(query)))))) w)
                """
        }
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 2)
            statement += " and (rank, id) > (\(try position.integer(0))::bigint, \(try position.uuid(1))::uuid)"
        }
        statement += " order by rank, id limit \(fixed: DocumentPage.size + 1)"
        return try DocumentPage(try await connection.rows(statement), cursor: ["rank", "id"])
    }

    package func find(_ idOrSlug: IDOrSlug) async throws -> [UInt8]? {
        let statement: SQL =
            switch idOrSlug {
            case .id(let id): "select document from api_v1.city where id = \(id)"
            case .slug(let slug): "select document from api_v1.city where slug = \(slug)"
            }
        return try await connection.first(statement) { try $0.bytes("document") }
    }

    /// The groups with their categories that have a place in the city, each with its number of places (K8); nil when
    /// there is no such city.
    package func categories(of city: IDOrSlug, _ language: ReadLanguage) async throws -> DocumentPage? {
        let condition: SQL =
            switch city {
            case .id(let id): "t.id = \(id)"
            case .slug(let slug): "t.slug = \(slug)"
            }
        let rows = try await connection.rows(
            """
            select json_build_object('id', g.id, 'number', g.number, 'slug', g.slug,
                'name', \(language.name(of: "g")), 'categories',
                coalesce((
                    select json_agg(json_build_object('id', c.id, 'slug', c.slug, 'name', \(language.name(of: "c")),
                        'position', c.position,
                        'count', n.place_count) order by c.position, c.id)
                    from api_v1.category_city_count n join api_v1.category c on c.id = n.category_id
                    where n.city_id = t.id and c.group_id = g.id), '[]')) as document
            from api_v1.city t cross join api_v1.category_group g where \(condition) order by g.number
            """)
        return rows.isEmpty ? nil : try DocumentPage(whole: rows)
    }
}
