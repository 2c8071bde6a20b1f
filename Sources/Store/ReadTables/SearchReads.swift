// The search over everything published, in the words of the previews (A27).
import Domain
import Postgres

/// Hits, and what was looked for where that was not what was asked for.
package struct SearchPage: Sendable {
    package let page: DocumentPage
    /// The words that were looked for instead; nil where those that were asked for found something, or nothing is near.
    package let mended: String?
}

package struct SearchReads: Sendable {
    let connection: StoreConnection

    /// Hits by rank, then newest, then id. `words` are read as people write them: quoted phrases, `or`, `-not`, the last
    /// word unfinished; case and accents do not count. Words that find nothing are mended, if something near them is
    /// published. Words of which nothing is left find nothing.
    package func page(_ words: String, type: String?, cursor: String?) async throws -> SearchPage {
        if let cursor {
            let place = try Cursor(parsing: cursor, count: 4)
            let mended = place.values[3].isEmpty ? nil : place.values[3]
            return SearchPage(page: try await find(mended ?? words, type, place, mended: mended), mended: mended)
        }
        let page = try await find(words, type, nil, mended: nil)
        guard page.count == 0, let mended = try await mended(words) else { return SearchPage(page: page, mended: nil) }
        let found = try await find(mended, type, nil, mended: mended)
        return SearchPage(page: found, mended: found.count > 0 ? mended : nil)
    }

    private func mended(_ words: String) async throws -> String? {
        try await connection.first("select api_v1.mended(\(words)) as words") { try $0("words") as String? } ?? nil
    }

    /// What was found is marked for the rows that are shown only: that reads their texts again.
    private func find(_ words: String, _ type: String?, _ place: Cursor?, mended: String?) async throws -> DocumentPage
    {
        var hits: SQL = """
            select q.words, h.document, h.weight, h.age, h.id
            from (select api_v1.search_query(\(words)) as words,
                websearch_to_tsquery('simple', lower(public.unaccent('public.unaccent'::regdictionary, \(words)))) as whole) q
            cross join lateral (
                select s.document, -ts_rank(s.words, q.words) - ts_rank(s.words, q.whole) as weight, s.age, s.id, s.type
                from api_v1.search s where s.words @@ q.words and (s.ends_at is null or s.ends_at > now())) h
            where true
            """
        if let type { hits += " and h.type = \(type)" }
        if let place {
            guard let weight = Float(place.values[0]), weight.isFinite else { throw RankedPosition.unreadable }
            let (age, id) = (try place.integer(1), try place.uuid(2))
            hits += " and (h.weight, h.age, h.id) > (\(weight.description)::real, \(age)::bigint, \(id)::uuid)"
        }
        hits += " order by h.weight, h.age, h.id limit \(fixed: DocumentPage.size + 1)"
        let rows = try await connection.rows(
            """
            select p.document, p.weight, p.age, p.id, \(mended ?? "") as mended, json_build_object(
                'title', api_v1.marked(p.document ->> 'title', p.words, 'HighlightAll=true'),
                'preview', api_v1.marked(p.document ->> 'preview', p.words, 'MaxWords=30, MinWords=12')) as marked
            from (\(hits)) p order by p.weight, p.age, p.id
            """)
        return try DocumentPage(hits: rows, cursor: ["weight", "age", "id", "mended"])
    }
}
