// Tests that a database from before the words of `words.sql` finds everything by them once it is migrated.
import Domain
import Postgres
import Store
import TestSupport
import Testing

@Suite("Migration of what is searched", .databases)
struct SearchMigrationTests {
    /// What the migrations change, as it was before.
    private static let before = """
        begin;
        delete from vitrine.migration where name in ('core/search_words', 'core/search_texts');
        update projection.read_table set checksum = 'before';
        drop table projection.repair_due;
        create text search configuration api_v1.normalized (copy = pg_catalog.simple);
        drop view projection.search cascade;
        alter table curation.content_type drop column text_fields;
        alter table api_v1.search drop column text;
        alter table api_v1.search_full drop column text;
        update api_v1.search set terms = to_tsvector('simple', document ->> 'title');
        update api_v1.search_full f set terms = s.terms from api_v1.search s where s.id = f.id;
        alter table curation.queue_item drop column search_terms;
        alter table curation.queue_item add column search_terms tsvector not null
            generated always as (to_tsvector('simple', left(title, 230))) stored;
        alter table curation.contributor drop column search_terms;
        alter table curation.contributor add column search_terms tsvector not null
            generated always as (to_tsvector('simple', regexp_replace(name, '[^[:alnum:]]+', ' ', 'g'))) stored;
        drop index ops.media_search;
        create index media_search on ops.media
            using gin (to_tsvector('simple', translate(name, '._-', '   ') || ' ' || alt));
        create index revision_titles on curation.revision
            using gin (to_tsvector('simple', coalesce(content ->> 'title', '')));
        update curation.entry_search set terms = to_tsvector('simple', title);
        commit;
        """

    @Test("What was stored with other words is found by the new ones after `migrate`, and texts are read again")
    func migrated() async throws {
        let test = try await TestDatabase.make()
        let entry = try await test.publish("article", "Ferry Linz/Zwettl", ["author": "Rosalind"])
        let pending = try await test.submit("Weir Grein/Ybbs", by: try await test.clientActor())
        let owner = test.superuser()
        try await owner.execute(
            """
            insert into curation.submission_search (submission_id, terms, is_complete)
            select id, to_tsvector('simple', title), true from curation.submission
            """)
        try await owner.run(script: Self.before)
        func found(_ table: String, _ terms: String, _ id: String, _ word: String) async throws -> [String] {
            try await owner.query(
                "select \(raw: id)::text as id from \(raw: table) where \(raw: terms) @@ api_v1.parse_query(\(word))"
            ).map { try $0("id") }
        }
        #expect(try await found("api_v1.search", "terms", "id", "zwettl").isEmpty)
        let folder = TestDatabase.packageRoot + "/Config/content-types"
        try await Schema(client: owner, roles: try #require(TestDatabase.roles), packs: TestDatabase.packs).migrate(
            types: try ContentTypes(folder: folder, packs: TestDatabase.packs), version: "test")
        for table in ["api_v1.search", "api_v1.search_full"] {
            #expect(try await found(table, "terms", "id", "zwettl") == [entry.description])
            #expect(try await found(table, "terms", "id", "rosalind") == [entry.description])
        }
        #expect(try await found("curation.entry_search", "terms", "entry_id", "zwettl") == [entry.description])
        #expect(
            try await found("curation.queue_item", "search_terms", "submission_id", "ybbs") == [pending.description])
        #expect(
            try await found("curation.submission_search", "terms", "submission_id", "ybbs") == [pending.description])
        let left = try await owner.one(
            """
            select (select count(*) from curation.submission_search where is_complete) as complete,
                (select count(*) from projection.repair_due) as due,
                (select count(*) from ops.audit_event where action = 'publication.repair') as repairs
            """)
        #expect(try left("complete") as Int == 0 && left("due") as Int == 0 && left("repairs") as Int == 1)
        #expect(try await test.isVerified())
        await owner.close()
    }
}
