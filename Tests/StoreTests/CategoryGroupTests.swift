// Tests the database rules for category groups and merges.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Category groups and merges in the database", .databases)
struct CategoryGroupTests {
    @Test("B29: the database rejects a third group, whatever its number", arguments: [1, 2])
    func third(number: Int) async throws {
        let test = try await TestDatabase.make()
        await #expect(
            throws: Failure.refused(
                code: "rule", message: "Categories belong to one of two groups. You can't add a third.")
        ) {
            _ = try await test.write.create(
                type: "category_group", fields: ["title": "Third", "number": .int(Int64(number))],
                by: TestDatabase.administrator)
        }
    }

    @Test("B29: neither group can be unpublished, nor deleted by the owner of the tables")
    func stay() async throws {
        let test = try await TestDatabase.make()
        let refusal = Failure.refused(
            code: "rule", message: "Category groups can't be unpublished.")
        await #expect(throws: refusal) {
            _ = try await test.write.unpublish(
                SeedEntry.topicGroup, by: TestDatabase.administrator)
        }
        await #expect(throws: refusal) {
            _ = try await test.services.publishRelease.now(
                [LiveChange(entry: SeedEntry.placeGroup, revision: nil)], note: "",
                by: TestDatabase.administrator)
        }
        await #expect(throws: (any Error).self) {
            try await test.client.query("delete from curation.entry where id = \(SeedEntry.topicGroup)")
        }
    }

    @Test("B29: pages, approvals and imports know each of thousands of categories")
    func thousands() async throws {
        let test = try await TestDatabase.make()
        try await test.client.run(
            script: """
                begin;
                set local session_replication_role = replica;
                with added as (
                    insert into curation.entry (type, kind, created_by)
                    select 'category', 'category', '00000000-0000-7000-8000-000000000001' from generate_series(1, 2500)
                    returning id)
                insert into curation.revision (entry_id, number, content, preview, content_hash, author_id)
                select id, 1,
                    jsonb_build_object('title', 'Category ' || id, 'slug', id, 'group', '\(SeedEntry.topicGroup)'),
                    '{}', sha256(''), '00000000-0000-7000-8000-000000000001'
                from added;
                commit;
                """)
        let last = try await test.category("Zebras")
        let directory = try await CategoryDirectory.load(test.database)
        #expect(directory.categories.count > 2500)
        #expect(directory.names().find("zebras") == .one(last) && directory.find(SeedEntry.unsorted) != nil)
        #expect(try await test.database.imports.names(of: .category).count == directory.categories.count)
    }

    @Test("B29: each language has one name; a repeated language is rejected at its row")
    func names() async throws {
        let test = try await TestDatabase.make()
        func names(_ locales: String...) -> JSONValue {
            .array(locales.map { .object(["locale": .string($0), "name": "Kaffee"]) })
        }
        func make(_ names: JSONValue) async throws {
            _ = try await test.write.create(
                type: "category",
                fields: ["title": "Coffee", "group": .string(SeedEntry.topicGroup.description), "names": names],
                by: TestDatabase.administrator)
        }
        await #expect(
            throws: Failure.invalid(FieldErrors("/fields/names/1/locale", "duplicate", "de appears twice. Remove one."))
        ) { try await make(names("de", "de")) }
        try await make(names("de", "de-AT"))
    }

    @Test("B29: verify reports a merge that was tampered with, and repair restores it")
    func tampered() async throws {
        let test = try await TestDatabase.make()
        let add = test.services.createCategory
        let by = TestDatabase.administrator
        let one = try await add(named: "One", in: SeedEntry.topicGroup, by: by).entry
        let two = try await add(named: "Two", in: SeedEntry.topicGroup, by: by).entry
        _ = try await test.services.mergeCategory(one, into: two, by: by)
        _ = try await test.client.query("delete from curation.category_merge")
        #expect(try await test.database.publications.verify().map(\.table).contains("category_merge"))
        try await test.repair()
        #expect(try await test.database.publications.verify().isEmpty)
    }
}
