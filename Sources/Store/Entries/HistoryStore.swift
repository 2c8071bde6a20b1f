// What happened to an entry, in one order: versions, approvals, publications, releases, decisions, notes.
import Domain
import FoundationEssentials
import Postgres

package struct HistoryRow: Sendable {
    package enum Kind: String, Sendable {
        case revision, approval, publication, release, decision, note
        /// Any other audit event about the entry.
        case event
    }

    package let kind: Kind
    package let happenedAt: Date
    package let actor: String
    /// Of a revision or approval the number of the revision; of a publication or release its number.
    package let number: Int?
    /// Of a publication the revision that it published; nil if it unpublished the entry.
    package let revision: Int?
    /// The note of a revision or publication, the text of a note, the message of a decision.
    package let text: String
    /// The verdict of a decision, the state of a release, the action of an event.
    package let state: String
    /// Of a revision the names of the fields that differ from the previous one.
    package let fields: [String]
    package let isApproved: Bool
    package let isLive: Bool
    package let mentioned: [String]
    /// Where it is in the order: the time as text, and a key.
    fileprivate let position: [String]

    init(row: Row) throws {
        kind = Kind(rawValue: try row("kind")) ?? .event
        happenedAt = try row("at")
        actor = try row("actor")
        number = try row("number")
        revision = try row("revision")
        text = try row("text")
        state = try row("state")
        fields = try row("fields")
        isApproved = try row("is_approved")
        isLive = try row("is_live")
        mentioned = try row("mentioned")
        position = [try row("at_text"), try row("key")]
    }
}

package struct HistoryStore: Sendable {
    let connection: StoreConnection

    /// One page of the history of an entry, newest first. Each kind of event reads at most a page of rows; those of the
    /// submission that the entry was created from only if the page's access scope contains it.
    package func page(of entry: ID<Entry>, cursor: String?, limit: Int) async throws -> Page<HistoryRow> {
        var position: (at: String, key: String)?
        if let cursor {
            let values = try Cursor(parsing: cursor, count: 2).values
            guard Timestamp(values[0]) != nil else { throw Cursor.unreadable }
            position = (values[0], values[1])
        }
        let sources = Self.sources(of: entry).map { source in Self.limited(source, after: position, limit + 1) }
        let union: SQL = sources.dropFirst().reduce(sources[0]) { "\($0) union all \($1)" }
        let rows = try await connection.rows(
            """
            with found as (select * from (\(union)) x order by at desc, key desc limit \(limit + 1))
            select f.kind, f.at, to_char(f.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at_text, f.key,
                a.name as actor, f.number, f.revision, f.text, f.state,
                coalesce(d.fields, '{}') as fields,
                exists (select from curation.publish_approval p where p.revision_id = r.id) as is_approved,
                exists (select from curation.live l where l.revision_id = r.id) as is_live,
                case when n.id is null then '{}' else \(NoteStore.mentioned) end as mentioned
            from found f join ops.actor a on a.id = f.actor_id
            left join curation.revision r on f.kind = 'revision' and r.id = f.id
            left join curation.note n on f.kind = 'note' and n.id = f.id
            left join lateral (
                select array_agg(k) as fields from curation.revision p, jsonb_object_keys(r.content || p.content) k
                where p.entry_id = r.entry_id and p.number = r.number - 1
                    and r.content -> k is distinct from p.content -> k) d on true
            order by f.at desc, f.key desc
            """, HistoryRow.init)
        return Page(rows: rows, limit: limit) { Cursor($0.position) }
    }

    private struct Source {
        let kind: SQL
        /// The columns `at`, `key`, `id`, `actor_id`, `number`, `revision`, `text` and `state`, and the rows.
        let at: SQL
        let key: SQL
        let columns: SQL
        let rows: SQL
    }

    private static func limited(_ source: Source, after position: (at: String, key: String)?, _ limit: Int) -> SQL {
        let key: SQL = "'\(source.kind)/' || \(source.key)"
        var condition: SQL = ""
        if let position {
            condition = " and (\(source.at), \(key)) < (\(position.at)::timestamptz, \(position.key)::text)"
        }
        return """
            (select '\(source.kind)' as kind, \(source.at) as at, \(key) as key, \(source.columns)
            from \(source.rows)\(condition) order by \(source.at) desc, \(key) desc limit \(limit))
            """
    }

    private static func sources(of entry: ID<Entry>) -> [Source] {
        let submission: SQL = """
            s.id = (select e.submission_id from curation.entry e where e.id = \(entry)) and \(AccessScope.current.submission("s"))
            """
        return [
            Source(
                kind: "revision", at: "r.created_at", key: "r.id::text",
                columns: """
                    r.id as id, r.author_id as actor_id, r.number::bigint as number, null::integer as revision, r.note as text,
                        '' as state
                    """,
                rows: "curation.revision r where r.entry_id = \(entry)"),
            Source(
                kind: "approval", at: "c.approved_at", key: "c.revision_id || '/' || c.stage || '/' || c.actor_id",
                columns: "c.revision_id, c.actor_id, r.number::bigint, null::integer, '', ''",
                rows: """
                    curation.approval c join curation.revision r on r.id = c.revision_id where r.entry_id = \(entry)
                    """),
            Source(
                kind: "publication", at: "p.published_at", key: "lpad(p.number::text, 20, '0')",
                columns: "c.entry_id, coalesce(c.actor_id, p.actor_id), p.number, r.number, p.note, ''",
                rows: """
                    curation.publication_change c join curation.publication p on p.number = c.publication
                    left join curation.revision r on r.id = c.new_revision where c.entry_id = \(entry)
                    """),
            // What a release published is a publication.
            Source(
                kind: "release", at: "coalesce(l.finished_at, l.created_at)", key: "l.id::text",
                columns: "l.id, l.created_by, l.number, r.number, l.title, l.state",
                rows: """
                    curation.release_item i join curation.release l on l.id = i.release_id
                    left join curation.revision r on r.id = i.revision_id
                    where i.entry_id = \(entry) and l.state <> 'published'
                    """),
            Source(
                kind: "decision", at: "d.decided_at", key: "d.id::text",
                columns: "d.id, d.decided_by, null::bigint, null::integer, coalesce(d.message, ''), d.verdict",
                rows: "curation.decision d join curation.submission s on s.id = d.submission_id where \(submission)"),
            Source(
                kind: "note", at: "n.written_at", key: "n.id::text",
                columns: "n.id, n.author_id, null::bigint, null::integer, n.text, 'entry'",
                rows: "curation.note n where n.entry_id = \(entry)"),
            Source(
                kind: "note", at: "n.written_at", key: "n.id::text",
                columns: "n.id, n.author_id, null::bigint, null::integer, n.text, 'submission'",
                rows: "curation.note n join curation.submission s on s.id = n.submission_id where \(submission)"),
            // Those of the rows above are left out.
            Source(
                kind: "event", at: "v.happened_at", key: "v.id::text",
                columns: "null::uuid, v.actor_id, null::bigint, null::integer, '', v.action",
                rows: """
                    ops.audit_event v where v.object_type = 'entry' and v.object_id = \(entry.description)
                    and v.action not in ('entry.create', 'entry.update', 'entry.approve', 'entry.publish', 'entry.unpublish',
                        'entry.restore', 'note.create')
                    """),
        ]
    }
}
