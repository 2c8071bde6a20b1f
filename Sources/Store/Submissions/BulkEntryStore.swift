// The entries of bulk actions: planned with their state, compared with it when the action runs, and with what it left behind
// when it is undone.
import Domain
import FoundationEssentials
import Postgres

/// An entry of a bulk action that is still to be changed, as it is now.
package struct BulkEntry: Sendable {
    package let id: ID<Entry>
    package let type: String
    package let title: String
    /// The newest revision.
    package let newest: WrittenRevision
    /// The newest approved revision and the published one.
    package let approved: ID<Revision>?
    package let live: ID<Revision>?
    /// Whether newest, approved and published revision are those of the plan.
    package let isAsPlanned: Bool

    init(row: Row) throws {
        id = try row("id")
        type = try row("type")
        title = try row("title")
        newest = WrittenRevision(entry: id, revision: try row("newest"), number: try row("number"))
        approved = try row("approved")
        live = try row("live")
        isAsPlanned = try row("is_as_planned")
    }

    package var isApproved: Bool { approved == newest.revision }
}

/// An entry that a bulk action changed, as it was before, as the action left it and as it is now.
package struct ChangedBulkEntry: Sendable {
    package let id: ID<Entry>
    package let type: String
    /// The number of the newest revision before.
    package let version: Int
    /// The published revision before.
    package let liveBefore: ID<Revision>?
    /// The categories before.
    package let categories: [ID<Entry>]
    /// Whether the bulk action published or unpublished it, and the revision that it published.
    package let wasPublished: Bool
    package let published: ID<Revision>?
    package let newest: Int
    package let live: ID<Revision>?
    /// Whether an open or scheduled release contains it.
    package let isInRelease: Bool
    /// Whether the release of the bulk action still has the item that it added.
    package let isStillAdded: Bool

    init(row: Row) throws {
        id = try row("id")
        type = try row("type")
        version = try row("version")
        liveBefore = try row("live_before")
        categories = ((try row("categories") as JSONValue?)?.arrayValue ?? []).compactMap {
            $0.stringValue.flatMap { ID($0) }
        }
        wasPublished = try row("was_published")
        published = try row("published")
        newest = try row("newest")
        live = try row("live")
        isInRelease = try row("is_in_release")
        isStillAdded = try row("is_still_added")
    }
}

package struct BulkEntryStore: Sendable {
    let connection: StoreConnection

    /// The newest approved revision of the entry `e`.
    private static let approved: SQL = """
        select r.id, r.number from curation.revision r
        where r.entry_id = e.id and exists (select from curation.publish_approval a where a.revision_id = r.id)
        order by r.number desc limit 1
        """

    // MARK: Planning

    /// Creates a plan for these entries, omitting any that don't exist.
    package func plan(
        _ action: BulkActionKind, for ids: [ID<Entry>], query: String, by actor: Actor
    ) async throws -> ID<BulkAction> {
        try await plan(action, query, "select distinct u.id from unnest(\(ids)::uuid[]) u (id)", actor)
    }

    /// Creates a plan for everything that matches, newest first, up to the size limit.
    package func plan(
        _ action: BulkActionKind, for filter: EntryFilter, query: String, by actor: Actor
    ) async throws -> ID<BulkAction> {
        try await plan(action, query, EntryStore.ids(filter, limit: BulkActionKind.limit), actor)
    }

    private func plan(
        _ action: BulkActionKind, _ query: String, _ selection: SQL, _ actor: Actor
    ) async throws -> ID<BulkAction> {
        let id = try await BulkActionStore(connection: connection).add(action, on: .entry, query: query, by: actor)
        _ = try await connection.longRows(
            """
            insert into curation.bulk_action_item (bulk_action_id, entry_id, position, version, before)
            select \(id)::uuid, e.id, row_number() over (order by e.id desc), n.number, jsonb_strip_nulls(jsonb_build_object(
                'approved', a.id, 'approved_number', a.number, 'live', v.id, 'live_number', v.number, 'ready', y.revision_id,
                'categories', n.content -> 'categories'))
            from (\(selection)) c
            join curation.entry e on e.id = c.id
            cross join lateral (
                select r.number, r.content from curation.revision r where r.entry_id = e.id order by r.number desc limit 1) n
            left join lateral (\(Self.approved)) a on true
            left join curation.live l on l.entry_id = e.id
            left join curation.revision v on v.id = l.revision_id
            left join curation.ready y on y.entry_id = e.id
            """
        ) { _ in }
        return id
    }

    /// Records for entries of a plan that they will be skipped, or a remark.
    package func annotate(_ results: [BulkActionResult], in id: ID<BulkAction>) async throws {
        try await connection.run(
            """
            update curation.bulk_action_item b set result = case when u.is_skipped then 'skipped' end, reason = left(u.reason, 500)
            from unnest(\(results.map(\.id))::uuid[], \(results.map(\.isSkipped))::boolean[], \(results.map(\.reason))::text[])
                u (id, is_skipped, reason)
            where b.bulk_action_id = \(id) and b.entry_id = u.id
            """)
    }

    /// The categories of the planned entries. Other ones can't be removed from them.
    package func categories(of id: ID<BulkAction>) async throws -> Set<ID<Entry>> {
        let ids = try await connection.rows(
            """
            select distinct c.id from curation.bulk_action_item i
            cross join lateral jsonb_array_elements_text(
                case jsonb_typeof(i.before -> 'categories') when 'array' then i.before -> 'categories' end) c (id)
            where i.bulk_action_id = \(id) and \(AccessScope.current.bulkActionItem("i")) and i.result is null
            """
        ) { try $0("id") as String }
        return Set(ids.compactMap { ID<Entry>($0) })
    }

    // MARK: Running

    /// The entries to run it on, by their ids.
    package func planned(_ id: ID<BulkAction>) async throws -> [BulkEntry] {
        try await connection.longRows(
            """
            select e.id, e.type, coalesce(n.content ->> 'title', '') as title, n.id as newest, n.number, a.id as approved,
                l.revision_id as live, n.number = i.version and i.before ->> 'approved' is not distinct from a.id::text
                    and i.before ->> 'live' is not distinct from l.revision_id::text as is_as_planned
            from curation.bulk_action_item i join curation.entry e on e.id = i.entry_id
            cross join lateral (
                select r.id, r.number, r.content from curation.revision r
                where r.entry_id = e.id order by r.number desc limit 1) n
            left join lateral (\(Self.approved)) a on true
            left join curation.live l on l.entry_id = e.id
            where i.bulk_action_id = \(id) and i.result is null order by e.id
            """, BulkEntry.init)
    }

    /// Keeps which items of a release the bulk action is about to replace, and returns the entries that the release
    /// contains with their newest revision already.
    package func keepItems(
        of release: ID<Release>, for entries: [ID<Entry>], in id: ID<BulkAction>
    ) async throws -> Set<ID<Entry>> {
        let rows = try await connection.rows(
            """
            update curation.bulk_action_item b
            set before = b.before || jsonb_build_object('item', jsonb_build_object(
                'revision', i.revision_id, 'base', i.base_revision, 'confirmed', i.confirmed_revision))
            from curation.release_item i
            left join curation.revision r on r.id = i.revision_id
            where b.bulk_action_id = \(id) and b.entry_id = any(\(entries)::uuid[]) and i.entry_id = b.entry_id
              and i.release_id = \(release)
            returning b.entry_id, coalesce(r.number = b.version, false) as is_contained
            """
        ) { (try $0("entry_id") as ID<Entry>, try $0("is_contained") as Bool) }
        return Set(rows.filter(\.1).map(\.0))
    }

    // MARK: Undoing

    /// The entries that a bulk action changed, by their ids.
    package func changed(_ id: ID<BulkAction>) async throws -> [ChangedBulkEntry] {
        try await connection.longRows(
            """
            select e.id, e.type, i.version, (i.before ->> 'live')::uuid as live_before, i.before -> 'categories' as categories,
                c.entry_id is not null as was_published, c.new_revision as published, n.number as newest, l.revision_id as live,
                exists (
                    select from curation.release_item x join curation.release r on r.id = x.release_id
                    where x.entry_id = e.id and r.state in ('open', 'scheduled')) as is_in_release,
                exists (
                    select from curation.release r join curation.release_item x on x.release_id = r.id
                    join curation.revision v on v.id = x.revision_id
                    where r.number = b.release and x.entry_id = e.id and v.number = i.version) as is_still_added
            from curation.bulk_action b join curation.bulk_action_item i on i.bulk_action_id = b.id
            join curation.entry e on e.id = i.entry_id
            cross join lateral (
                select r.number from curation.revision r where r.entry_id = e.id order by r.number desc limit 1) n
            left join curation.publication_change c on c.publication = b.publication and c.entry_id = e.id
            left join curation.live l on l.entry_id = e.id
            where b.id = \(id) and i.result = 'done' order by e.id
            """, ChangedBulkEntry.init)
    }

    /// Withdraws the approvals that the bulk action gave.
    package func withdrawApprovals(of entries: [ID<Entry>], in id: ID<BulkAction>) async throws {
        try await connection.run("select curation.withdraw_approvals(\(id), \(entries)::uuid[])")
    }

    /// Makes the revisions that awaited publication before the bulk action await it again.
    package func restoreReady(_ entries: [ID<Entry>], in id: ID<BulkAction>) async throws {
        try await connection.run("select curation.restore_ready(\(id), \(entries)::uuid[])")
    }

    /// Removes what the bulk action added to a release, and restores the items that it replaced.
    package func restoreItems(
        of release: ID<Release>, for entries: [ID<Entry>], in id: ID<BulkAction>
    ) async throws {
        try await connection.run(
            """
            delete from curation.release_item x using curation.bulk_action_item i
            where i.bulk_action_id = \(id) and i.entry_id = any(\(entries)::uuid[]) and not coalesce(i.before ? 'item', false)
              and x.release_id = \(release) and x.entry_id = i.entry_id
            """)
        try await connection.run(
            """
            update curation.release_item x set revision_id = (i.before #>> '{item,revision}')::uuid,
                base_revision = (i.before #>> '{item,base}')::uuid,
                confirmed_revision = (i.before #>> '{item,confirmed}')::uuid
            from curation.bulk_action_item i
            where i.bulk_action_id = \(id) and i.entry_id = any(\(entries)::uuid[]) and i.before ? 'item'
              and x.release_id = \(release) and x.entry_id = i.entry_id
            """)
    }
}
