// Walks the board: buttons, moving, merging with its preview, retiring, and what waits in a release.
import Domain
import Publishing
import Store
import TestSupport
import Testing

@Suite("The board of categories", .databases)
struct CategoryBoardTests {
    private struct World {
        let site: EditorSite
        let visit: EditorVisit
        let coffee: ID<Entry>
        let cafe: ID<Entry>

        init(_ role: Role = .publisher) async throws {
            site = try await EditorSite.make()
            visit = try await site.visitor(role)
            let group: JSONValue = .string(SeedEntry.topicGroup.description)
            coffee = try await site.make("category", ["title": "Coffee", "group": group, "position": .int(10)])
            cafe = try await site.make("category", ["title": "Coffees", "group": group, "position": .int(20)])
        }

        /// A live article in these.
        func article(_ title: String, in categories: ID<Entry>...) async throws {
            let id = try await site.article(title, nil)
            try await site.change(
                id, "categories", to: .array(categories.map { .string($0.description) }), .now)
        }

        func order() async throws -> [String] {
            try await CategoryDirectory.load(site.test.database).unmerged(in: SeedEntry.topicGroup).map(\.title)
        }
    }

    @Test("B29: a category moves by the buttons beside it, one place at a time, and the page says where it stands")
    func buttons() async throws {
        let world = try await World()
        let page = try await world.visit.get("/categories")
        #expect(page.holds("Move Coffees up") && page.holds("Move Coffee down") && page.holds("Coffee is the first"))
        #expect(page.holds("<script type=\"module\" src=\"/static/order.js\">"))
        let moved = try await world.visit.post("/categories/move", [("move", "\(world.cafe) 20 0")])
        #expect(moved.location == "/categories#row-\(world.cafe)")
        #expect(try await world.visit.follow(moved).holds("Coffees: place 1 of 3 (publication"))
        #expect(try await world.order() == ["Coffees", "Coffee", "Unsorted"])
        let late = try await world.visit.post("/categories/move", [("move", "\(world.cafe) 20 1")])
        #expect(late.status == 409 && late.holds("has moved this meanwhile"))
        for wrong in ["", "x 1 1", "\(world.cafe) 0", "\(world.cafe) x 1"] {
            #expect(try await world.visit.post("/categories/move", [("move", wrong)]).status == 422, "\(wrong)")
        }
    }

    @Test("B29: a category moves to the other group and back, a group gets another name")
    func groups() async throws {
        let world = try await World()
        let page = try await world.visit.get("/categories")
        let address = "/categories/\(world.coffee)/group"
        let moved = try await world.visit.fill(page, address, [])
        #expect(try await world.visit.follow(moved).holds("It is the last in Place now (publication"))
        let late = try await world.visit.fill(page, address, [])
        #expect(late.status == 422 && late.holds("Coffee is in Place already."))
        let wrong = try await world.visit.post(
            address, [("was", SeedEntry.placeGroup.description), ("group", world.cafe.description)])
        #expect(wrong.status == 422 && wrong.holds("There are exactly two category groups."))
        let renamed = try await world.visit.fill(
            page, "/categories/\(SeedEntry.topicGroup)/name", [("name", "Type of food")])
        #expect(try await world.visit.follow(renamed).holds("It is called Type of food now"))
    }

    @Test("B29: names that are much alike are pointed out, and forbidden nothing")
    func similar() async throws {
        let world = try await World()
        let page = try await world.visit.get("/categories")
        #expect(page.holds("much alike") && page.holds("/categories/\(world.coffee)/merge?target=\(world.cafe)"))
        let added = try await world.visit.post(
            "/categories", [("group", SeedEntry.placeGroup.description), ("name", "Unsortet")])
        let after = try await world.visit.follow(added)
        #expect(after.holds("Its name is much like Unsorted: do they mean the same?"))
    }

    @Test("B29: the preview of a merge names what moves and writes nothing; merging does that and un-merging undoes it")
    func merge() async throws {
        let world = try await World()
        try await world.article("Only here", in: world.coffee)
        try await world.article("In both", in: world.coffee, world.cafe)
        let address = "/categories/\(world.coffee)/merge"
        let ask = try await world.visit.get(address)
        #expect(ask.holds("Choose a category") && !ask.holds("What moves"))
        let preview = try await world.visit.get("\(address)?target=\(world.cafe)")
        for words in [
            "shown in <span dir=\"auto\">Coffees</span> instead: 2.", "count once: 1.", "Only here", "In both",
            "Merge now",
        ] {
            #expect(preview.holds(words), "\(words)")
        }
        #expect(try await world.site.rows("category", "name") == ["Coffee", "Coffees"])
        let merged = try await world.visit.fill(preview, address, [("action", "now")])
        let board = try await world.visit.follow(merged)
        #expect(board.holds("Merged: its members are here now") && board.holds("Merged into it:"))
        #expect(try await world.site.rows("category", "name") == ["Coffees"])
        #expect(try await world.site.rows("redirect", "slug").contains("coffee"))
        let again = try await world.visit.fill(preview, address, [("action", "now")])
        #expect(again.status == 422 && again.holds("Coffee is merged into Coffees already."))
        let parted = try await world.visit.fill(board, "/categories/\(world.coffee)/unmerge", [])
        #expect(try await world.visit.follow(parted).holds("It stands for itself again"))
        #expect(try await world.site.rows("category", "name") == ["Coffee", "Coffees"])
    }

    @Test("B29: a merge that is another one by now is shown again instead of done")
    func moved() async throws {
        let world = try await World()
        try await world.article("One", in: world.coffee)
        let address = "/categories/\(world.coffee)/merge"
        let preview = try await world.visit.get("\(address)?target=\(world.cafe)")
        try await world.article("Two", in: world.coffee)
        let late = try await world.visit.fill(preview, address, [("action", "now")])
        #expect(late.status == 409 && late.holds("The plan is another one by now") && late.holds("Two"))
        let done = try await world.visit.fill(late, address, [("action", "now")])
        #expect(done.status == 303)
    }

    @Test("B29: what makes no sense to merge is refused where it was chosen")
    func mergeRefused() async throws {
        let world = try await World()
        let address = "/categories/\(world.coffee)/merge"
        let none = try await world.visit.post(address, [("target", ""), ("action", "now")])
        #expect(none.status == 422 && none.holds("Choose the category that it is merged into."))
        let itself = try await world.visit.get("\(address)?target=\(world.coffee)")
        #expect(itself.status == 422 && itself.holds("A category cannot be merged into itself."))
        let unsorted = try await world.visit.get("/categories/\(SeedEntry.unsorted)/merge?target=\(world.coffee)")
        #expect(unsorted.status == 422 && unsorted.holds("takes what nobody sorted"))
        #expect(try await world.visit.get("/categories/\(SeedEntry.topicGroup)/merge").status == 404)
    }

    @Test("B29: retiring names the entries that have no other category, and is done when each has one")
    func archive() async throws {
        let world = try await World()
        try await world.article("Only here", in: world.coffee)
        let address = "/categories/\(world.coffee)/archive"
        let page = try await world.visit.get(address)
        #expect(page.holds("Live entries that have no other category: 1") && page.holds("Only here"))
        #expect(!page.holds("Archive now"))
        let refused = try await world.visit.post(address, [("action", "now")])
        #expect(refused.status == 422 && refused.holds("Give its members another category first."))
        let cafe = try await world.visit.get("/categories/\(world.cafe)/archive")
        let retired = try await world.visit.fill(cafe, "/categories/\(world.cafe)/archive", [("action", "now")])
        #expect(try await world.visit.follow(retired).holds("It is retired"))
        let unsorted = try await world.visit.get("/categories/\(SeedEntry.unsorted)/archive")
        #expect(unsorted.holds("this category takes what nobody sorted"))
    }

    @Test("B29, R10: what is changed on the board can go into a release, and readers see it all when that goes live")
    func staged() async throws {
        let world = try await World()
        try await world.article("One", in: world.coffee, world.cafe)
        let release = try await ComposeRelease(database: world.site.test.database).make(
            title: "Autumn", by: TestDatabase.administrator)
        let page = try await world.visit.get("/categories?when=\(release)")
        #expect(page.holds("What you change here goes into"))
        let renamed = try await world.visit.fill(page, "/categories/\(world.cafe)/name", [("name", "Tea")])
        #expect(renamed.location == "/categories?when=\(release)#row-\(world.cafe)")
        #expect(try await world.visit.follow(renamed).holds("goes live with release \(release)"))
        let merge = try await world.visit.get("/categories/\(world.coffee)/merge?target=\(world.cafe)")
        let put = try await world.visit.fill(
            merge, "/categories/\(world.coffee)/merge", [("action", "release"), ("release", String(release))])
        #expect(put.status == 303)
        #expect(try await world.site.rows("category", "name") == ["Coffee", "Coffees"])
        _ = try await PublishRelease(database: world.site.test.database).release(
            release, seen: nil, by: TestDatabase.administrator)
        #expect(try await world.site.rows("category", "name") == ["Tea"])
        #expect(try await world.site.test.database.publications.verify().isEmpty)
        let late = try await world.visit.fill(page, "/categories/\(world.coffee)/name", [("name", "Late")])
        #expect(late.status == 409)
    }

    @Test("B29: a merge can wait for a time; one that has passed is refused where it was typed")
    func atATime() async throws {
        let world = try await World()
        let address = "/categories/\(world.coffee)/merge"
        let preview = try await world.visit.get("\(address)?target=\(world.cafe)")
        let past = try await world.visit.fill(
            preview, address, [("action", "at"), ("local", "2001-01-01T10:00"), ("zone", "Europe/London")])
        #expect(past.status == 422 && past.holds("This time has passed") && past.holds("2001-01-01T10:00"))
        let later = try await world.visit.fill(
            preview, address, [("action", "at"), ("local", "2199-01-01T10:00"), ("zone", "Europe/London")])
        #expect(try await world.visit.follow(later).holds("goes live with release"))
        #expect(try await world.site.test.database.releases.scheduled().count == 1)
    }

    @Test("S15: an editor's merges are drafts or go into releases; a curator sees no retiring")
    func roles() async throws {
        let world = try await World(.editor)
        let preview = try await world.visit.get("/categories/\(world.coffee)/merge?target=\(world.cafe)")
        #expect(preview.holds("Save it as a draft") && !preview.holds("Merge now"))
        let draft = try await world.visit.fill(preview, "/categories/\(world.coffee)/merge", [("action", "draft")])
        #expect(try await world.visit.follow(draft).holds("The merge waits, as a draft"))
        let curator = try await world.site.visitor(.curator)
        #expect(!(try await curator.get("/categories").holds("Archive…")))
    }
}
