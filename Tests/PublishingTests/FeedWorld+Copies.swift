// Many live entries in a moment: copies of one, written as rows.
import Domain
import Postgres
import Store

extension FeedWorld {
    /// Copies a live article, as if each had been published by itself.
    func multiply(_ article: ID<Entry>, by count: Int, _ owner: PostgresClient) async throws {
        try await owner.run(
            script: """
                begin;
                insert into ops.audit_event (actor_id, action, object_type)
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
                insert into curation.entry_search (entry_id, type, kind, number, title, terms)
                select r.entry_id, s.type, s.kind, 1, r.content ->> 'title', curation.entry_terms(r.content)
                from source s, made m join curation.revision r on r.id = m.revision_id;
                insert into curation.reference (revision_id, field, position, target_entry_id, counted, within_entry_id)
                select m.revision_id, f.field, f.position, f.target_entry_id, f.counted, f.within_entry_id
                from made m, source s join curation.reference f on f.revision_id = s.id;
                insert into curation.publication (number, actor_id, note, inserted, updated, deleted, duration_ms)
                select m.number, s.author_id, 'copy', 0, 0, 0, 0 from made m, source s;
                insert into curation.slug (kind, slug, entry_id, published_in)
                select s.kind, 'copy-' || m.number, m.entry_id, m.number from made m, source s;
                insert into curation.approval (revision_id, actor_id, actor_role)
                select m.revision_id, s.author_id, 'system' from made m, source s;
                insert into curation.publish_approval (revision_id, entry_id) select revision_id, entry_id from made;
                insert into curation.live (entry_id, revision_id, type, kind)
                select m.entry_id, m.revision_id, s.type, s.kind from made m, source s;
                insert into curation.publication_change (publication, entry_id, type, kind, new_revision)
                select m.number, m.entry_id, s.type, s.kind, m.revision_id from made m, source s;
                update curation.publication_counter set number = number + \(count);
                commit;
                begin;
                insert into ops.audit_event (actor_id, action, object_type)
                values ('00000000-0000-7000-8000-000000000001', 'test.load', 'deployment');
                select curation.repair('00000000-0000-7000-8000-000000000001', 'test');
                commit;
                analyze;
                """)
    }
}
