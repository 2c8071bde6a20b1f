// What a publication reads follows what it changes: however much is live, and however long the history.
import Domain
import Postgres
import Publishing
import Store
import TestSupport
import Testing

@Suite("What a publication reads", .databases)
struct ReadsTests {
    private struct Undone: Error {
        let rows: [String: Int]
    }

    /// Rows of tables and of indexes that publishing a change looks at, by name, seen by doing it and undoing it. A session that
    /// plans it for the first time reads some hundreds more than one that has done it before.
    private func read(by change: LiveChange, _ owner: PostgresClient) async throws -> [String: Int] {
        do {
            try await owner.transaction { transaction in
                try await transaction.execute(
                    """
                    insert into ops.audit_event (actor_id, act, object_type)
                    values ('00000000-0000-7000-8000-000000000001', 'test.try', 'publication')
                    """)
                _ = try await transaction.query(
                    """
                    select curation.publish(array[\(change.entry)]::uuid[], array[\(change.revision)]::uuid[],
                        '00000000-0000-7000-8000-000000000001', null, '') as number
                    """)
                let rows = try await transaction.query(
                    """
                    select c.relname as name, sum(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid))::bigint as n
                    from pg_class c join pg_namespace s on s.oid = c.relnamespace
                    where s.nspname in ('curation', 'api_v1', 'ops', 'projection') and c.relkind in ('r', 'i')
                    group by 1 having sum(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid)) > 0
                    """)
                throw Undone(
                    rows: Dictionary(try rows.map { (try $0("name") as String, try $0("n") as Int) }) { $0 + $1 })
            }
        } catch let undone as Undone {
            return undone.rows
        }
        return [:]
    }

    /// Copies a live article, as if each had been published by itself.
    private func multiply(_ article: ID<Entry>, by count: Int, _ owner: PostgresClient) async throws {
        try await owner.run(
            script: """
                begin;
                insert into ops.audit_event (actor_id, act, object_type)
                values ('00000000-0000-7000-8000-000000000001', 'test.load', 'deployment');
                set local session_replication_role = replica;
                create temp table made on commit drop as
                select n, curation.uuid_v7() as entry_id, curation.uuid_v7() as revision_id,
                    (select number from curation.publication_counter) + n as number from generate_series(1, \(count)) n;
                create temp table source on commit drop as
                select e.type, e.kind, r.* from curation.live l join curation.entry e on e.id = l.entry_id
                join curation.revision r on r.id = l.revision_id where l.entry_id = '\(article)';
                insert into curation.entry (id, type, kind, created_by)
                select m.entry_id, s.type, s.kind, s.author_id from made m, source s;
                insert into curation.revision (id, entry_id, number, content, preview, plain, content_hash, author_id)
                select m.revision_id, m.entry_id, 1, s.content || jsonb_build_object('slug', 'copy-' || m.number),
                    s.preview || jsonb_build_object('slug', 'copy-' || m.number), s.plain, s.content_hash, s.author_id
                from made m, source s;
                insert into curation.reference (revision_id, field, position, target_entry_id, counted, within_entry_id)
                select m.revision_id, f.field, f.position, f.target_entry_id, f.counted, f.within_entry_id
                from made m, source s join curation.reference f on f.revision_id = s.id;
                insert into curation.publication (number, actor_id, note, inserted, updated, deleted, took_ms)
                select m.number, s.author_id, 'copy', 0, 0, 0, 0 from made m, source s;
                insert into curation.slug (kind, slug, entry_id, published_in)
                select s.kind, 'copy-' || m.number, m.entry_id, m.number from made m, source s;
                insert into curation.consent (revision_id, actor_id, actor_role)
                select m.revision_id, s.author_id, 'system' from made m, source s;
                insert into curation.approval (revision_id, entry_id) select revision_id, entry_id from made;
                insert into curation.live (entry_id, revision_id, type, kind)
                select m.entry_id, m.revision_id, s.type, s.kind from made m, source s;
                insert into curation.publication_change (publication, entry_id, type, kind, new_revision)
                select m.number, m.entry_id, s.type, s.kind, m.revision_id from made m, source s;
                update curation.publication_counter set number = number + \(count);
                commit;
                begin;
                insert into ops.audit_event (actor_id, act, object_type)
                values ('00000000-0000-7000-8000-000000000001', 'test.load', 'deployment');
                select curation.rebuild('00000000-0000-7000-8000-000000000001', 'test');
                commit;
                analyze;
                """)
    }

    @Test("A publication of one entry reads as much with thirty times as many live entries and publications")
    func oneEntry() async throws {
        let world = try await FeedWorld.make()
        let feed = try await world.add("feed", "Harbour")
        let category = try await world.add("category", "Boats")
        let fields: [String: JSONValue] = [
            "title": "A ferry", "body": "<p>It sails.</p>", "feeds": FeedWorld.list(feed),
            "categories": FeedWorld.list(category),
        ]
        let article = try await world.add("article", "A ferry", fields)
        let owner = try await world.test.superuser()
        var changes: [String: LiveChange] = [:]
        for (name, act) in [("new", nil), ("edited", article)] {
            let entry: ID<Entry>
            if let act {
                _ = try await world.write.edit(
                    act, fields: fields.merging(["title": "Two ferries"]) { $1 }, base: 1, goLive: .approveOnly,
                    by: FeedWorld.actor)
                entry = act
            } else {
                entry = try await world.write.create(
                    type: "article", fields: fields, goLive: .approveOnly, by: FeedWorld.actor
                ).entry
            }
            let newest = try #require(try await world.test.database.revisions.newest(of: entry))
            changes[name] = LiveChange(entry: entry, revision: newest.id)
        }
        changes["withdrawn"] = LiveChange(entry: article, revision: nil)

        try await multiply(article, by: 100, owner)
        var few: [String: [String: Int]] = [:]
        for (name, change) in changes { few[name] = try await read(by: change, owner) }
        try await multiply(article, by: 2900, owner)
        for (name, change) in changes {
            let many = try await read(by: change, owner)
            let grown = many.filter { $0.value > 2 * few[name, default: [:]][$0.key, default: 0] + 1000 }
            #expect(grown.isEmpty, "\(name): \(grown), before: \(grown.keys.map { few[name]?[$0] ?? 0 })")
            #expect(!many.isEmpty)
        }
    }
}
