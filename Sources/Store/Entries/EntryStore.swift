// Entries with their newest, approved and live revisions.
import Domain
import FoundationEssentials
import Postgres

/// One row of a list of entries.
package struct EntryRow: Sendable {
    package let id: ID<Entry>
    package let type: String
    package let kind: ContentType.Kind
    package let title: String
    package let slug: String?
    package let newest: Int
    package let approved: Int?
    package let live: Int?
    package let changedAt: Date
    package let author: String
    package let submission: ID<Submission>?
    /// The number of the release that contains it, and its scheduled time.
    package let release: Int64?
    package let publishesAt: Date?

    init(row: Row) throws {
        id = try row("id")
        type = try row("type")
        kind = ContentType.Kind(rawValue: try row("kind"))
        title = try row("title")
        slug = try row("slug")
        newest = try row("newest")
        approved = try row("approved")
        live = try row("live")
        changedAt = try row("changed_at")
        author = try row("author")
        submission = try row("submission_id")
        release = try row("release")
        publishesAt = try row("publishes_at")
    }
}

/// An entry as an option in a form: a feed, a category, a category group.
package struct EntryChoice: Sendable, Encodable {
    package let id: ID<Entry>
    package let type: String
    package var title: String
    package let slug: String
    package let isLive: Bool
    /// A category that was published once and is not any more: nothing may be assigned to it.
    package let isArchived: Bool
    /// The newest revision is live.
    package let isCurrent: Bool
    package let content: JSONValue
    /// What a form says beside the title; nil as read.
    package var note: String?

    /// Whether approving something into it, a feed, publishes it: otherwise only publishers publish into it.
    package var publishesOnApproval: Bool { content["publish_on_approval"] != .bool(false) }

    init(row: Row) throws {
        id = try row("id")
        type = try row("type")
        title = try row("title")
        slug = try row("slug") ?? ""
        isLive = try row("is_live")
        isArchived = try row("is_archived")
        isCurrent = try row("is_current")
        content = try row("content")
    }
}

package struct EntryFilter: Sendable, Equatable {
    package var type: String?
    package var query: String?
    /// `live`, `ready` (approved and unpublished), `draft` (newest revision not approved) or `broken_stream`
    package var state: String?
    /// Entries of these kinds don't match.
    package var withoutKinds: Set<ContentType.Kind> = []

    package init() {}
}

package struct EntryStore: Sendable {
    let connection: StoreConnection

    static let newest: SQL =
        "select * from curation.revision r where r.entry_id = e.id order by r.number desc limit 1"

    private static let lines: SQL = """
        select e.id, e.type, e.kind, coalesce(n.content ->> 'title', '') as title, n.content ->> 'slug' as slug,
            n.number as newest, n.created_at as changed_at, w.name as author, e.submission_id,
            (select r.number from curation.revision r
             where r.entry_id = e.id and exists (select from curation.publish_approval a where a.revision_id = r.id)
             order by r.number desc limit 1) as approved,
            (select r.number from curation.live l join curation.revision r on r.id = l.revision_id
             where l.entry_id = e.id) as live,
            h.number as release, h.due_at as publishes_at
        from curation.entry e
        cross join lateral (\(newest)) n
        join ops.actor w on w.id = n.author_id
        left join lateral (
            select r.number, r.due_at from curation.release_item i join curation.release r on r.id = i.release_id
            where i.entry_id = e.id and r.state in ('open', 'scheduled') order by r.due_at nulls last limit 1) h on true
        """

    package func find(_ id: ID<Entry>) async throws -> EntryRow? {
        try await connection.first("\(Self.lines) where e.id = \(id)", EntryRow.init)
    }

    /// The existing ones among these, in this order.
    package func find(_ ids: [ID<Entry>]) async throws -> [EntryRow] {
        try await connection.rows(
            "\(Self.lines) join unnest(\(ids)::uuid[]) with ordinality u (id, position) on u.id = e.id order by u.position",
            EntryRow.init)
    }

    /// The content types of these entries. PostgreSQL must not see how many there are: it would plan the statement each time, which
    /// takes longer than running it.
    package func types(of ids: [ID<Entry>]) async throws -> [(ID<Entry>, String)] {
        try await connection.rows(
            "select e.id, e.type from curation.entry e where e.id = any(array(select unnest(\(ids)::uuid[])))"
        ) { (try $0("id"), try $0("type")) }
    }

    package func find(type: String, slug: String) async throws -> ID<Entry>? {
        try await connection.first(
            """
            select s.entry_id from curation.slug s join curation.entry e on e.id = s.entry_id
            where e.type = \(type) and s.slug = \(NormalForm.composed(slug))
            """
        ) { try $0("entry_id") }
    }

    /// One page, newest entry first, by keyset on the id (which sorts by age).
    package func page(_ filter: EntryFilter, cursor: String?, limit: Int) async throws -> Page<EntryRow> {
        var condition = Self.condition(filter)
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 1)
            condition += " and e.id < \(try position.uuid(0))"
        }
        let end: SQL = "where true\(condition) order by e.id desc limit \(limit + 1)"
        let statement: SQL =
            filter.query.map { "\(Self.matches($0, end)) \(Self.lines) join matches f on f.id = e.id \(end)" }
            ?? "\(Self.lines) \(end)"
        let rows = try await connection.rows(statement, EntryRow.init)
        return Page(rows: rows, limit: limit) { Cursor([$0.id.description]) }
    }

    /// How many match; stops counting at `limit` + 1.
    package func count(_ filter: EntryFilter, limit: Int) async throws -> Int {
        try await connection.first("select count(*) as n from (\(Self.ids(filter, limit: limit + 1))) x") {
            try $0("n")
        } ?? 0
    }

    /// The ids of the entries that match, newest first.
    static func ids(_ filter: EntryFilter, limit: Int) -> SQL {
        let end: SQL = "where true\(condition(filter)) order by e.id desc limit \(limit)"
        let revision: SQL = filter.state == "draft" ? " cross join lateral (\(Self.newest)) n" : ""
        let entries: SQL = "select e.id from curation.entry e\(revision)"
        return filter.query.map { "\(matches($0, end)) \(entries) join matches f on f.id = e.id \(end)" }
            ?? "\(entries) \(end)"
    }

    /// Continues a condition on an entry `e` and its newest revision `n`.
    private static func condition(_ filter: EntryFilter) -> SQL {
        var condition: SQL = AccessScope.current.isAll ? "" : " and \(AccessScope.current.entry("e"))"
        if let type = filter.type { condition += " and e.type = \(type)" }
        if !filter.withoutKinds.isEmpty {
            condition += " and e.kind <> all(\(filter.withoutKinds.map(\.rawValue).sorted())::text[])"
        }
        if let query = filter.query {
            condition += """
                 and exists (select from curation.entry_search x where x.entry_id = e.id and \(matches("x", query)))
                """
        }
        switch filter.state {
        case "live": condition += " and exists (select from curation.live l where l.entry_id = e.id)"
        case "ready": condition += " and exists (select from curation.ready y where y.entry_id = e.id)"
        case "draft":
            condition += " and not exists (select from curation.publish_approval a where a.revision_id = n.id)"
        case "broken_stream": condition += " and e.id in (\(PlaylistStore.broken))"
        default: break
        }
        return condition
    }

    /// Up to this many hits are looked up one by one; a term with more is soon found by scanning the entries in order.
    private static let maxHits = 10_000

    /// The candidates of a search: matching entries, by the index, or the page's own entries.
    private static func matches(_ query: String, _ end: SQL) -> SQL {
        """
        with hits as materialized (
            select x.entry_id from curation.entry_search x where \(matches("x", query)) limit \(maxHits + 1)),
        few as materialized (select count(*) <= \(maxHits) as are from hits),
        matches as (
            (select h.entry_id as id from hits h where (select are from few))
            union all
            (select id from (
                select e.id from curation.entry e cross join lateral (\(newest)) n
                \(end)) w where not (select are from few)))
        """
    }

    /// A condition on a row of `curation.entry_search`.
    private static func matches(_ row: SQL, _ query: String) -> SQL {
        "\(row).terms @@ (select api_v1.parse_query(\(query)))"
    }

    /// All entries of a kind of which teams write few (feeds, categories, texts, settings), each in the revision that pages show;
    /// at most `limit`, if there is one. Approvals find requested categories among these, so that none may be left out.
    package func choices(_ kind: ContentType.Kind, limit: Int? = nil) async throws -> [EntryChoice] {
        try await connection.rows(
            """
            select e.id, e.type, coalesce(n.content ->> 'title', '') as title, n.content ->> 'slug' as slug, n.content,
                exists (select from curation.live l where l.entry_id = e.id) as is_live,
                e.kind = 'category' and curation.is_archived(e.id) as is_archived,
                exists (select from curation.live l where l.revision_id = n.id) as is_current
            from curation.entry e
            cross join lateral (\(Self.shown)) n
            where e.kind = \(kind.rawValue)\(kind == .item ? .empty : " and e.kind <> 'item'")
            order by coalesce((n.content ->> 'position')::integer, 0), lower(n.content ->> 'title'), e.id limit \(limit)
            """, EntryChoice.init)
    }

    /// The titles of these entries in the revisions that pages show.
    package func titles(of ids: [ID<Entry>]) async throws -> [ID<Entry>: String] {
        if ids.isEmpty { return [:] }
        let rows = try await connection.rows(
            """
            select e.id, coalesce(n.content ->> 'title', '') as title
            from curation.entry e cross join lateral (\(Self.shown)) n
            where e.id = any(\(ids)::uuid[])
            """
        ) { (try $0("id") as ID<Entry>, try $0("title") as String) }
        return Dictionary(rows) { first, _ in first }
    }

    /// The archived and the merged ones among these categories; outside the access scope of the page without their titles.
    /// PostgreSQL must not see how many there are: it would plan the statement each time, which takes longer than running it.
    package func unassignableCategories(
        among ids: [ID<Entry>]
    ) async throws -> [(id: ID<Entry>, title: String, isArchived: Bool)] {
        try await connection.rows(
            """
            with argument as materialized (select \(ids)::uuid[] as ids)
            select e.id, coalesce(n.content ->> 'title', '') as title, a.is_archived
            from curation.entry e left join lateral (\(Self.shown)) n on true
            cross join lateral (select curation.is_archived(e.id) as is_archived) a
            where e.id in (select unnest(a.ids) from argument a) and e.kind = 'category'
                and (a.is_archived or n.content -> 'merged_into' is not null)
            order by e.id
            """
        ) { (id: try $0("id"), title: try $0("title"), isArchived: try $0("is_archived")) }
    }

    /// How many live entries reference each of the given ones by a counted field.
    package func memberCounts(_ field: String, of ids: [ID<Entry>]) async throws -> [ID<Entry>: Int] {
        let rows = try await connection.rows(
            """
            select target_entry_id as id, sum(n)::bigint as n from curation.member_count
            where field = \(field) and target_entry_id = any(\(ids)::uuid[]) group by 1
            """
        ) { (try $0("id") as ID<Entry>, try $0("n") as Int) }
        return Dictionary(rows) { first, _ in first }
    }

    /// How many live items each of these feeds contains; for a feed that is not live, how many reference it.
    package func feedSizes(_ ids: [ID<Entry>]) async throws -> [ID<Entry>: Int] {
        let rows = try await connection.rows(
            """
            select u.id, coalesce(f.item_count, (
                select sum(t.n)::bigint from curation.member_count t where t.field = 'feeds' and t.target_entry_id = u.id), 0) as n
            from unnest(\(ids)::uuid[]) u (id) left join api_v1.feed f on f.id = u.id
            """
        ) { (try $0("id") as ID<Entry>, try $0("n") as Int) }
        return Dictionary(rows) { first, _ in first }
    }

    /// The first items of a live feed as readers see them, each with its rank (pinned items have the lowest).
    package func topItems(inFeed feed: ID<Entry>, limit: Int) async throws -> [(
        id: ID<Entry>, title: String, rank: Int
    )] {
        try await connection.rows(
            """
            select i.id, i.title, f.rank from api_v1.feed_item f join api_v1.item i on i.id = f.item_id
            where f.feed_id = \(feed) order by f.rank, f.age, f.item_id limit \(limit)
            """
        ) { (id: try $0("id"), title: try $0("title"), rank: try $0("rank")) }
    }

    /// The feeds in which readers find an item: the first title of the alphabet, and how many there are. Nil for none.
    package func liveFeeds(of item: ID<Entry>) async throws -> (first: String, count: Int)? {
        try await connection.first(
            """
            select f.title, count(*) over () as n from api_v1.feed f
            cross join lateral (
                select from api_v1.feed_item m where m.feed_id = f.id and m.item_id = \(item) limit 1) m
            order by f.title, f.id limit 1
            """
        ) { (first: try $0("title"), count: try $0("n")) }
    }

    /// Whether all of the feeds publish on approval (setting "live on approval"). PostgreSQL must not see how many there are.
    package func publishOnApproval(_ feeds: [ID<Entry>]) async throws -> Bool {
        try await connection.first(
            """
            select coalesce(bool_and(coalesce((n.content ->> 'publish_on_approval')::boolean, true)), false) as live
            from unnest(array(select unnest(\(feeds)::uuid[]))) f (id)
            cross join lateral (
                select content from curation.revision r where r.entry_id = f.id order by r.number desc limit 1) n
            """
        ) { try $0("live") } ?? false
    }

    // MARK: Changes

    /// Creates an entry; its first revision is added separately.
    func add(type: ContentType, submission: ID<Submission>?, by author: Actor) async throws -> ID<Entry> {
        try await connection.rows(
            """
            insert into curation.entry (type, kind, submission_id, created_by)
            values (\(type.name), \(type.kind.rawValue), \(submission)::uuid, \(author.rowID)) returning id
            """
        ) { try $0("id") }[0]
    }

    /// The first of these slugs that belongs to no entry of the kind; nil if all do.
    package func firstFree(of slugs: [String], kind: ContentType.Kind) async throws -> String? {
        let taken: [String] = try await connection.rows(
            "select slug from curation.slug where kind = \(kind.rawValue) and slug = any(\(slugs)::text[])"
        ) { try $0("slug") }
        return slugs.first { !taken.contains($0) }
    }

    /// Reserves `slug` for the entry permanently; false when it belongs to another entry of the kind.
    func reserve(slug: String, kind: ContentType.Kind, for entry: ID<Entry>) async throws -> Bool {
        try await connection.first(
            """
            with reserved as (
                insert into curation.slug (kind, slug, entry_id) values (\(kind.rawValue), \(slug), \(entry))
                on conflict (kind, slug) do nothing returning entry_id)
            select entry_id from reserved
            union all select entry_id from curation.slug where kind = \(kind.rawValue) and slug = \(slug)
            limit 1
            """
        ) { try $0("entry_id") as ID<Entry> == entry } ?? false
    }
}
