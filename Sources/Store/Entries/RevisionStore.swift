// Immutable revisions of entries, and their approvals.
import Domain
import FoundationEssentials
import Postgres

package struct RevisionRow: Sendable {
    package let id: ID<Revision>
    package let entry: ID<Entry>
    package let number: Int
    package let stored: StoredFields
    package let author: String
    package let note: String
    package let createdAt: Date
    package let isApproved: Bool
    package let isLive: Bool

    package var content: Content { Content(fields: stored.values) }

    init(row: Row) throws {
        id = try row("id")
        entry = try row("entry_id")
        number = try row("number")
        stored = try row("content")
        author = try row("author")
        note = try row("note")
        createdAt = try row("created_at")
        isApproved = try row("is_approved")
        isLive = try row("is_live")
    }
}

/// A revision to be written.
package struct NewRevision: Sendable {
    package let entry: ID<Entry>
    package let number: Int
    package let content: Content
    let texts: DerivedTexts
    let note: String
}

package struct RevisionStore: Sendable {
    let connection: StoreConnection

    private static let lines: SQL = """
        select r.id, r.entry_id, r.number, r.content, a.name as author, r.note, r.created_at,
            exists (select from curation.publish_approval p where p.revision_id = r.id) as is_approved,
            exists (select from curation.live l where l.revision_id = r.id) as is_live
        from curation.revision r join ops.actor a on a.id = r.author_id
        """

    package func newest(of entry: ID<Entry>) async throws -> RevisionRow? {
        try await connection.first(
            "\(Self.lines) where r.entry_id = \(entry) order by r.number desc limit 1", RevisionRow.init)
    }

    /// The newest revision of each of these entries.
    package func newest(of entries: [ID<Entry>]) async throws -> [RevisionRow] {
        try await connection.rows(
            """
            \(Self.lines) where r.id in (
                select n.id from unnest(\(entries)::uuid[]) e (id)
                cross join lateral (
                    select n.id from curation.revision n where n.entry_id = e.id order by n.number desc limit 1) n)
            """, RevisionRow.init)
    }

    package func find(_ entry: ID<Entry>, number: Int) async throws -> RevisionRow? {
        try await connection.first(
            "\(Self.lines) where r.entry_id = \(entry) and r.number = \(number)", RevisionRow.init)
    }

    package func live(of entry: ID<Entry>) async throws -> RevisionRow? {
        try await connection.first(
            """
            \(Self.lines) where r.id = (select revision_id from curation.live where entry_id = \(entry))
            """, RevisionRow.init)
    }

    /// The revisions of an entry, newest first.
    package func history(of entry: ID<Entry>, limit: Int = 200) async throws -> [RevisionRow] {
        try await connection.rows(
            "\(Self.lines) where r.entry_id = \(entry) order by r.number desc limit \(limit)", RevisionRow.init)
    }

    // MARK: Changes

    /// Writes a revision with its references. `revision_once` rejects a number that is in use.
    func add(_ new: NewRevision, type: ContentType, by author: UUID) async throws -> ID<Revision> {
        let content = new.content.canonicalText
        let id: ID<Revision>? = try await connection.first(
            """
            insert into curation.revision (entry_id, number, content, preview, plain, html, content_hash, author_id, note)
            values (\(new.entry), \(new.number), \(content)::text::jsonb, \(JSONValue.object(new.content.preview(in: type))),
                \(new.texts.plain), \(new.texts.storedHTML)::text::jsonb, sha256(convert_to(\(content), 'UTF8')), \(author), \(new.note)) returning id
            """
        ) { try $0("id") }
        guard let id else { throw Failure.missing("revision") }
        let uses = new.content.imageUses(of: type).map { (revision: id, use: $0) }
        try await MediaStore(connection: connection).addUses(uses)
        for added in connection.packs.all.compactMap(\.revisionAdded) { try await added(connection, new, type, id) }
        if new.number > 1, !type.undeclared(in: new.content.fields).isEmpty {
            try await keepReferences(of: [id], type)
        }
        let references = new.content.references(of: type)
        guard !references.isEmpty else { return id }
        try await connection.run(
            """
            insert into curation.reference (revision_id, field, position, target_entry_id, counted, within_entry_id)
            select \(id)::uuid, * from unnest(\(references.map(\.field))::text[],
                \(references.map { $0.position + 1 })::integer[], \(references.map(\.id))::uuid[],
                \(references.map(\.counted))::boolean[],
                \(references.map { new.content.within($0.field, of: type) })::uuid[])
            """)
        return id
    }

    /// Gives revisions their references in fields that the type doesn't have: those of the latest revision before with
    /// the same value. Nothing else says what such a value references.
    func keepReferences(of revisions: [ID<Revision>], _ type: ContentType) async throws {
        try await connection.run(
            """
            insert into curation.reference (revision_id, field, position, target_entry_id, counted, within_entry_id)
            select r.id, f.field, f.position, f.target_entry_id, f.counted, f.within_entry_id
            from curation.revision r
            cross join lateral jsonb_object_keys(r.content) k (name)
            cross join lateral (
                select o.id from curation.revision o
                where o.entry_id = r.entry_id and o.number < r.number and o.content -> k.name = r.content -> k.name
                order by o.number desc limit 1) o
            join curation.reference f on f.revision_id = o.id and split_part(f.field, '.', 1) = k.name
            where r.id = any(\(revisions)::uuid[]) and k.name <> all(\(type.fields.map(\.name))::text[])
            """)
    }

    /// Records the actor's approval of revisions; returns the ones that the actor had not approved before.
    package func addApproval(to revisions: [ID<Revision>], stage: Int = 1, by actor: Actor) async throws -> Set<
        ID<Revision>
    > {
        Set(
            try await connection.rows(
                """
                insert into curation.approval (revision_id, stage, actor_id, actor_role)
                select u.id, \(stage), \(actor.rowID), \(actor.role?.name ?? actor.kind.rawValue)
                from unnest(\(revisions)::uuid[]) u (id)
                on conflict do nothing returning revision_id
                """
            ) { try $0("revision_id") as ID<Revision> })
    }

    /// Makes those of these revisions publishable, once, that have as many approvals as their content types require;
    /// returns them.
    package func approve(_ revisions: [ID<Revision>]) async throws -> Set<ID<Revision>> {
        Set(
            try await connection.rows(
                """
                with enough as materialized (
                    select r.id, r.entry_id
                    from unnest(\(revisions)::uuid[]) u (id)
                    cross join lateral curation.approvals_of(u.id) a
                    join curation.revision r on r.id = u.id
                    where a.approved >= a.required),
                added as (
                    insert into curation.publish_approval (revision_id, entry_id)
                    select e.id, e.entry_id from enough e order by e.id
                    on conflict (revision_id) do nothing)
                select e.id from enough e
                """
            ) { try $0("id") as ID<Revision> })
    }

    /// Gives each of these revisions the approvals of an earlier one that shows readers the same content, with their
    /// people and times: it becomes publishable, and no date of the entry changes.
    package func copyApprovals(_ pairs: [(earlier: ID<Revision>, later: ID<Revision>)]) async throws {
        let (earlier, later) = (pairs.map(\.earlier), pairs.map(\.later))
        try await connection.run(
            """
            insert into curation.approval (revision_id, stage, actor_id, actor_role, approved_at)
            select u.later, a.stage, a.actor_id, a.actor_role, a.approved_at
            from unnest(\(earlier)::uuid[], \(later)::uuid[]) u (earlier, later)
            join curation.approval a on a.revision_id = u.earlier
            """)
        try await connection.run(
            """
            insert into curation.publish_approval (revision_id, entry_id, approved_at)
            select u.later, p.entry_id, p.approved_at
            from unnest(\(earlier)::uuid[], \(later)::uuid[]) u (earlier, later)
            join curation.publish_approval p on p.revision_id = u.earlier
            """)
    }

    /// Removes entries from the scope of `publish now`, because their approval was undone.
    package func removeFromReady(_ entries: [ID<Entry>]) async throws {
        try await connection.run("delete from curation.ready where entry_id = any(\(entries)::uuid[])")
    }
}
