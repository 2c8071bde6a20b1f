// Reads the items of releases with their issues, all computed on request and never stored.
import Domain
import FoundationEssentials
import Postgres

/// One entry in a release. Numbers are revision numbers.
package struct ReleaseItemRow: Sendable {
    package let entry: ID<Entry>
    package let type: String
    package let title: String
    /// The revision that the release publishes; nil to unpublish the entry.
    package let revision: Int?
    /// The live revision when the item was added.
    package let base: Int?
    package let live: Int?
    package let newest: Int
    package let isApproved: Bool
    /// Other open or scheduled releases that contain the entry.
    package let others: [Int64]
    private let changed: [String]
    /// Who wrote the entry: the contributor, or the author of its first revision.
    package let author: String
    package let wasPublished: Bool

    init(row: Row) throws {
        entry = try row("entry_id")
        type = try row("type")
        title = try row("title") as String? ?? ""
        revision = try row("revision")
        base = try row("base")
        live = try row("live")
        newest = try row("newest")
        isApproved = try row("is_approved")
        others = try row("others")
        changed = try row("changed")
        author = try row("author")
        wasPublished = try row("was_published")
    }

    /// The fields in which the revision differs from the live one, by name; empty without one of the two. Without the removed
    /// fields of the type, which readers never get.
    package func changed(in type: ContentType?) -> [String] {
        changed.filter { type?.removedFields.contains($0) != true }
    }

    /// Blocks publishing: this revision is not approved.
    package var isUnapproved: Bool { revision != nil && !isApproved }
    /// The entry was edited after it was added.
    package var isOutdated: Bool { revision.map { $0 < newest } ?? false }
    /// The live revision has changed since the item was added.
    package var hasMoved: Bool { base != live && revision != live }
    /// Readers have never seen the entry.
    package var isNew: Bool { revision != nil && !wasPublished }
    /// Another unfinished release contains the entry too.
    package var isContested: Bool { !others.isEmpty }
}

/// How many items of a release have each issue.
package struct ReleaseChecks: Sendable {
    package let items: Int
    package let unapproved: Int
    package let outdated: Int
    package let moved: Int
    /// Items whose entry is published in a newer version than the item's and than the one published when it was added.
    /// For an unpublishing, only the latter.
    package let newer: Int
    /// Items that would fail the release at its time: newer versions were published that nobody confirmed.
    package let unconfirmed: Int
    package let contested: Int
}

/// A scheduled change of one entry.
package struct UpcomingChange: Sendable {
    package let dueAt: Date
    package let localTime: String
    package let zone: String
    package let release: Int64
    package let entry: ID<Entry>
    package let title: String
    /// The version to publish; nil to unpublish.
    package let revision: Int?
    package let isLive: Bool

    init(row: Row) throws {
        dueAt = try row("due_at")
        localTime = try row("local_time")
        zone = try row("zone")
        release = try row("release")
        entry = try row("entry_id")
        title = try row("title") as String? ?? ""
        revision = try row("revision")
        isLive = try row("is_live")
    }

    package enum Kind: String, Sendable {
        case publish, update, unpublish
    }

    package var kind: Kind {
        revision == nil ? .unpublish : isLive ? .update : .publish
    }
}

package struct ReleaseItemStore: Sendable {
    let connection: StoreConnection

    private static let columns: SQL = """
        select i.entry_id, e.type, coalesce(s.content, n.content) ->> 'title' as title, s.number as revision,
            b.number as base, v.number as live, n.number as newest,
            exists (select from curation.publish_approval a where a.revision_id = i.revision_id) as is_approved,
            array(
                select r.number from curation.release_item o join curation.release r on r.id = o.release_id
                where o.entry_id = i.entry_id and o.release_id <> i.release_id and r.state in ('open', 'scheduled')
                order by r.number) as others,
            i.confirmed_revision = l.revision_id as is_confirmed
        """

    /// Compares the contents of two revisions, so only for a page of items.
    private static let comparison: SQL = """
        coalesce((
            select array_agg(k order by k) from jsonb_object_keys(s.content || v.content) k
            where s.content -> k is distinct from v.content -> k), '{}') as changed,
        exists (select from curation.publication_change c where c.entry_id = i.entry_id) as was_published,
        coalesce((select b.contributor from curation.submission b where b.id = e.submission_id), (
            select a.name from curation.revision f join ops.actor a on a.id = f.author_id
            where f.entry_id = e.id and f.number = 1), '') as author
        """

    private static let tables: SQL = """
        from curation.release_item i
        join curation.entry e on e.id = i.entry_id
        cross join lateral (
            select content, number from curation.revision where entry_id = i.entry_id order by number desc limit 1) n
        left join curation.revision s on s.id = i.revision_id
        left join curation.revision b on b.id = i.base_revision
        left join curation.live l on l.entry_id = i.entry_id
        left join curation.revision v on v.id = l.revision_id
        """

    private static let lines: SQL = "\(columns), \(comparison) \(tables)"

    /// The items of a release, in the order of their entry ids.
    package func page(of release: ID<Release>, cursor: String?, limit: Int) async throws -> Page<ReleaseItemRow> {
        let after: ID<Entry>? = try cursor.map { ID(try Cursor(parsing: $0, count: 1).uuid(0)) }
        let rows = try await connection.rows(
            """
            \(Self.lines) where i.release_id = \(release) and \(AccessScope.current.entry("e")) and (\(after)::uuid is null or i.entry_id > \(after)::uuid)
            order by i.entry_id limit \(limit + 1)
            """, ReleaseItemRow.init)
        return Page(rows: rows, limit: limit) { Cursor([$0.entry.description]) }
    }

    package func find(_ entry: ID<Entry>, in release: ID<Release>) async throws -> ReleaseItemRow? {
        try await connection.first(
            """
            \(Self.lines)
            where i.release_id = \(release) and i.entry_id = \(entry) and \(AccessScope.current.entry("e"))
            """, ReleaseItemRow.init)
    }

    /// The items of these entries in a release, in the order of their ids.
    package func find(_ entries: [ID<Entry>], in release: ID<Release>) async throws -> [ReleaseItemRow] {
        try await connection.rows(
            """
            \(Self.lines)
            where i.release_id = \(release) and i.entry_id = any(\(entries)::uuid[]) and \(AccessScope.current.entry("e"))
            order by i.entry_id
            """, ReleaseItemRow.init)
    }

    /// The next scheduled edits by entry, earliest first.
    package func upcoming(limit: Int) async throws -> [UpcomingChange] {
        try await connection.rows(
            """
            select r.due_at, to_char(r.local_time, 'YYYY-MM-DD HH24:MI') as local_time, r.zone, r.number as release, i.entry_id,
                coalesce(s.content, n.content) ->> 'title' as title, s.number as revision,
                exists (select from curation.live l where l.entry_id = i.entry_id) as is_live
            from (
                select id, number, due_at, local_time, zone from curation.release
                where state = 'scheduled' order by due_at, number limit \(limit)) r
            join curation.release_item i on i.release_id = r.id
            join curation.entry e on e.id = i.entry_id and \(AccessScope.current.entry("e"))
            cross join lateral (
                select content from curation.revision where entry_id = i.entry_id order by number desc limit 1) n
            left join curation.revision s on s.id = i.revision_id
            order by r.due_at, r.number, i.entry_id limit \(limit)
            """, UpcomingChange.init)
    }

    /// Counts over all items of a release.
    package func checks(of release: ID<Release>) async throws -> ReleaseChecks {
        let checks = try await connection.first(
            """
            select count(*) as items, count(*) filter (where revision is not null and not is_approved) as unapproved,
                count(*) filter (where revision < newest) as outdated,
                count(*) filter (where base is distinct from live and revision is distinct from live) as moved,
                count(*) filter (
                    where live > coalesce(revision, base, 0) and live is distinct from base) as newer,
                count(*) filter (
                    where live > revision and live is distinct from base and is_confirmed is not true) as unconfirmed,
                count(*) filter (where cardinality(others) > 0) as contested
            from (\(Self.columns) \(Self.tables)
                where i.release_id = \(release) and \(AccessScope.current.entry("e"))) x
            """
        ) {
            ReleaseChecks(
                items: try $0("items"), unapproved: try $0("unapproved"), outdated: try $0("outdated"),
                moved: try $0("moved"), newer: try $0("newer"), unconfirmed: try $0("unconfirmed"),
                contested: try $0("contested"))
        }
        return checks
            ?? ReleaseChecks(
                items: 0, unapproved: 0, outdated: 0, moved: 0, newer: 0, unconfirmed: 0, contested: 0)
    }
}
