// Tests renaming, ordering, moving and creating categories: publications, drafts and conflicts.
import Domain
import Operations
import Store
import TestSupport
import Testing

@Suite("Category actions", .databases)
struct CategoryActionTests {
    /// The seeded group "Topic".
    private static let topic = "00000000-0000-7000-8000-000000000011"

    private func category(
        _ test: TestDatabase, _ title: String, at position: Int, live: Bool = true
    ) async throws -> ID<Entry> {
        try await test.write.create(
            type: "category",
            fields: ["title": .string(title), "group": .string(Self.topic), "position": .int(Int64(position))],
            publishTiming: live ? .now : .draft, by: TestDatabase.administrator
        ).entry
    }

    private func article(_ test: TestDatabase, in categories: [ID<Entry>]) async throws {
        let fields: [String: JSONValue] = [
            "title": "A walk", "body": "<p>Slowly.</p>",
            "categories": .array(categories.map { .string($0.description) }),
        ]
        _ = try await test.write.create(
            type: "article", fields: fields, publishTiming: .now, by: TestDatabase.administrator)
    }

    private func changes(_ test: TestDatabase, in publication: Int64?) async throws -> [String] {
        try await test.client.query(
            """
            select read_table || ' ' || operation || ' ' || key as line from api_v1.change
            where publication = \(publication) order by 1
            """
        ).map { try $0("line") }
    }

    @Test("B29: ordering changes only the rows of the moved categories, in one publication")
    func order() async throws {
        let test = try await TestDatabase.make()
        let publisher = try await test.actor(.publisher)
        let (one, two) = (try await category(test, "One", at: 10), try await category(test, "Two", at: 20))
        let three = try await category(test, "Three", at: 30)
        try await article(test, in: [one, two, three])
        let outcome = try await test.services.reorderCategories(
            [
                ReorderCategories.Move(category: one, previous: 10, position: 25),
                ReorderCategories.Move(category: two, previous: 20, position: 20),
                ReorderCategories.Move(category: three, previous: 30, position: 5),
            ], by: publisher)
        #expect(outcome.published == 2 && outcome.drafts == 0)
        let lines = try await changes(test, in: outcome.publication)
        #expect(lines.filter { $0.hasPrefix("category ") } == [one, three].map { "category update \($0)" }.sorted())
        #expect(!lines.contains { $0.contains(two.description) })
        let order: [String] = try await test.client.query(
            "select name from api_v1.category order by group_number, position, id"
        ).map { try $0("name") }
        #expect(order == ["Three", "Two", "One"])
        #expect(try await test.database.publications.verify().isEmpty)
    }

    @Test("An unchanged order is refused, and an outdated one is a conflict")
    func orderRefused() async throws {
        let test = try await TestDatabase.make()
        let publisher = try await test.actor(.publisher)
        let one = try await category(test, "One", at: 10)
        let action = test.services.reorderCategories
        let before = try await test.database.publications.current()
        await #expect(throws: Failure.refused(code: "unchanged", message: "The order hasn't changed.")) {
            try await action([ReorderCategories.Move(category: one, previous: 10, position: 10)], by: publisher)
        }
        // Both moved it to the same position: nothing to do, and no conflict.
        await #expect(throws: Failure.refused(code: "unchanged", message: "The order hasn't changed.")) {
            try await action([ReorderCategories.Move(category: one, previous: 7, position: 10)], by: publisher)
        }
        await #expect(
            throws: Failure.stale([
                StaleValue(
                    key: one.description, label: "One", base: "7", theirs: "10", mine: "9", author: "operator")
            ])
        ) {
            try await action([ReorderCategories.Move(category: one, previous: 7, position: 9)], by: publisher)
        }
        #expect(try await test.database.publications.current() == before)
        #expect(try await test.database.revisions.newest(of: one)?.number == 1)
    }

    @Test("An unpublished category is not published by ordering: its new position is a draft")
    func orderDraft() async throws {
        let test = try await TestDatabase.make()
        let publisher = try await test.actor(.publisher)
        let live = try await category(test, "Live", at: 10)
        let draft = try await category(test, "Waiting", at: 20, live: false)
        let outcome = try await test.services.reorderCategories(
            [
                ReorderCategories.Move(category: live, previous: 10, position: 30),
                ReorderCategories.Move(category: draft, previous: 20, position: 5),
            ], by: publisher)
        #expect(outcome.published == 1 && outcome.drafts == 1)
        #expect(try await test.database.entries.find(draft)?.live == nil)
        #expect(try await test.database.revisions.newest(of: draft)?.isApproved == false)
    }

    @Test("S15: without permission to publish, ordering and renaming save drafts", arguments: [Role.curator, .editor])
    func drafts(role: Role) async throws {
        let test = try await TestDatabase.make()
        let actor = try await test.actor(role)
        let one = try await category(test, "One", at: 10)
        let before = try await test.database.publications.current()
        let ordered = try await test.services.reorderCategories(
            [ReorderCategories.Move(category: one, previous: 10, position: 11)], by: actor)
        #expect(ordered.publication == nil && ordered.drafts == 1)
        let renamed = try await test.services.renameCategory(
            one, from: "One", to: "Uno", by: actor)
        #expect(renamed.publication == nil && renamed.drafts == 1)
        #expect(try await test.database.publications.current() == before)
        let entry = try await test.database.entries.find(one)
        #expect(entry?.live == 1 && entry?.newest == 3 && entry?.approved == 1)
    }

    @Test("A33: after a rename the old slug redirects to the new one, and renaming back reverses that")
    func rename() async throws {
        let test = try await TestDatabase.make()
        let publisher = try await test.actor(.publisher)
        let one = try await category(test, "Pizza & Co", at: 10)
        try await article(test, in: [one])
        let action = test.services.renameCategory
        _ = try await action(one, from: "Pizza & Co", to: "Pasta", by: publisher)
        #expect(try await redirects(test) == ["pizza-co to pasta"])
        _ = try await action(one, from: "Pasta", to: "Pizza & Co", by: publisher)
        #expect(try await redirects(test) == ["pasta to pizza-co"])
        #expect(try await test.database.publications.verify().isEmpty)
    }

    private func redirects(_ test: TestDatabase) async throws -> [String] {
        try await test.client.query("select slug || ' to ' || new_slug as line from api_v1.redirect order by 1").map {
            try $0("line")
        }
    }

    @Test("A name of another category gets its own slug; an empty or unchanged one is refused")
    func renameTaken() async throws {
        let test = try await TestDatabase.make()
        let publisher = try await test.actor(.publisher)
        _ = try await category(test, "Pasta", at: 10)
        let two = try await category(test, "Noodles", at: 20)
        let action = test.services.renameCategory
        _ = try await action(two, from: "Noodles", to: "Pasta!", by: publisher)
        #expect(try await test.database.entries.find(two)?.slug == "pasta-2")
        await #expect(throws: Failure.self) { try await action(two, from: "Pasta!", to: "", by: publisher) }
        await #expect(throws: Failure.refused(code: "unchanged", message: "The name is already Pasta!.")) {
            try await action(two, from: "Pasta!", to: "Pasta!", by: publisher)
        }
        await #expect(throws: Failure.self) { try await action(two, from: "Noodles", to: "Rice", by: publisher) }
        #expect(try await test.database.entries.find(two)?.title == "Pasta!")
    }

    @Test("B29: groups can be renamed too; other entries can be neither renamed nor ordered")
    func otherKinds() async throws {
        let test = try await TestDatabase.make()
        let publisher = try await test.actor(.publisher)
        let rename = test.services.renameCategory
        _ = try await rename(SeedEntry.topicGroup, from: "Topic", to: "Type of food", by: publisher)
        let names: [String] = try await test.client.query("select name from api_v1.category_group order by number").map
        {
            try $0("name")
        }
        #expect(names == ["Type of food", "Place"])
        #expect(try await redirects(test) == ["topic to type-of-food"])
        let feed = try await test.write.create(
            type: "feed", fields: ["title": "Guides", "tier": "free"], publishTiming: .now, by: publisher
        ).entry
        await #expect(throws: Failure.missing("category")) {
            try await rename(feed, from: "Guides", to: "Theme", by: publisher)
        }
        for other in [feed, SeedEntry.topicGroup] {
            await #expect(throws: Failure.missing("category")) {
                try await test.services.reorderCategories(
                    [ReorderCategories.Move(category: other, previous: 0, position: 1)], by: publisher)
            }
        }
    }

    @Test("B29: moving a category writes the fewest revisions possible; an index past the end means last")
    func move() async throws {
        let test = try await TestDatabase.make()
        let publisher = try await test.actor(.publisher)
        var ids: [ID<Entry>] = []
        for (index, title) in ["One", "Two", "Three"].enumerated() {
            ids.append(try await category(test, title, at: (index + 1) * 10))
        }
        let action = test.services.reorderCategories
        func order() async throws -> [String] {
            try await CategoryDirectory.load(test.database).unmerged(in: SeedEntry.topicGroup).map {
                "\($0.title) \($0.position)"
            }
        }
        let up = try await action.move(ids[2], previous: 30, to: 0, by: publisher)
        #expect(up.published == 1)
        #expect(try await order() == ["Three 0", "One 10", "Two 20", "Unsorted 1000"])
        // No free position before the first: renumbering writes the fewest revisions.
        _ = try await action.move(ids[1], previous: 20, to: 0, by: publisher)
        #expect(try await order() == ["Two 10", "Three 20", "One 30", "Unsorted 40"])
        _ = try await action.move(ids[1], previous: 10, to: 99, by: publisher)
        #expect(try await order() == ["Three 20", "One 30", "Unsorted 40", "Two 50"])
        await #expect(throws: Failure.refused(code: "unchanged", message: "The order hasn't changed.")) {
            try await action.move(ids[1], previous: 50, to: 3, by: publisher)
        }
        await #expect(throws: Failure.self) { try await action.move(ids[1], previous: 10, to: 0, by: publisher) }
        #expect(try await test.database.publications.verify().isEmpty)
    }

    @Test("B29: a category moves to the end of the other group, changing one row of it and of each member")
    func otherGroup() async throws {
        let test = try await TestDatabase.make()
        let publisher = try await test.actor(.publisher)
        let one = try await category(test, "One", at: 10)
        try await article(test, in: [one])
        let move = test.services.moveCategory
        let outcome = try await move(one, from: SeedEntry.topicGroup, to: SeedEntry.placeGroup, by: publisher)
        let lines = try await changes(test, in: outcome.publication)
        #expect(
            lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "category update", "item update", "item_full update", "search update", "search_full update",
            ])
        await #expect(throws: Failure.self) {
            try await move(one, from: SeedEntry.topicGroup, to: SeedEntry.placeGroup, by: publisher)
        }
        await #expect(
            throws: Failure.refused(
                code: "two_groups", message: "Categories belong to one of two groups. Choose one of them.")
        ) { try await move(one, from: SeedEntry.placeGroup, to: one, by: publisher) }
        #expect(try await test.database.publications.verify().isEmpty)
    }

    @Test("B29: a new category is last in its group or at a given position, with a given slug")
    func create() async throws {
        let test = try await TestDatabase.make()
        let publisher = try await test.actor(.publisher)
        _ = try await category(test, "Pasta", at: 40)
        let action = test.services.createCategory
        let last = try await action(named: "Rice", in: SeedEntry.topicGroup, by: publisher)
        #expect(last.publication != nil)
        let first = try await action(
            named: "Soup", in: SeedEntry.topicGroup, slug: "soups", position: 0, .draft, by: publisher)
        #expect(first.publication == nil && first.drafts == 1)
        let directory = try await CategoryDirectory.load(test.database)
        #expect(directory.find(last.entry)?.position == 50)
        let soup = try #require(directory.find(first.entry))
        #expect(soup.position == 0 && soup.slug == "soups" && !soup.isLive)
        await #expect(
            throws: Failure.refused(code: "exists", message: "This group already has a category named Rice.")
        ) { try await action(named: "rice ", in: SeedEntry.topicGroup, by: publisher) }
        await #expect(throws: Failure.self) {
            try await action(named: "Stew", in: SeedEntry.topicGroup, slug: "soups", by: publisher)
        }
        #expect(try await action(named: "Rice", in: SeedEntry.placeGroup, by: publisher).publication != nil)
    }

    @Test("A preview of archiving refuses what archiving always refuses, and names the entries that it would block")
    func archivePreview() async throws {
        let test = try await TestDatabase.make()
        let archive = test.services.archiveCategory
        let unsorted = try await archive.preview(SeedEntry.unsorted, limit: nil)
        #expect(unsorted.plan == nil && unsorted.refusal == "Unsorted is the default category and can't be archived.")
        let draft = try await category(test, "Draft", at: 10, live: false)
        await #expect(throws: Failure.self) { _ = try await archive.preview(draft, limit: nil) }
        let sole = try await category(test, "Sole", at: 20)
        try await article(test, in: [sole])
        let preview = try await archive.preview(sole, limit: nil)
        #expect(preview.plan == nil && preview.members.sole == 1)
        #expect(preview.refusal?.hasPrefix("Article \"A walk\" (") == true)
        await #expect(throws: Failure.self) { _ = try await archive(sole, by: TestDatabase.administrator) }
    }
}
