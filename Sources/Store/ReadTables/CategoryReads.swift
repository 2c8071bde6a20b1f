// Reads the two category groups with their categories that have a live member (A23, B31).
import Domain
import Postgres

package struct CategoryReads: Sendable {
    let connection: StoreConnection

    /// All groups, each with its categories in the curators' order as its last member, `"categories"`.
    package func groups(_ language: ReadLanguage) async throws -> DocumentPage {
        let rows = try await connection.rows(
            """
            select json_build_object('id', g.id, 'number', g.number, 'slug', g.slug, 'name', \(language.name(of: "g")),
                'names', g.document -> 'names', 'categories',
                coalesce((select json_agg(\(language.document(of: "c")) order by c.position, c.id)
                          from api_v1.category c where c.group_id = g.id), '[]')) as document
            from api_v1.category_group g order by g.number
            """)
        return try DocumentPage(whole: rows)
    }

    package func find(_ idOrSlug: IDOrSlug, _ language: ReadLanguage) async throws -> [UInt8]? {
        let condition: SQL =
            switch idOrSlug {
            case .id(let id): "c.id = \(id)"
            case .slug(let slug): "c.slug = \(slug)"
            }
        return try await connection.first(
            "select \(language.document(of: "c")) as document from api_v1.category c where \(condition)"
        ) { try $0.bytes("document") }
    }
}

extension ReadLanguage {
    /// The name of a category or group in the requested language or a less specific form of it, else as the curators
    /// wrote it. `table` is an alias written in the code.
    package func name(of table: String) -> SQL {
        requested == nil ? "\(raw: table).name" : name(in: "\(raw: table).document")
    }

    /// The document of a category with its name, and that of its group, in the requested language.
    func document(of table: String) -> SQL {
        guard requested != nil else { return "\(raw: table).document" }
        let document: SQL = "\(raw: table).document"
        let group: SQL = "(\(raw: table).document -> 'group')"
        return """
            (\(document)::jsonb || jsonb_build_object('name', \(name(in: document)),
                'group', \(group)::jsonb || jsonb_build_object('name', \(name(in: group)))))::json
            """
    }

    /// The document of an entry, a column, with the names of its categories in the requested language.
    package func document(withCategories column: String) -> SQL {
        let document: SQL = "\(raw: column)"
        guard requested != nil else { return document }
        return """
            (\(document)::jsonb || jsonb_build_object('categories', coalesce((
                select jsonb_agg(c.category || jsonb_build_object('name', \(name(in: "c.category"))) order by c.number)
                from jsonb_array_elements(\(document)::jsonb -> 'categories') with ordinality c (category, number)), '[]')))::json
            """
    }

    private func name(in document: SQL) -> SQL {
        """
        coalesce((select \(document) -> 'names' ->> u.tag
            from unnest(\(requested?.chain ?? [])::text[]) with ordinality u (tag, position)
            where \(document) -> 'names' ->> u.tag is not null order by u.position limit 1), \(document) ->> 'name')
        """
    }
}
