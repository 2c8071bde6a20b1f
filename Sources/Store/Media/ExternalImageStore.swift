// Images of other servers: which are fetched next, what became of them, and the entries that still show them.
import Domain
import FoundationEssentials
import Postgres

package struct ExternalImageRow: Sendable {
    package let id: ID<ExternalImage>
    package let url: String
    /// The catalog source; nil for images of entries.
    package let source: String?
    package let state: String
    package let attempts: Int
    package let lastError: String?
    package let media: ID<Media>?
    /// An entry that shows it, and its title, or that of a catalog item.
    package let entry: ID<Entry>?
    package let title: String
    /// Its own alternative text, else the title. Empty if fields of several entries show it, each with a text of its own;
    /// inside a text, an image needs one in the library.
    package let alt: String

    init(row: Row) throws {
        id = try row("id")
        url = try row("url")
        source = try row("source")
        state = try row("state")
        attempts = try row("attempts")
        lastError = try row("last_error")
        media = try row("media_id")
        entry = try row("entry_id")
        title = try row("title")
        alt = try row("alt")
    }
}

package struct ExternalImageStore: Sendable {
    let connection: StoreConnection

    /// The attempts until an image counts as failed.
    package static let maxAttempts = 5

    private static let lines: SQL = """
        select x.id, x.url, x.source, x.state, x.attempts, x.last_error, x.media_id, e.entry_id,
            coalesce(e.title, c.title, '') as title,
            case when (
                select count(distinct r.entry_id) > 1 and bool_and(u.pointer not like '%#%')
                from curation.media_use u join curation.revision r on r.id = u.revision_id
                where u.external_id = x.id) then ''
            else coalesce(nullif(e.alt, ''), e.title, c.title, '') end as alt
        from ops.external_image x
        left join lateral (
            select r.entry_id, r.content ->> 'title' as title,
                r.content #>> (string_to_array(u.pointer, '/') || 'alt'::text) as alt
            from curation.media_use u join curation.revision r on r.id = u.revision_id
            where u.external_id = x.id order by r.id desc limit 1) e on true
        left join lateral (
            select s.title from curation.image_subjects(x.url) s limit 1) c on true
        """

    /// One page, newest first. `state` is `waiting`, `stored`, `external` or `failed`, which includes stored images that
    /// an entry can't show.
    package func page(state: String?, cursor: String?, limit: Int) async throws -> Page<ExternalImageRow> {
        var statement: SQL = "\(Self.lines) where x.state <> 'known'"
        switch state {
        case nil: break
        case "failed": statement += " and x.last_error is not null and x.state in ('failed', 'stored')"
        case let state?: statement += " and x.state = \(state)"
        }
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 1)
            statement += " and x.id < \(try position.uuid(0))"
        }
        statement += " order by x.id desc limit \(limit + 1)"
        let rows = try await connection.rows(statement, ExternalImageRow.init)
        return Page(rows: rows, limit: limit) { Cursor([$0.id.description]) }
    }

    package func find(_ id: ID<ExternalImage>) async throws -> ExternalImageRow? {
        try await connection.first("\(Self.lines) where x.id = \(id)", ExternalImageRow.init)
    }

    /// Whether an image can be fetched now.
    package func hasWaiting() async throws -> Bool {
        try await connection.first(
            "select 1 from ops.external_image where state = 'waiting' and next_at <= clock_timestamp() limit 1"
        ) { _ in true } ?? false
    }

    /// The size of all files that were added for external images, in bytes.
    package func usedBytes() async throws -> Int {
        try await connection.first("select coalesce(sum(bytes), 0)::bigint as n from ops.external_image") {
            try $0("n")
        } ?? 0
    }

    /// Stored images that published entries may not show yet.
    package func due(limit: Int) async throws -> [ID<ExternalImage>] {
        try await connection.rows("select id from ops.external_image where is_due order by id limit \(limit)") {
            try $0("id")
        }
    }

    /// Published entries without a newer revision that show one of these, after another in order of their ids.
    package func entries(
        showing images: [ID<ExternalImage>], after last: ID<Entry>?, limit: Int
    ) async throws -> [ID<Entry>] {
        try await connection.rows(
            """
            select distinct l.entry_id
            from curation.media_use u join curation.live l on l.revision_id = u.revision_id
            join curation.revision r on r.id = l.revision_id
            where u.external_id = any(\(images)::uuid[]) and (\(last)::uuid is null or l.entry_id > \(last)::uuid)
                and not exists (select from curation.revision n where n.entry_id = l.entry_id and n.number > r.number)
            order by l.entry_id limit \(limit)
            """
        ) { try $0("entry_id") }
    }

    // MARK: Changes

    /// Claims the next image and counts the attempt; another daemon claims another one. The next attempt is postponed by
    /// a backoff of 1, 5, 25 … minutes.
    package func claim() async throws -> ExternalImageRow? {
        let id: ID<ExternalImage>? = try await connection.first(
            """
            update ops.external_image set attempts = attempts + 1,
                next_at = clock_timestamp() + make_interval(secs => 60 * power(5, least(attempts, 4)) * (0.9 + 0.2 * random()))
            where id = (
                select id from ops.external_image where state = 'waiting' and next_at <= clock_timestamp()
                order by next_at, id limit 1 for update skip locked)
            returning id
            """
        ) { try $0("id") }
        guard let id else { return nil }
        return try await find(id)
    }

    /// Records the library image; entries and catalog items show it when `show` runs.
    package func store(_ id: ID<ExternalImage>, as media: ID<Media>, bytes: Int) async throws {
        try await connection.run(
            """
            update ops.external_image set state = 'stored', media_id = \(media), bytes = \(bytes), last_error = null,
                is_due = true
            where id = \(id) and state = 'waiting'
            """)
    }

    /// Records why an image can't be fetched; `isFinal` ends the attempts.
    package func fail(_ id: ID<ExternalImage>, _ error: String, isFinal: Bool) async throws {
        try await connection.run(
            """
            update ops.external_image set last_error = left(\(error), 500),
                state = case when \(isFinal) or attempts >= \(Self.maxAttempts)::integer then 'failed' else state end
            where id = \(id) and state = 'waiting'
            """)
    }

    /// Leaves an image on its server, with the reason.
    package func exclude(_ id: ID<ExternalImage>, _ reason: String) async throws {
        try await connection.run(
            "update ops.external_image set state = 'external', last_error = \(reason) where id = \(id) and state = 'waiting'"
        )
    }

    /// Postpones all images of the server of this one, so that a broken server does not hold up others.
    package func postponeHost(of id: ID<ExternalImage>, seconds: Int) async throws {
        try await connection.run(
            """
            update ops.external_image x
            set next_at = greatest(x.next_at, clock_timestamp() + make_interval(secs => \(seconds)::integer))
            from ops.external_image o where o.id = \(id) and x.host = o.host and x.state = 'waiting' and x.id <> o.id
            """)
    }

    /// Records that an entry with these images can't be published.
    package func note(_ error: String, on entry: ID<Entry>) async throws {
        try await connection.run(
            """
            update ops.external_image x set last_error = left(\(error), 500)
            from curation.live l join curation.media_use u on u.revision_id = l.revision_id
            where l.entry_id = \(entry) and x.id = u.external_id and x.state = 'stored'
            """)
    }

    /// Ends the work on these: catalog items show them from now on. Returns the publication, or nil when readers see no
    /// such item.
    package func show(_ images: [ID<ExternalImage>], by actor: Actor) async throws -> Int64? {
        try await connection.longFirst(
            "select curation.show_stored_images(\(images)::uuid[], \(actor.rowID)) as number"
        ) { try $0("number") as Int64? } ?? nil
    }

    /// Fetches a failed or excluded image again, or shows a stored one again; false when it is none of these.
    package func retry(_ id: ID<ExternalImage>) async throws -> Bool {
        try await connection.run(
            """
            update ops.external_image set attempts = 0, next_at = clock_timestamp(), last_error = null,
                state = case when state = 'stored' then state else 'waiting' end, is_due = state = 'stored'
            where id = \(id) and (state in ('failed', 'external') or state = 'stored' and last_error is not null)
            """) == 1
    }
}
