// Finds entries to refer to, by the beginnings of the words of their titles, slugs, keys and synonyms.
import Domain
import Postgres

/// An entry that a field may refer to.
package struct EntryMatch: Sendable {
    package let id: ID<Entry>
    package let type: String
    /// Of the revision that pages show; empty if it has none.
    package let title: String
    package let slug: String?
    package let isLive: Bool
}

extension EntryStore {
    /// A search looks at this many entries at most; a longer term finds the others.
    private static let maxHits = 2000

    /// Entries of these types with words that begin with those of `text`, published ones first, then by title; the
    /// newest entries if it is empty. `onlyLive` leaves out unpublished ones, which contributors don't see. Outside the access scope
    /// of the page, words of an unpublished revision find nothing.
    package func matches(
        _ text: String, types: [String], onlyLive: Bool, limit: Int
    ) async throws -> [EntryMatch] {
        var condition = Self.condition(onlyLive)
        if !text.contains(where: { $0.isLetter || $0.isNumber }) {
            return try await connection.rows(
                """
                \(Self.matched) where e.type = any(\(types)::text[])\(condition) order by e.id desc limit \(limit)
                """, Self.match)
        }
        if !AccessScope.current.isAll {
            condition += """
                 and (\(AccessScope.current.entry("e"))
                    or curation.entry_terms(n.content) @@ (select api_v1.beginnings(\(text))))
                """
        }
        return try await connection.rows(
            """
            with hits as materialized (
                select x.entry_id from curation.entry_search x
                where x.terms @@ (select api_v1.beginnings(\(text))) and x.type = any(\(types)::text[])
                limit \(Self.maxHits))
            \(Self.matched) where e.id in (select entry_id from hits)\(condition)
            order by is_live desc, lower(n.content ->> 'title'), e.id limit \(limit)
            """, Self.match)
    }

    /// These entries, as far as they exist and may be seen.
    package func matches(_ ids: [ID<Entry>], onlyLive: Bool) async throws -> [EntryMatch] {
        if ids.isEmpty { return [] }
        return try await connection.rows(
            "\(Self.matched) where e.id = any(\(ids)::uuid[])\(Self.condition(onlyLive))", Self.match)
    }

    private static var matched: SQL {
        """
        select e.id, e.type, coalesce(n.content ->> 'title', '') as title, n.content ->> 'slug' as slug,
            exists (select from curation.live l where l.entry_id = e.id) as is_live
        from curation.entry e cross join lateral (\(shown)) n
        """
    }

    private static func condition(_ onlyLive: Bool) -> SQL {
        onlyLive ? " and exists (select from curation.live l where l.entry_id = e.id)" : ""
    }

    private static func match(_ row: Row) throws -> EntryMatch {
        EntryMatch(
            id: try row("id"), type: try row("type"), title: try row("title"), slug: try row("slug"),
            isLive: try row("is_live"))
    }
}
