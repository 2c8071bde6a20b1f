// Publications: plans, publishes, verifies and repairs the read tables, and lists past publications.
import Domain
import FoundationEssentials
import Postgres

package struct PublicationRow: Sendable {
    package let number: Int64
    package let publishedAt: Date
    /// All of them, if it publishes approvals of several people.
    package let actor: String
    package let note: String
    package let release: Int64?
    package let durationMilliseconds: Int
    package let delayMilliseconds: Int?

    init(row: Row) throws {
        number = try row("number")
        publishedAt = try row("published_at")
        actor = try row("actor")
        note = try row("note")
        release = try row("release")
        durationMilliseconds = try row("duration_ms")
        delayMilliseconds = try row("late_ms")
    }
}

/// The result of publishing one due release.
package struct DueRelease: Sendable, Encodable {
    package let number: Int64
    package let publication: Int64?
    package let failure: String?
    package let delayMilliseconds: Int
}

package struct PublicationStore: Sendable {
    let connection: StoreConnection

    private static let lines: SQL = """
        select p.number, p.published_at, coalesce((
                select string_agg(n.name, ', ' order by lower(n.name), n.id) from (
                    select distinct c.actor_id from curation.publication_change c
                    where c.publication = p.number and c.actor_id is not null) c
                join ops.actor n on n.id = c.actor_id), a.name) as actor, p.note,
            r.number as release, p.duration_ms, (extract(epoch from p.published_at - r.due_at) * 1000)::bigint as late_ms
        from curation.publication p join ops.actor a on a.id = p.actor_id
        left join curation.release r on r.id = p.release_id
        """

    /// The number of the newest publication; 0 before the first.
    package func current() async throws -> Int64 {
        try await connection.first("select number from curation.publication_counter") { try $0("number") } ?? 0
    }

    /// All publications, newest first.
    package func page(cursor: String?, limit: Int) async throws -> Page<PublicationRow> {
        let below = try cursor.map { try Cursor(parsing: $0, count: 1).integer(0) } ?? Int64.max
        let rows = try await connection.rows(
            """
            \(Self.lines) where p.number < \(below) and \(AccessScope.current.publication("p"))
            order by p.number desc limit \(limit + 1)
            """, PublicationRow.init)
        return Page(rows: rows, limit: limit) { Cursor([String($0.number)]) }
    }

    /// What `publish now` would publish: approved, not yet published, and in no open or scheduled release.
    package func ready() async throws -> [LiveChange] {
        try await connection.rows(
            """
            select y.entry_id, y.revision_id from curation.ready y join curation.entry e on e.id = y.entry_id
            where \(AccessScope.current.entry("e")) and not exists (
                select from curation.release_item i join curation.release r on r.id = i.release_id
                where i.entry_id = y.entry_id and r.state in ('open', 'scheduled'))
            order by y.entry_id
            """
        ) { LiveChange(entry: try $0("entry_id"), revision: try $0("revision_id")) }
    }

    /// How many entries `ready` returns; stops counting at 10,000.
    package func readyCount() async throws -> Int {
        try await connection.first(
            """
            select count(*) as n from (
                select from curation.ready y join curation.entry e on e.id = y.entry_id
                where \(AccessScope.current.entry("e")) and not exists (
                    select from curation.release_item i join curation.release r on r.id = i.release_id
                    where i.entry_id = y.entry_id and r.state in ('open', 'scheduled'))
                limit 10000) x
            """
        ) { try $0("n") } ?? 0
    }

    /// The row changes that publishing these edits would make; changes nothing. Returns at most `limit` rows. Fails where
    /// publishing would.
    package func plan(_ changes: LiveChanges, limit: Int? = nil) async throws -> PublicationPlan {
        let plan = try await check(changes, limit: limit)
        if let blocked = plan.blocked.first { throw blocked.failure }
        return plan
    }

    /// The same plan with all entries that publishing would be refused for.
    package func check(_ changes: LiveChanges, limit: Int? = nil) async throws -> PublicationPlan {
        try await connection.longFirst(
            """
            select curation.plan(c.entries, c.revisions, \(limit)::integer) as plan
            from \(changes.arrays) c, \(try await imagesWithoutFiles(changes.revisions)) x
            """
        ) { try PublicationPlan(reading: try $0("plan")) }.orMissing("plan")
    }

    /// How many entries these edits affect.
    package func count(_ changes: LiveChanges) async throws -> Int {
        try await connection.first("select cardinality(c.entries) as n from \(changes.arrays) c") { try $0("n") } ?? 0
    }

    /// Publication `number`, or nil.
    package func find(_ number: Int64) async throws -> PublicationRow? {
        try await connection.first(
            "\(Self.lines) where p.number = \(number) and \(AccessScope.current.publication("p"))", PublicationRow.init)
    }

    /// The entries that a publication changed in the live set, by type.
    package func changes(of number: Int64, cursor: String?, limit: Int) async throws -> Page<ChangedEntry> {
        var condition: SQL = AccessScope.current.entry("c", id: "c.entry_id")
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 2)
            condition += " and (c.type, c.entry_id) > (\(position.values[0]), \(try position.uuid(1)))"
        }
        let rows = try await connection.rows(
            """
            select c.entry_id, c.type, coalesce(n.content, o.content) ->> 'title' as title, o.number as before,
                n.number as after
            from (
                select c.* from curation.publication_change c where c.publication = \(number) and \(condition)
                order by c.type, c.entry_id limit \(limit + 1)) c
            left join curation.revision o on o.id = c.old_revision
            left join curation.revision n on n.id = c.new_revision
            order by c.type, c.entry_id
            """, ChangedEntry.init)
        return Page(rows: rows, limit: limit) { Cursor([$0.type, $0.entry.description]) }
    }

    /// How many entries each of these publications changed, as far as they are in the access scope of the page; counts at
    /// most `limit` of each.
    package func counts(of numbers: [Int64], limit: Int) async throws -> [Int64: PublicationCounts] {
        let rows = try await connection.rows(
            """
            select u.number, x.published, x.changed, x.unpublished
            from unnest(\(numbers)::bigint[]) u (number)
            cross join lateral (
                select count(*) filter (where c.old_revision is null) as published,
                    count(*) filter (where c.old_revision is not null and c.new_revision is not null) as changed,
                    count(*) filter (where c.new_revision is null) as unpublished
                from (
                    select c.old_revision, c.new_revision from curation.publication_change c
                    where c.publication = u.number and \(AccessScope.current.entry("c", id: "c.entry_id"))
                    limit \(limit)) c) x
            """, PublicationCounts.init)
        return Dictionary(rows.map { ($0.number, $0) }) { first, _ in first }
    }

    /// How many entries that a publication changed are outside the access scope of the page; stops counting at `limit`.
    package func othersCount(of number: Int64, limit: Int) async throws -> Int {
        if AccessScope.current.isAll { return 0 }
        return try await connection.first(
            """
            select count(*) as n from (
                select from curation.publication_change c
                where c.publication = \(number) and not \(AccessScope.current.entry("c", id: "c.entry_id"))
                limit \(limit)) x
            """
        ) { try $0("n") } ?? 0
    }

    /// How many rows a publication wrote, by read table and operation.
    package func rowCounts(of number: Int64) async throws -> [(table: String, operation: String, rows: Int)] {
        try await connection.rows(
            """
            select read_table, operation, count(*) as n from api_v1.change
            where publication = \(number) group by 1, 2 order by 1, 2
            """
        ) { (try $0("read_table"), try $0("operation"), try $0("n")) }
    }

    /// Every row of the read tables that differs from what the live set requires.
    package func verify() async throws -> [RowChange] {
        try await connection.longRows("select read_table, key, operation from curation.verify()", Self.difference)
    }

    /// The parts of this comparison, to be compared one after another, or at once on connections with one snapshot.
    /// With `since`, only parts of the rows that publications after it wrote, and of all rows of the entries that they
    /// changed; without counts. `rows`: of one part; by default as many as fit into memory.
    package func verificationParts(since: Int64? = nil, rows: Int? = nil) async throws -> [VerificationPart] {
        try await connection.longRows(
            "select part, first_entry, end_entry from curation.verification_parts(\(since)::bigint, \(rows)::integer)",
            VerificationPart.init(row:))
    }

    /// Every row of a part that differs. `since`: as for `verificationParts`.
    package func verify(_ part: VerificationPart, since: Int64? = nil) async throws -> [RowChange] {
        try await connection.longRows(
            """
            select read_table, key, operation
            from curation.verify_part(\(part.name), \(since)::bigint, \(part.first)::uuid, \(part.end)::uuid)
            """, Self.difference)
    }

    private static func difference(_ row: Row) throws -> RowChange {
        RowChange(
            table: try row("read_table"), key: try row("key"), operation: try row("operation"), before: nil, after: nil)
    }

    /// The newest publication that the last done run of a schedule has seen; without such a run, the newest that is older
    /// than a week. It becomes visible when it ends, so it counts from an hour after it began.
    package func newest(beforeLastRunOf schedule: String) async throws -> Int64 {
        try await connection.first(
            """
            select coalesce(max(p.number), 0) as number from curation.publication p
            where p.published_at < coalesce(
                (select max(t.due_at) from ops.task t where t.schedule = \(schedule) and t.state = 'done'),
                clock_timestamp() - interval '7 days') - interval '1 hour'
            """
        ) { try $0("number") } ?? 0
    }

    /// The revisions of releases that are due.
    private static let dueRevisions: SQL = """
        select i.revision_id from curation.release r join curation.release_item i on i.release_id = r.id
        where r.state = 'scheduled' and r.due_at <= clock_timestamp()
        """

    /// A row source that tells the checks of this transaction which images of these revisions lack a file, or have one of
    /// another size: the last verification may be old (A40). A bucket is asked for several files at a time.
    private func imagesWithoutFiles(_ revisions: SQL) async throws -> SQL {
        guard let fileSize = connection.mediaFileSize else { return "(select '' as value)" }
        let files = try await connection.longRows(
            """
            select m.media_id, f.path, f.bytes
            from (select distinct u.media_id, u.version_id from (\(revisions)) r (id)
                join curation.media_use u on u.revision_id = r.id where u.media_id is not null) m
            join ops.media_file f on f.version_id = m.version_id
            """
        ) { (id: try $0("media_id") as ID<Media>, path: try $0("path") as String, bytes: try $0("bytes") as Int) }
        var incomplete: Set<ID<Media>> = []
        for start in stride(from: 0, to: files.count, by: 64) {
            try await withThrowingTaskGroup(of: ID<Media>?.self) { group in
                for file in files[start..<min(start + 64, files.count)] {
                    group.addTask { try await fileSize(file.path) == file.bytes ? nil : file.id }
                }
                for try await id in group { if let id { incomplete.insert(id) } }
            }
            // A transaction that is idle for long would be ended.
            if start > 0 { _ = try await connection.rows("select 1") }
        }
        let list = "{\(incomplete.map(\.description).sorted().joined(separator: ","))}"
        return "(select set_config('vitrine.images_without_files', \(list), true) as value)"
    }

    // MARK: Changes

    /// Waits for the publication lock and returns the newest publication number: nothing else is published until the
    /// transaction ends. Take it before approving something that is published at once, because a publication removes
    /// entries from `curation.ready` (R18).
    package func lock() async throws -> Int64 {
        try await connection.longFirst("select curation.lock_publications() as number") { try $0("number") } ?? 0
    }

    /// Publishes the edits in one publication. Returns its number, or nil when the live set already matches.
    package func publish(
        _ changes: LiveChanges, release: ID<Release>? = nil, note: String, by actor: Actor
    ) async throws -> Int64? {
        try await connection.longFirst(
            """
            select curation.publish(c.entries, c.revisions, \(actor.rowID), \(release)::uuid, \(note)) as number
            from \(changes.arrays) c, \(try await imagesWithoutFiles(changes.revisions)) x
            """
        ) { try $0("number") as Int64? } ?? nil
    }

    /// Publishes in one publication the edits that no rule blocks, and returns the blocked entries. The number is nil when
    /// nothing was published.
    package func publishRest(
        _ changes: [LiveChange], note: String, by actor: Actor
    ) async throws -> (publication: Int64?, blocked: [BlockedEntry]) {
        let listed = LiveChanges.listed(changes)
        return try await connection.longFirst(
            """
            select p.publication, p.blocked
            from \(listed.arrays) c cross join \(try await imagesWithoutFiles(listed.revisions)) x
            cross join lateral curation.publish_rest(
                case when x.value is not null then c.entries end, c.revisions, \(actor.rowID), \(note)) p
            """
        ) { (try $0("publication") as Int64?, BlockedEntry.distinct(try $0("blocked"))) } ?? (nil, [])
    }

    /// These edits without blocked entries, and the blocked entries; changes nothing.
    package func leavingOutBlocked(_ changes: [LiveChange]) async throws -> (
        changes: [LiveChange], blocked: [BlockedEntry]
    ) {
        let listed = LiveChanges.listed(changes)
        let found = try await connection.longFirst(
            """
            select r.entries, r.blocked
            from \(listed.arrays) c cross join \(try await imagesWithoutFiles(listed.revisions)) x
            cross join lateral curation.leave_out_blocked(
                case when x.value is not null then c.entries end, c.revisions) r
            """
        ) { (entries: try $0("entries") as [ID<Entry>], blocked: BlockedEntry.distinct(try $0("blocked"))) }
        let rest = Set(found?.entries ?? [])
        return (changes.filter { rest.contains($0.entry) }, found?.blocked ?? [])
    }

    /// Writes events for promotions that have started since the last call (B12). Returns how many.
    package func notifyStarted() async throws -> Int {
        try await connection.first("select curation.notify_started_promotions() as n") { try $0("n") } ?? 0
    }

    /// Repairs every row that `verify` reports, in one publication. Returns its number, or nil when nothing differed.
    package func repair(note: String, by actor: Actor) async throws -> Int64? {
        try await connection.longFirst("select curation.repair(\(actor.rowID), \(note)) as number") {
            try $0("number") as Int64?
        } ?? nil
    }

    /// Repairs those of these rows that still differ, in one publication. The lock is held for them only. Returns its
    /// number, or nil when none differs.
    package func repair(_ rows: [RowChange], note: String, by actor: Actor) async throws -> Int64? {
        let (tables, keys) = (rows.map(\.table), rows.map(\.key))
        return try await connection.longFirst(
            "select curation.repair_rows(\(actor.rowID), \(note), \(tables)::text[], \(keys)::text[]) as number"
        ) { try $0("number") as Int64? } ?? nil
    }

    /// Publishes at most `limit` due releases, earliest first.
    package func publishDue(limit: Int, by actor: Actor) async throws -> [DueRelease] {
        try await connection.longRows(
            """
            select d.release_number, d.publication, d.failure, d.late_ms
            from \(try await imagesWithoutFiles(Self.dueRevisions)) x
            cross join lateral curation.publish_due(case when x.value is not null then \(actor.rowID)::uuid end, \(limit)) d
            """
        ) { row in
            DueRelease(
                number: try row("release_number"), publication: try row("publication"), failure: try row("failure"),
                delayMilliseconds: try row("late_ms"))
        }
    }
}
