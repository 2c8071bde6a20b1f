// The search over everything published, in the words of the previews (A27).
import Domain
import Postgres

package struct SearchReads: Sendable {
    let connection: StoreConnection

    /// Hits by rank, then newest, then id. `words` are read as people write them: quoted phrases, `or`, `-not`; case
    /// and accents do not count. Words of which nothing is left find nothing.
    package func page(_ words: String, type: String?, cursor: String?) async throws -> DocumentPage {
        var statement: SQL = """
            select h.document, h.weight, h.age, h.id
            from (select websearch_to_tsquery('simple',
                      lower(public.unaccent('public.unaccent'::regdictionary, \(words)))) as words) q
            cross join lateral (
                select s.document, -ts_rank(s.words, q.words) as weight, s.age, s.id, s.type
                from api_v1.search s where s.words @@ q.words and (s.ends_at is null or s.ends_at > now())) h
            where true
            """
        if let type { statement += " and h.type = \(type)" }
        if let cursor {
            let place = try Cursor(parsing: cursor, count: 3)
            guard let weight = Float(place.values[0]), weight.isFinite else { throw RankedPlace.unreadable }
            let (age, id) = (try place.integer(1), try place.uuid(2))
            statement += " and (h.weight, h.age, h.id) > (\(weight.description)::real, \(age)::bigint, \(id)::uuid)"
        }
        statement += " order by h.weight, h.age, h.id limit \(raw: "\(DocumentPage.size + 1)")"
        return try DocumentPage(try await connection.rows(statement), cursor: ["weight", "age", "id"])
    }
}
