// Publications: what the one function in the database did, would do, and whether the read tables are right.
import Domain
import FoundationEssentials
import Postgres

package struct PublicationRow: Sendable {
    package let number: Int64
    package let publishedAt: Date
    package let actor: String
    package let note: String
    package let release: Int64?
    package let inserted: Int
    package let updated: Int
    package let deleted: Int
    package let tookMilliseconds: Int
    package let lateMilliseconds: Int?

    init(row: Row) throws {
        number = try row("number")
        publishedAt = try row("published_at")
        actor = try row("actor")
        note = try row("note")
        release = try row("release")
        inserted = try row("inserted")
        updated = try row("updated")
        deleted = try row("deleted")
        tookMilliseconds = try row("took_ms")
        lateMilliseconds = try row("late_ms")
    }
}

/// One row that a publication would write: the whole row before and after, as JSON objects.
package struct RowDifference: Sendable, Encodable {
    package let table: String
    package let key: String
    package let operation: String
    package let before: JSONValue?
    package let after: JSONValue?
}

/// One entry that is to show a revision, or (nil) to be withdrawn.
package struct LiveChange: Sendable {
    package let entry: ID<Entry>
    package let revision: ID<Revision>?

    package init(entry: ID<Entry>, revision: ID<Revision>?) {
        self.entry = entry
        self.revision = revision
    }
}

/// What became of one due release.
package struct DueRelease: Sendable, Encodable {
    package let number: Int64
    package let publication: Int64?
    package let failure: String?
    package let lateMilliseconds: Int
}

package struct PublicationStore: Sendable {
    let connection: StoreConnection

    /// The number of the newest publication, 0 before the first.
    package func current() async throws -> Int64 {
        try await connection.first("select number from curation.publication_counter") { try $0("number") } ?? 0
    }

    /// The log, newest first.
    package func page(cursor: String?, limit: Int) async throws -> Page<PublicationRow> {
        let below = try cursor.map { try Cursor(parsing: $0, count: 1).integer(0) } ?? Int64.max
        let rows = try await connection.rows(
            """
            select p.number, p.published_at, a.name as actor, p.note, r.number as release, p.inserted, p.updated, p.deleted,
                p.took_ms, (extract(epoch from p.published_at - r.due_at) * 1000)::bigint as late_ms
            from curation.publication p join ops.actor a on a.id = p.actor_id
            left join curation.release r on r.id = p.release_id
            where p.number < \(below) order by p.number desc limit \(limit + 1)
            """, PublicationRow.init)
        return Page(rows: rows, limit: limit) { Cursor([String($0.number)]) }
    }

    /// What `publish now` would publish: approved, not yet published, not held by a release.
    package func ready() async throws -> [LiveChange] {
        try await connection.rows(
            """
            select y.entry_id, y.revision_id from curation.ready y
            where not exists (
                select from curation.release_item i join curation.release r on r.id = i.release_id
                where i.entry_id = y.entry_id and r.state in ('open', 'scheduled'))
            order by y.entry_id
            """
        ) { LiveChange(entry: try $0("entry_id"), revision: try $0("revision_id")) }
    }

    /// The exact rows that publishing these changes would insert, update and delete; leaves nothing behind.
    package func plan(_ changes: [LiveChange]) async throws -> [RowDifference] {
        try await connection.longRows(
            """
            select read_table, key, operation, before, after
            from curation.plan(\(changes.map(\.entry))::uuid[], \(changes.map(\.revision))::uuid[])
            order by read_table, operation, key
            """
        ) { row in
            RowDifference(
                table: try row("read_table"), key: try row("key"), operation: try row("operation"),
                before: try row("before"), after: try row("after"))
        }
    }

    /// Every row in which the read tables differ from what the live set says.
    package func verify() async throws -> [RowDifference] {
        try await connection.longRows("select read_table, key, operation from curation.verify()") { row in
            RowDifference(
                table: try row("read_table"), key: try row("key"), operation: try row("operation"), before: nil,
                after: nil)
        }
    }

    // MARK: Changes

    /// Publishes the changes in one publication: its number, or nil when the live set already is so.
    package func publish(
        _ changes: [LiveChange], release: ID<Release>? = nil, note: String, by actor: Actor
    ) async throws -> Int64? {
        try await connection.longFirst(
            """
            select curation.publish(\(changes.map(\.entry))::uuid[], \(changes.map(\.revision))::uuid[], \(actor.rowID),
                \(release)::uuid, \(note)) as number
            """
        ) { try $0("number") as Int64? } ?? nil
    }

    /// Applies what verify names, in one publication: its number, or nil when nothing differed.
    package func rebuild(note: String, by actor: Actor) async throws -> Int64? {
        try await connection.longFirst("select curation.rebuild(\(actor.rowID), \(note)) as number") {
            try $0("number") as Int64?
        } ?? nil
    }

    /// Publishes at most `limit` due releases, earliest first.
    package func publishDue(limit: Int, by actor: Actor) async throws -> [DueRelease] {
        try await connection.longRows(
            "select release_number, publication, failure, late_ms from curation.publish_due(\(actor.rowID), \(limit))"
        ) { row in
            DueRelease(
                number: try row("release_number"), publication: try row("publication"), failure: try row("failure"),
                lateMilliseconds: try row("late_ms"))
        }
    }
}
