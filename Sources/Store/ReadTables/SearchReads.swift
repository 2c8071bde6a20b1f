// Searches everything published (A27): guests in the previews, readers in the full texts.
import Domain
import Postgres

/// Search hits, and the corrected query if it was used.
package struct SearchPage: Sendable {
    package let page: DocumentPage
    /// The query that was used instead; nil when the original query has hits, or there is no similar term.
    package let correctedQuery: String?
}

/// The query, or one of its alternatives, says only what must not be there: it would match nearly everything.
package struct SearchWithoutTerm: Error {}

package struct SearchReads: Sendable {
    /// The most rows that are ranked, because that reads and unpacks the terms of each.
    static let candidates = 2000
    /// The length of a highlight, in words and what is between them.
    private static let excerpt = 60

    let scope: ReadScope
    let connection: StoreConnection

    /// Hits by relevance, then newest, then id. `query` supports quoted phrases, `or`, `-not` and an unfinished last
    /// word; ignores case and accents. A query without hits is corrected when similar terms are in published previews:
    /// the terms of full texts would tell guests what these say. A query without usable terms finds nothing. Of more
    /// matches than `candidates` the newest are found. Throws `SearchWithoutTerm`.
    package func page(_ query: String, type: String?, cursor: String?) async throws -> SearchPage {
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 4)
            let corrected = position.values[3].isEmpty ? nil : position.values[3]
            return SearchPage(
                page: try await find(corrected ?? query, type, position, corrected: corrected),
                correctedQuery: corrected)
        }
        let page = try await find(query, type, nil, corrected: nil)
        guard page.count == 0, let corrected = try await correction(of: query) else {
            return SearchPage(page: page, correctedQuery: nil)
        }
        let found = try await find(corrected, type, nil, corrected: corrected)
        return SearchPage(page: found, correctedQuery: found.count > 0 ? corrected : nil)
    }

    private func correction(of query: String) async throws -> String? {
        let (corrected, hasTerm) =
            try await connection.first(
                """
                select api_v1.corrected_query(\(query)) as query, querytree(api_v1.search_query(\(query))) <> 'T' as has_term
                """
            ) { (try $0("query") as String?, try $0("has_term") as Bool) } ?? (nil, true)
        guard hasTerm else { throw SearchWithoutTerm() }
        return corrected
    }

    /// What PostgreSQL can't look up in an index (`querytree` is T) finds nothing. Highlights are computed only for the rows of the page, because that parses
    /// their texts again; of the rest of a text only if its preview has none.
    private func find(_ query: String, _ type: String?, _ position: Cursor?, corrected: String?) async throws
        -> DocumentPage
    {
        let index: SQL = scope == .guest ? "api_v1.search" : "api_v1.search_full"
        var hits: SQL = """
            select q.query, h.weight, h.age, h.id
            from (select (select api_v1.search_query(\(query))) as query,
                (select api_v1.search_query(\(query), null)) as whole) q
            cross join lateral (
                select -ts_rank(c.terms, q.query) - ts_rank(c.terms, q.whole) as weight, c.age, c.id
                from (
                    select s.terms, s.age, s.id from \(index) s
                    where s.terms @@ q.query and querytree(q.query) <> 'T' and (s.ends_at is null or s.ends_at > now())
            """
        if let type { hits += " and s.type = \(type)" }
        hits += """
                     order by s.age, s.id limit \(fixed: Self.candidates)) c) h
            where true
            """
        if let position {
            guard let weight = Float(position.values[0]), weight.isFinite else { throw Cursor.unreadable }
            let (age, id) = (try position.integer(1), try position.uuid(2))
            hits += " and (h.weight, h.age, h.id) > (\(weight.description)::real, \(age)::bigint, \(id)::uuid)"
        }
        hits += " order by h.weight, h.age, h.id limit \(fixed: DocumentPage.size + 1)"
        let rows = try await connection.rows(
            """
            select d.document, p.weight, p.age, p.id, \(corrected ?? "") as corrected, json_build_object(
                'title', api_v1.highlight(d.document ->> 'title', p.query), 'preview', h.preview,
                'text', case when h.preview is null then api_v1.highlight(t.text, p.query, \(fixed: Self.excerpt)) end) as highlights
            from (\(hits)) p join api_v1.search d on d.id = p.id join \(index) t on t.id = p.id
            cross join lateral (
                select api_v1.highlight(d.document ->> 'preview', p.query, \(fixed: Self.excerpt)) as preview offset 0) h
            order by p.weight, p.age, p.id
            """)
        return try DocumentPage(hits: rows, cursor: ["weight", "age", "id", "corrected"])
    }
}
