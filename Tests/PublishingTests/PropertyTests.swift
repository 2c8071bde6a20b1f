// Tests that a publication changes exactly the dependent rows: incremental equals full, plan equals result.
import Domain
import Postgres
import Store
import TestSupport
import Testing

@Suite("Publications against a full comparison", .databases)
struct PropertyTests {
    @Test(
        "R23, B29: after random actions the read tables match the live set, and changes are gapless",
        arguments: [1, 7])
    func incrementalEqualsFull(seed: UInt64) async throws {
        let test = try await TestDatabase.make()
        var editor = RandomEditor(test: test, seed: seed)
        editor.merges = true
        for round in 1...60 {
            try await editor.action()
            if round % 5 == 0 {
                #expect(try await test.database.publications.verify().isEmpty, "after action \(round)")
            }
        }
        #expect(editor.refused < editor.actions / 2)
        let gaps: Int = try await test.client.one("select max(number) - count(*) as gaps from api_v1.change")("gaps")
        #expect(gaps == 0)
        let numbers: Int = try await test.client.one(
            "select max(number) - count(*) as gaps from api_v1.publication")("gaps")
        #expect(numbers == 0)
    }

    /// Those of merges are proven beside them (TaxonomyPropertyTests), those of settings where each setting is.
    /// Without the rule that finds them, dependent rows stay as they were: the full comparison must say so. Were this
    /// not so, the property above would prove nothing.
    @Test(
        "The comparison detects every missing dependency",
        arguments: [
            "category/category", "category/recount_categories",
            "feed/feed", "feed/recount_feeds", "feed/recount_categories", "feed/category",
            "item/item", "item/category", "item/feed",
            "feed_item/item", "feed_item/feed",
            "discover/feed", "discover/category", "discover/recount_categories",
            "search/any", "search/recount_categories",
            "tombstone/added_or_removed", "redirect/any", "media/any",
            "onboarding_set/onboarding_set", "onboarding_screen/onboarding_set", "text/text", "setting/setting",
            "offline_manifest/feed", "offline_manifest/offline", "offline_manifest/recount_feeds",
            "offline_manifest/recount_categories",
            "offline_file/offline", "offline_file/feed",
        ])
    func mutation(rule: String) async throws {
        let table = String(rule.prefix { $0 != "/" })
        let test = try await TestDatabase.make()
        try await test.forget(table, cause: String(rule.dropFirst(table.count + 1)))
        var editor = RandomEditor(test: test, seed: 3)
        var found = false
        for _ in 1...80 where !found {
            try await editor.action()
            found = try await test.database.publications.verify().contains { $0.table == table }
        }
        #expect(found)
    }

    @Test("A wrong value in a read table is found by verify and fixed by repair in one publication")
    func rebuild() async throws {
        let test = try await TestDatabase.make()
        var editor = RandomEditor(test: test, seed: 11)
        for _ in 1...15 { try await editor.action() }
        let owner = try await test.superuser()
        _ = try await owner.query(
            "update api_v1.item set title = title || '!' where id = (select min(id::text)::uuid from api_v1.item)")
        _ = try await owner.query(
            "delete from api_v1.search where id = (select max(id::text)::uuid from api_v1.search)")
        let differences = try await test.database.publications.verify()
        #expect(differences.map(\.table).sorted() == ["item", "search"])
        let before = try await test.database.publications.current()
        let number = try await test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("publication.repair", on: "publication")
        ) { transaction in
            try await transaction.publications.repair(note: "repair", by: TestDatabase.administrator)
        }
        #expect(number == before + 1)
        #expect(try await test.database.publications.verify().isEmpty)
        await owner.close()
    }
}
