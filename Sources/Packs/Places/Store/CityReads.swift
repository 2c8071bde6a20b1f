// Reads cities: by prefix of their names, one by one, and the categories with places in a city.
import Domain
import Postgres
import Store

package struct CityReads: Sendable {
    let connection: StoreConnection

    /// `query` contains beginnings of words of a city's names, in any order; ignores case and accents (B27). A query without
    /// usable terms finds nothing. Cities whose name it is come first, then those whose name begins with it, each as typed and
    /// then without accents; then the largest. `hasPlaces`: only cities with, or without, places.
    package func page(_ query: String?, hasPlaces: Bool?, cursor: String?) async throws -> DocumentPage {
        var cities: SQL = "api_v1.city c"
        var match: SQL = "0"
        var condition: SQL = "true"
        if let query {
            cities = """
                (select E'\\n' || lower(btrim(normalize(\(query)))) as typed,
                    E'\\n' || btrim(regexp_replace(api_v1.folded(\(query)), '\\s+', ' ', 'g')) as folded offset 0) q
                cross join api_v1.city c
                """
            match = """
                case when strpos(c.names_key, q.typed || E'\\n') > 0 then 0 when strpos(c.names_key, q.folded || E'\\n') > 0 then 1
                    when strpos(c.names_key, q.typed) > 0 then 2 when strpos(c.names_key, q.folded) > 0 then 3 else 4 end
                """
            condition = "c.terms @@ (select api_v1.beginnings(\(query)))"
        }
        if let hasPlaces { condition += hasPlaces ? " and c.place_count > 0" : " and c.place_count = 0" }
        var statement: SQL = """
            select document, match, rank, id
            from (select c.document, c.rank, c.id, \(match) as match from \(cities) where \(condition)) m where true
            """
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 3)
            let (rank, id) = (try position.integer(1), try position.uuid(2))
            statement += " and (match, rank, id) > (\(try position.integer(0))::bigint, \(rank)::bigint, \(id)::uuid)"
        }
        statement += " order by match, rank, id limit \(fixed: DocumentPage.size + 1)"
        return try DocumentPage(try await connection.rows(statement), cursor: ["match", "rank", "id"])
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
