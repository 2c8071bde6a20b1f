// The first image of entries and submissions, for the rows of a list: one statement for a page.
import Domain
import Postgres

/// The narrowest file of an image of the library.
package struct Thumbnail: Sendable {
    /// The path below the base URL of media.
    package let path: String
    package let width: Int
    package let height: Int

    package init(path: String, width: Int, height: Int) {
        self.path = path
        self.width = width
        self.height = height
    }
}

/// Images of other servers have none: lists don't load them.
package struct ThumbnailStore: Sendable {
    let connection: StoreConnection

    private static let narrowest: SQL = "select path, width, height from ops.media_file"

    /// The first image of each entry in the revision that pages show.
    package func of(entries: [ID<Entry>]) async throws -> [ID<Entry>: Thumbnail] {
        try await thumbnails(
            entries,
            """
            select e.id, f.path, f.width, f.height from curation.entry e
            cross join lateral (\(EntryStore.shown)) r
            cross join lateral (
                select version_id from curation.media_use where revision_id = r.id and version_id is not null
                order by pointer like '%#%', pointer limit 1) u
            cross join lateral (\(Self.narrowest) where version_id = u.version_id order by width limit 1) f
            where e.id = any(\(entries)::uuid[])
            """)
    }

    /// The first image that a field of each submission names; images inside texts don't count. One outside the access
    /// scope of the page is not shown: a submission may name any image.
    package func of(submissions: [ID<Submission>]) async throws -> [ID<Submission>: Thumbnail] {
        try await thumbnails(
            submissions,
            """
            select s.id, f.path, f.width, f.height
            from curation.submission s
            left join lateral (
                select t.fields from curation.submission_version t where t.submission_id = s.id
                order by t.number desc limit 1) n on true
            cross join lateral (
                select jsonb_path_query_first(coalesce(n.fields, s.fields), '$.*.media ? (@.type() == "string")') #>> '{}'
                    as id) i
            join ops.media m on m.id = case when i.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then i.id::uuid end
                and \(AccessScope.current.image("m"))
            cross join lateral (\(Self.narrowest) where version_id = m.version_id order by width limit 1) f
            where s.id = any(\(submissions)::uuid[])
            """)
    }

    private func thumbnails<Noun>(_ ids: [ID<Noun>], _ statement: SQL) async throws -> [ID<Noun>: Thumbnail] {
        if ids.isEmpty { return [:] }
        let rows = try await connection.rows(statement) { row in
            (
                try row("id") as ID<Noun>,
                Thumbnail(path: try row("path"), width: try row("width"), height: try row("height"))
            )
        }
        return Dictionary(rows) { first, _ in first }
    }
}
