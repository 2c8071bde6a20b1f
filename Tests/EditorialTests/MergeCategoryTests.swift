// Tests merging, unmerging and archiving categories: published rows, refusals and exact restoration.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Merging and archiving categories", .databases)
struct MergeCategoryTests {
    /// A database with named categories and articles in them.
    struct World {
        let test: TestDatabase
        let publisher: Actor
        var ids: [String: ID<Entry>] = [:]

        init(_ names: String...) async throws {
            test = try await TestDatabase.make()
            publisher = try await test.actor(.publisher)
            let add = test.services.createCategory
            for name in names {
                ids[name] = try await add(named: name, in: SeedEntry.topicGroup, by: publisher).entry
            }
        }

        subscript(_ name: String) -> ID<Entry> { ids[name] ?? SeedEntry.unsorted }

        var merge: MergeCategory { test.services.mergeCategory }

        @discardableResult
        func article(_ title: String, in names: String...) async throws -> ID<Entry> {
            try await test.write.create(
                type: "article",
                fields: [
                    "title": .string(title), "body": "<p>Slowly.</p>",
                    "categories": .array(names.map { .string(self[$0].description) }),
                ], publishTiming: .now, by: publisher
            ).entry
        }

        func lines(_ sql: SQL) async throws -> [String] {
            try await test.client.query(sql).map { try $0("line") }
        }

        /// The published categories with their counts.
        func shown() async throws -> [String] {
            try await lines("select name || ' ' || item_count as line from api_v1.category order by name")
        }

        func redirects() async throws -> [String] {
            try await lines(
                "select slug || ' to ' || new_slug as line from api_v1.redirect where slug !~ '^[0-9a-f]{8}-' order by 1"
            )
        }

        /// All published rows, except tables that only grow.
        func snapshot() async throws -> [String] {
            var rows: [String] = []
            let tables = ["category", "item", "item_full", "feed", "search", "redirect", "category_member"]
            for table in tables + TestPack.places.ifEnabled(["place", "category_city_count"]) {
                rows += try await lines(
                    "select \(table) || to_jsonb(t)::text as line from api_v1.\(raw: table) t order by 1")
            }
            return rows
        }

        func isVerified() async throws -> Bool { try await test.database.publications.verify().isEmpty }
    }

    @Test("B29: a merge moves the members, counts each once, and unmerging restores every row exactly")
    func mergeAndUnmerge() async throws {
        let world = try await World("Coffee", "Café", "Walks")
        try await world.article("One", in: "Coffee")
        try await world.article("Two", in: "Coffee", "Café")
        try await world.article("Three", in: "Café", "Walks")
        #expect(try await world.shown() == ["Café 2", "Coffee 2", "Walks 1"])
        let before = try await world.snapshot()

        let preview = try await world.merge.preview(
            world["Coffee"], into: world["Café"], limit: nil, by: world.publisher)
        #expect(preview.members.count == 2 && preview.members.shared == 1)
        #expect(preview.members.sample.map(\.title) == ["Two", "One"])
        #expect(try await world.snapshot() == before, "a preview leaves nothing behind")

        let outcome = try await world.merge(
            world["Coffee"], into: world["Café"], seen: preview.plan?.digest, by: world.publisher)
        #expect(outcome.published == 1)
        #expect(try await world.shown() == ["Café 3", "Walks 1"])
        #expect(try await world.redirects() == ["coffee to cafe"])
        let done: Int = try await world.test.client.one(
            "select changes::bigint as n from api_v1.publication where number = \(outcome.publication)")("n")
        #expect(done == preview.plan?.total, "exactly the planned rows are written")
        let documents = try await world.lines(
            """
            select title || ': ' || (select string_agg(c ->> 'name', ', ') from json_array_elements(document -> 'categories') c)
                as line from api_v1.item order by 1
            """)
        #expect(documents == ["One: Café", "Three: Café, Walks", "Two: Café"])
        #expect(try await world.isVerified())

        _ = try await world.merge.unmerge(world["Coffee"], by: world.publisher)
        let after = try await world.snapshot()
        // The category itself has a new approval, which its search row contains.
        let isOfCoffee = { (row: String) in row.hasPrefix("search") && row.contains(world["Coffee"].description) }
        #expect(after.filter { !isOfCoffee($0) } == before.filter { !isOfCoffee($0) })
        #expect(after.count == before.count)
        #expect(try await world.isVerified())
    }

    @Test("B29: a category is unpublished and published with the members of those that are merged into it")
    func unpublishedTarget() async throws {
        let world = try await World("Coffee", "Café", "Walks")
        try await world.article("One", in: "Coffee", "Walks")
        _ = try await world.merge(world["Coffee"], into: world["Café"], by: world.publisher)
        func members() async throws -> [String] {
            try await world.lines(
                "select member_id::text as line from api_v1.category_member where category_id = \(world["Café"])")
        }
        let before = try await members()
        #expect(before.count == 1)
        _ = try await world.test.unpublish(world["Café"])
        #expect(try await members() == [])
        #expect(try await world.isVerified())
        try await world.test.edit(world["Café"], ["title": "Cafés"])
        #expect(try await members() == before)
        #expect(try await world.isVerified())
    }

    @Test("B29: merges can be chained, each can be undone separately, and members belong to the last category")
    func chains() async throws {
        let world = try await World("Espresso", "Coffee", "Café")
        try await world.article("One", in: "Espresso")
        try await world.article("Two", in: "Coffee")
        try await world.article("Three", in: "Café", "Espresso")
        _ = try await world.merge(world["Espresso"], into: world["Coffee"], by: world.publisher)
        #expect(try await world.shown() == ["Café 1", "Coffee 3"])
        _ = try await world.merge(world["Coffee"], into: world["Café"], by: world.publisher)
        #expect(try await world.shown() == ["Café 3"])
        #expect(try await world.redirects() == ["coffee to cafe", "espresso to cafe"])
        #expect(try await world.isVerified())
        _ = try await world.merge.unmerge(world["Coffee"], by: world.publisher)
        #expect(try await world.shown() == ["Café 1", "Coffee 3"])
        #expect(try await world.redirects() == ["espresso to coffee"])
        _ = try await world.merge.unmerge(world["Espresso"], by: world.publisher)
        #expect(try await world.shown() == ["Café 1", "Coffee 1", "Espresso 2"])
        #expect(try await world.redirects().isEmpty)
        #expect(try await world.isVerified())
    }

    @Test(
        "B29: a merge cycle is refused by the action, in an edit and in the database")
    func cycles() async throws {
        let world = try await World("One", "Two", "Three")
        await #expect(
            throws: Failure.refused(code: "category_merge_cycle", message: "A category can't be merged into itself.")
        ) { try await world.merge(world["One"], into: world["One"], by: world.publisher) }
        _ = try await world.merge(world["One"], into: world["Two"], by: world.publisher)
        _ = try await world.merge(world["Two"], into: world["Three"], by: world.publisher)
        await #expect(
            throws: Failure.refused(
                code: "category_merge_cycle", message: "One is merged into Three. Unmerge it first.")
        ) {
            // Indirectly, via Two.
            try await world.merge(world["Three"], into: world["One"], by: world.publisher)
        }
        let newest = try await world.test.database.revisions.newest(of: world["Three"])
        var fields = newest?.content.fields ?? [:]
        for target in ["One", "Three"] {
            fields["merged_into"] = .string(world[target].description)
            let changed = fields
            await #expect(
                throws: Failure.refused(code: "category_merge_cycle", message: "\"Three\" would be merged into itself.")
            ) {
                _ = try await world.test.write.edit(
                    world["Three"], fields: changed, base: 1, publishTiming: .now, by: world.publisher)
            }
        }
        #expect(try await world.isVerified())
    }

    @Test("B29: the default category can be neither merged nor archived")
    func unsorted() async throws {
        let world = try await World("One")
        await #expect(throws: Failure.self) {
            try await world.merge(SeedEntry.unsorted, into: world["One"], by: world.publisher)
        }
        await #expect(throws: Failure.self) {
            try await world.test.services.archiveCategory(SeedEntry.unsorted, by: world.publisher)
        }
        await #expect(throws: Failure.self) {
            try await world.merge(world["One"], into: SeedEntry.topicGroup, by: world.publisher)
        }
    }

    @Test("B29: a merge whose plan has changed is refused")
    func planChanged() async throws {
        let world = try await World("Coffee", "Café")
        try await world.article("One", in: "Coffee")
        let seen = try await world.merge.preview(
            world["Coffee"], into: world["Café"], limit: 0, by: world.publisher
        ).plan?.digest
        try await world.article("Two", in: "Coffee")
        do {
            _ = try await world.merge(world["Coffee"], into: world["Café"], seen: seen, by: world.publisher)
            Issue.record("it was merged")
        } catch Failure.conflict(let code, _) {
            #expect(code == "plan_changed")
        }
        #expect(try await world.shown() == ["Coffee 2"])
        #expect(try await world.test.database.revisions.newest(of: world["Coffee"])?.number == 1)
    }

    @Test("B29, R10: merging, moving, ordering and renaming can be added to a release and are published together")
    func staged() async throws {
        let world = try await World("Coffee", "Café", "Walks")
        try await world.article("One", in: "Coffee", "Walks")
        let compose = world.test.services.composeRelease
        let release = try await compose.create(title: "New order", by: world.publisher)
        let before = try await world.snapshot()
        let merged = try await world.merge(
            world["Coffee"], into: world["Café"], .release(release), by: world.publisher)
        #expect(merged.release == release && merged.publication == nil)
        _ = try await world.test.services.moveCategory(
            world["Walks"], from: SeedEntry.topicGroup, to: SeedEntry.placeGroup, .release(release), by: world.publisher
        )
        _ = try await world.test.services.renameCategory(
            world["Café"], from: "Café", to: "Coffee house", .release(release), by: world.publisher)
        _ = try await world.test.services.createCategory(
            named: "Tea", in: SeedEntry.topicGroup, .release(release), by: world.publisher)
        #expect(try await world.snapshot() == before)
        _ = try await world.test.services.publishRelease.release(release, seen: nil, by: world.publisher)
        let rows = try await world.lines(
            "select name || ' ' || group_number || ' ' || item_count as line from api_v1.category order by 1")
        #expect(rows == ["Coffee house 1 1", "Walks 2 1"])
        #expect(try await world.redirects() == ["cafe to coffee-house", "coffee to coffee-house"])
        #expect(try await world.isVerified())
    }

    @Test("B31: a category is hidden with its last published item and shown again with the next")
    func empty() async throws {
        let world = try await World("Coffee", "Café")
        let one = try await world.article("One", in: "Coffee", "Café")
        try await world.article("Two", in: "Café")
        let write = world.test.write
        let gone = try await write.unpublish(one, by: world.publisher)
        #expect(try await world.shown() == ["Café 1"])
        let rows = try await world.lines(
            """
            select read_table || ' ' || operation as line from api_v1.change
            where publication = \(gone.publication) and key = \(world["Coffee"].description) order by 1
            """)
        #expect(rows == ["category delete", "search delete", "search_full delete"])
        _ = try await write.publish(one, number: 1, publishTiming: .now, by: world.publisher)
        #expect(try await world.shown() == ["Café 2", "Coffee 1"])
        // A draft does not count.
        _ = try await write.create(
            type: "article",
            fields: [
                "title": "Draft", "body": "<p>x</p>",
                "categories": .array([.string(world["Coffee"].description)]),
            ], by: world.publisher)
        #expect(try await world.shown() == ["Café 2", "Coffee 1"])
    }

    @Test("B29: archiving removes a category from its members, and is refused while one has no other category")
    func archive() async throws {
        let world = try await World("Coffee", "Café")
        try await world.article("One", in: "Coffee", "Café")
        let archive = world.test.services.archiveCategory
        let two = try await world.article("Two", in: "Coffee")
        let refused = try await archive.preview(world["Coffee"], limit: nil)
        #expect(refused.members.count == 2 && refused.members.sole == 1)
        #expect(refused.members.sample.map(\.title) == ["Two"])
        await #expect(throws: Failure.self) { try await archive(world["Coffee"], by: world.publisher) }
        #expect(try await world.shown() == ["Café 1", "Coffee 2"])
        _ = try await world.test.write.unpublish(
            two, by: world.publisher)
        #expect(try await archive.preview(world["Coffee"], limit: nil).members.sole == 0)
        await #expect(throws: Failure.self) { try await archive(world["Coffee"], .draft, by: world.publisher) }
        _ = try await archive(world["Coffee"], by: world.publisher)
        #expect(try await world.shown() == ["Café 1"])
        #expect(try await world.isVerified())
        await #expect(throws: Failure.self) { try await archive(world["Coffee"], by: world.publisher) }
    }

    @Test(
        "S15: without permission to publish, merging and unmerging save drafts, and archiving is refused",
        arguments: [Role.curator, .editor])
    func drafts(role: Role) async throws {
        let world = try await World("Coffee", "Café")
        try await world.article("One", in: "Coffee")
        let actor = try await world.test.actor(role)
        let outcome = try await world.merge(world["Coffee"], into: world["Café"], by: actor)
        #expect(outcome.publication == nil && outcome.drafts == 1)
        #expect(try await world.shown() == ["Coffee 1"])
        _ = try await world.merge.unmerge(world["Coffee"], by: actor)
        await #expect(throws: Failure.self) {
            try await world.test.services.archiveCategory(world["Coffee"], by: actor)
        }
    }
}
