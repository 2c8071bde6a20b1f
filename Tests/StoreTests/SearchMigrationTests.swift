// Tests that a database from before the words of `words.sql` finds everything by them once it is migrated.
import Domain
import Postgres
import Store
import TestBasics
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

    /// The same of the packs.
    private static let packsBefore = """
        begin;
        delete from vitrine.migration where name = 'lists/catalog_words';
        drop index curation.catalog_item_words;
        update api_v1.catalog_item set terms = to_tsvector('simple', title);
        update api_v1.city set terms = to_tsvector('simple', name);
        commit;
        """

    private func current(_ owner: PostgresClient) throws -> (schema: Schema, types: ContentTypes) {
        let types = try ContentTypes(
            folder: TestDatabase.packageRoot + "/Config/content-types", packs: TestDatabase.packs)
        let roles = try #require(TestDatabase.roles)
        return (Schema(client: owner, roles: roles, packs: TestDatabase.packs), types)
    }

    /// Whether a search with this expression reads the index: it must be an index of the same expression.
    private func reads(
        _ index: String, _ table: String, _ terms: String, _ owner: PostgresClient
    ) async throws -> Bool {
        let plan: [String] = try await owner.transaction { transaction in
            // The index of the terms is of the only kind that is left.
            for scan in ["seqscan", "indexscan", "indexonlyscan"] {
                try await transaction.execute("set local enable_\(raw: scan) to off")
            }
            return try await transaction.query(
                "explain select id from \(raw: table) where \(raw: terms) @@ api_v1.parse_query('zwettl')"
            ).map { try $0(0) }
        }
        return plan.contains { $0.contains(index) }
    }

    @Test("What was stored with other words is found by the new ones after `migrate`, and texts are read again")
    func migrated() async throws {
        let test = try await TestDatabase.make()
        let entry = try await test.publish("article", "Ferry Linz/Zwettl", ["author": "Rosalind"])
        let pending = try await test.submit(
            "Weir Grein/Ybbs", contributor: "Zoë/Łukasz", by: try await test.clientActor())
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
        #expect(try await found("curation.contributor", "search_terms", "name", "lukasz").isEmpty)
        let (mediaTerms, mediaIndex) = ("api_v1.terms(name || ' ' || alt)", "media_search")
        #expect(try await !reads(mediaIndex, "ops.media", mediaTerms, owner))
        let (schema, types) = try current(owner)
        let script = try await schema.dryRun(types: types, version: "test")
        #expect(script.contains("-- core/search_texts\n") && script.contains("-- content types\n"))
        try await schema.migrate(types: types, version: "test")
        for table in ["api_v1.search", "api_v1.search_full"] {
            #expect(try await found(table, "terms", "id", "zwettl") == [entry.description])
            #expect(try await found(table, "terms", "id", "rosalind") == [entry.description])
        }
        #expect(try await found("curation.entry_search", "terms", "entry_id", "zwettl") == [entry.description])
        #expect(
            try await found("curation.queue_item", "search_terms", "submission_id", "ybbs") == [pending.description])
        #expect(
            try await found("curation.submission_search", "terms", "submission_id", "ybbs") == [pending.description])
        #expect(try await found("curation.contributor", "search_terms", "name", "lukasz") == ["Zoë/Łukasz"])
        #expect(try await reads(mediaIndex, "ops.media", mediaTerms, owner))
        let left = try await owner.one(
            """
            select (select count(*) from curation.submission_search where is_complete) as complete,
                (select count(*) from projection.repair_due) as due,
                (select count(*) from ops.audit_event where action = 'publication.repair') as repairs
            """)
        #expect(try left("complete") as Int == 0 && left("due") as Int == 0 && left("repairs") as Int == 1)
        #expect(try await test.isVerified())
    }

    @Test("Cities and catalog items are found by the new words, too", .packs(.places, .lists))
    func migratedPacks() async throws {
        let test = try await TestDatabase.make()
        let city = try await test.publish(
            "city", "Linz/Zwettl", ["center": .object(["lat": .number(48.6), "lon": .number(15.2)])])
        let actor = TestDatabase.administrator
        _ = try await test.database.transaction(by: actor, AuditEvent("catalog.relist", on: "catalog")) { transaction in
            try await transaction.connection.run(
                """
                select curation.list_catalog(curation.record_catalog('movie', 'test', array['1'], array['Grein/Ybbs'],
                    array['{}']::jsonb[], true, \(actor.rowID)), true, \(actor.rowID))
                """)
        }
        let owner = test.superuser()
        try await owner.run(script: Self.before)
        try await owner.run(script: Self.packsBefore)
        let rows: SQL = """
            select array(select id::text from api_v1.city where terms @@ api_v1.parse_query('zwettl')) as cities,
                array(select title from api_v1.catalog_item where terms @@ api_v1.parse_query('ybbs')) as items
            """
        let old = try await owner.one(rows)
        #expect(try (old("cities") as [String]).isEmpty && (old("items") as [String]).isEmpty)
        let (schema, types) = try current(owner)
        try await schema.migrate(types: types, version: "test")
        let new = try await owner.one(rows)
        #expect(try new("cities") as [String] == [city.description] && new("items") as [String] == ["Grein/Ybbs"])
        // A new index is used once the transactions have ended that ran when it was created, also those of other databases.
        try await until("the index is read") {
            try await reads("catalog_item_words", "curation.catalog_item", "api_v1.terms(title)", owner)
        }
        #expect(try await test.isVerified())
    }
}
