// Tests the category board: moving, merging, archiving, drafts and releases.
import Domain
import Operations
import Store
import TestSupport
import Testing

@Suite("Category board", .databases)
struct CategoryBoardTests {
    private struct World {
        let site: AdminFixture
        let visit: Browser
        let coffee: ID<Entry>
        let cafe: ID<Entry>

        init(_ role: Role = .publisher) async throws {
            site = try await AdminFixture.make()
            visit = try await site.browser(role)
            let group: JSONValue = .string(SeedEntry.topicGroup.description)
            coffee = try await site.create("category", ["title": "Coffee", "group": group, "position": .int(10)])
            cafe = try await site.create("category", ["title": "Coffees", "group": group, "position": .int(20)])
        }

        /// A published article in these categories.
        func article(_ title: String, in categories: ID<Entry>...) async throws {
            let id = try await site.article(title, .draft)
            try await site.change(
                id, "categories", to: .array(categories.map { .string($0.description) }), .now)
        }

        func order() async throws -> [String] {
            try await CategoryDirectory.load(site.test.database).unmerged(in: SeedEntry.topicGroup).map(\.title)
        }
    }

    @Test("B29: the buttons move a category by one position, and the page reports its new position")
    func buttons() async throws {
        let world = try await World()
        let page = try await world.visit.get("/categories")
        #expect(page.holds("Move Coffees up") && page.holds("Move Coffee down") && page.holds("Coffee is the first"))
        #expect(page.holds("<script type=\"module\" src=\"/static/order.js\">"))
        let moved = try await world.visit.post("/categories/move", [("move", "\(world.cafe) 20 0")])
        #expect(moved.location == "/categories#row-\(world.cafe)")
        #expect(try await world.visit.follow(moved).holds("Coffees: position 1 of 3 (publication"))
        #expect(try await world.order() == ["Coffees", "Coffee", "Unsorted"])
        let stale = try await world.visit.post("/categories/move", [("move", "\(world.cafe) 20 1")])
        #expect(stale.status == 409 && stale.holds("moved this category meanwhile"))
        for wrong in ["", "x 1 1", "\(world.cafe) 0", "\(world.cafe) x 1"] {
            #expect(try await world.visit.post("/categories/move", [("move", wrong)]).status == 422, "\(wrong)")
        }
    }

    @Test("B29: a category moves to the other group, a group is renamed")
    func groups() async throws {
        let world = try await World()
        let page = try await world.visit.get("/categories")
        let path = "/categories/\(world.coffee)/group"
        let moved = try await world.visit.fill(page, path, [])
        #expect(try await world.visit.follow(moved).holds("Moved to the end of Place (publication"))
        let stale = try await world.visit.fill(page, path, [])
        #expect(stale.status == 422 && stale.holds("Coffee is already in Place."))
        let wrong = try await world.visit.post(
            path, [("was", SeedEntry.placeGroup.description), ("group", world.cafe.description)])
        #expect(wrong.status == 422 && wrong.holds("Categories belong to one of two groups."))
        let renamed = try await world.visit.fill(
            page, "/categories/\(SeedEntry.topicGroup)/name", [("name", "Type of food")])
        #expect(try await world.visit.follow(renamed).holds("Renamed to Type of food"))
    }

    @Test("B29: possible duplicates are marked, not refused")
    func similar() async throws {
        let world = try await World()
        let page = try await world.visit.get("/categories")
        #expect(
            page.holds("Possible duplicate") && page.holds("/categories/\(world.coffee)/merge?target=\(world.cafe)"))
        let added = try await world.visit.post(
            "/categories", [("group", SeedEntry.placeGroup.description), ("name", "Unsortet")])
        let after = try await world.visit.follow(added)
        #expect(after.holds("Possible duplicate of Unsorted."))
    }

    @Test("B29: the preview of a merge shows its effects and writes nothing; unmerging restores everything")
    func merge() async throws {
        let world = try await World()
        try await world.article("Only here", in: world.coffee)
        try await world.article("In both", in: world.coffee, world.cafe)
        let path = "/categories/\(world.coffee)/merge"
        let ask = try await world.visit.get(path)
        #expect(ask.holds("Choose a category") && !ask.holds("Effects"))
        let preview = try await world.visit.get("\(path)?target=\(world.cafe)")
        for text in [
            "moved to <span dir=\"auto\">Coffees</span>: 2.", "Already in it: 1.", "Only here", "In both",
            "Merge now",
        ] {
            #expect(preview.holds(text), "\(text)")
        }
        #expect(try await world.site.rows("category", "name") == ["Coffee", "Coffees"])
        let merged = try await world.visit.fill(preview, path, [("action", "now")])
        let board = try await world.visit.follow(merged)
        #expect(board.holds("Merged; its items are in this category") && board.holds("Merged into this category:"))
        #expect(try await world.site.rows("category", "name") == ["Coffees"])
        #expect(try await world.site.rows("redirect", "slug").contains("coffee"))
        let again = try await world.visit.fill(preview, path, [("action", "now")])
        #expect(again.status == 422 && again.holds("Coffee is already merged into Coffees."))
        let unmerged = try await world.visit.fill(board, "/categories/\(world.coffee)/unmerge", [])
        #expect(try await world.visit.follow(unmerged).holds("Merge undone"))
        #expect(try await world.site.rows("category", "name") == ["Coffee", "Coffees"])
    }

    @Test("B29: a merge whose plan has changed is shown again instead of run")
    func moved() async throws {
        let world = try await World()
        try await world.article("One", in: world.coffee)
        let path = "/categories/\(world.coffee)/merge"
        let preview = try await world.visit.get("\(path)?target=\(world.cafe)")
        try await world.article("Two", in: world.coffee)
        let stale = try await world.visit.fill(preview, path, [("action", "now")])
        #expect(stale.status == 409 && stale.holds("The plan has changed since you saw it.") && stale.holds("Two"))
        let done = try await world.visit.fill(stale, path, [("action", "now")])
        #expect(done.status == 303)
    }

    @Test("B29: an impossible merge is refused at the target")
    func mergeRefused() async throws {
        let world = try await World()
        let path = "/categories/\(world.coffee)/merge"
        let none = try await world.visit.post(path, [("target", ""), ("action", "now")])
        #expect(none.status == 422 && none.holds("Choose a category to merge into."))
        let itself = try await world.visit.get("\(path)?target=\(world.coffee)")
        #expect(itself.status == 422 && itself.holds("A category can't be merged into itself."))
        let unsorted = try await world.visit.get("/categories/\(SeedEntry.unsorted)/merge?target=\(world.coffee)")
        #expect(unsorted.status == 422 && unsorted.holds("is the default category"))
        #expect(try await world.visit.get("/categories/\(SeedEntry.topicGroup)/merge").status == 404)
    }

    @Test("B29: archiving lists the entries without another category and is refused until each has one")
    func archive() async throws {
        let world = try await World()
        try await world.article("Only here", in: world.coffee)
        let path = "/categories/\(world.coffee)/archive"
        let page = try await world.visit.get(path)
        #expect(page.holds("Published entries without another category: 1") && page.holds("Only here"))
        #expect(!page.holds("Archive now"))
        let refused = try await world.visit.post(path, [("action", "now")])
        #expect(refused.status == 422 && refused.holds("Choose another category for it.") && refused.holds("Only here"))
        let cafe = try await world.visit.get("/categories/\(world.cafe)/archive")
        let archived = try await world.visit.fill(cafe, "/categories/\(world.cafe)/archive", [("action", "now")])
        #expect(try await world.visit.follow(archived).holds("Archived; all versions are kept"))
        let unsorted = try await world.visit.get("/categories/\(SeedEntry.unsorted)/archive")
        #expect(unsorted.holds("This category can't be archived."))
    }

    @Test("B29, R10: edits on the board can be added to a release and are published together")
    func staged() async throws {
        let world = try await World()
        try await world.article("One", in: world.coffee, world.cafe)
        let release = try await world.site.test.services.composeRelease.create(
            title: "Autumn", by: TestDatabase.administrator)
        let page = try await world.visit.get("/categories?when=\(release)")
        #expect(page.holds("Changes are added to"))
        let renamed = try await world.visit.fill(page, "/categories/\(world.cafe)/name", [("name", "Tea")])
        #expect(renamed.location == "/categories?when=\(release)#row-\(world.cafe)")
        #expect(try await world.visit.follow(renamed).holds("added to release \(release)"))
        let merge = try await world.visit.get("/categories/\(world.coffee)/merge?target=\(world.cafe)")
        let added = try await world.visit.fill(
            merge, "/categories/\(world.coffee)/merge", [("action", "release"), ("release", String(release))])
        #expect(added.status == 303)
        #expect(try await world.site.rows("category", "name") == ["Coffee", "Coffees"])
        _ = try await world.site.test.services.publishRelease.release(
            release, seen: nil, by: TestDatabase.administrator)
        #expect(try await world.site.rows("category", "name") == ["Tea"])
        #expect(try await world.site.test.database.publications.verify().isEmpty)
        let stale = try await world.visit.fill(page, "/categories/\(world.coffee)/name", [("name", "Late")])
        #expect(stale.status == 409)
    }

    @Test("B29: a merge can be scheduled; a past time is refused at its field")
    func scheduled() async throws {
        let world = try await World()
        let path = "/categories/\(world.coffee)/merge"
        let preview = try await world.visit.get("\(path)?target=\(world.cafe)")
        let past = try await world.visit.fill(
            preview, path, [("action", "at"), ("local", "2001-01-01T10:00"), ("zone", "Europe/London")])
        #expect(past.status == 422 && past.isTimeMarked && past.holds("2001-01-01T10:00"))
        let later = try await world.visit.fill(
            preview, path, [("action", "at"), ("local", "2199-01-01T10:00"), ("zone", "Europe/London")])
        #expect(try await world.visit.follow(later).holds("added to release"))
        #expect(try await world.site.test.database.releases.scheduled().count == 1)
    }

    @Test("S15: an editor's merges are drafts or release items; a curator can't archive")
    func roles() async throws {
        let world = try await World(.editor)
        let preview = try await world.visit.get("/categories/\(world.coffee)/merge?target=\(world.cafe)")
        #expect(preview.holds("Save as draft") && !preview.holds("Merge now"))
        let draft = try await world.visit.fill(preview, "/categories/\(world.coffee)/merge", [("action", "draft")])
        #expect(try await world.visit.follow(draft).holds("Merged; saved as a draft"))
        let curator = try await world.site.browser(.curator)
        #expect(!(try await curator.get("/categories").holds("Archive…")))
    }
}
