// Tests the pages of promotions and imports, and the forms of places and cities.
import Domain
import FoundationEssentials
import HTTP
import Operations
import Places
import Store
import TestSupport
import Testing

@Suite("Place pages", .databases, .packs(.places))
struct PlacePagesTests {
    private struct World {
        let site: AdminFixture
        let city, place: ID<Entry>

        static func make() async throws -> World {
            let site = try await AdminFixture.make()
            let city = try await site.create(
                "city", ["title": "Hull", "center": .object(["lat": .int(53), "lon": .int(0)])], .now)
            let place = try await site.create(
                "place",
                [
                    "title": "Anchor", "city": .string(city.description), "address": "1 Quay",
                    "image": "https://images.example/a.jpg", "point": .object(["lat": .int(53), "lon": .int(0)]),
                    "categories": .array([.string(SeedEntry.unsorted.description)]),
                ], .now)
            return World(site: site, city: city, place: place)
        }

        func promotion(_ title: String, _ start: String, _ end: String, _ publishTiming: PublishTiming = .now)
            async throws
        {
            _ = try await site.create(
                "promotion",
                [
                    "title": .string(title), "place": .string(place.description), "starts_at": .string(start),
                    "ends_at": .string(end),
                ], publishTiming)
        }
    }

    @Test(
        "B51: a promotion is created with the entry form; its end must be later than its start"
    )
    func forms() async throws {
        let world = try await World.make()
        let visit = try await world.site.browser(.publisher)
        let form = try await visit.get("/entries/new?type=promotion")
        #expect(form.holds("Anchor</option>"), "few places are shown as a menu")
        let fields = [
            ("field.title", "Rum"), ("field.place", world.place.description),
            ("field.starts_at", "2099-01-01T10:00:00Z"), ("field.ends_at", "2099-01-01T10:00:00Z"), ("action", "now"),
        ]
        let refused = try await visit.fill(form, "/entries", fields)
        #expect(refused.status == 422)
        #expect(refused.holds("End: this must be later than Start."))
        #expect(refused.holds("value=\"2099-01-01T10:00:00Z\""), "the input is kept")
        let created = try await visit.fill(
            form, "/entries", fields.dropLast(2) + [("field.ends_at", "2099-01-02T10:00:00Z"), ("action", "now")])
        #expect(created.status == 303)
        let list = try await visit.get("/promotions")
        #expect(list.holds(">Rum</a>") && list.holds(">Anchor</a>") && list.holds("Upcoming"))
    }

    @Test("When there are too many entries for a menu, a reference is found by its title")
    func found() async throws {
        let world = try await World.make()
        var text = "id,name,lat,lon\n"
        for number in 1...201 { text += "\(number),Town \(number),1,1\n" }
        let report = try await world.site.test.services.importEntries.apply(
            RecordReader(Array(text.utf8)), type: "city", ImportOptions(source: "towns"),
            by: TestDatabase.administrator)
        #expect(report.new == 201)
        let visit = try await world.site.browser(.publisher)
        let (entries, url) = (world.site.test.database.entries, "/entries/\(world.place)/revisions")
        let seventh = try #require(try await entries.find(type: "city", slug: "town-7"))
        let page = try await visit.get(url)
        #expect(page.says("Find by title") && !page.holds(seventh.description))
        let searched = try await visit.fill(
            page, url, [("find.city", "tow 7"), ("note", "kept"), ("entries", "city")])
        #expect(searched.status == 200 && searched.holds("value=\"\(seventh)\"") && searched.holds("value=\"kept\""))
        #expect(!searched.says("Town 6"))
        let all = try await visit.fill(page, url, [("find.city", "town"), ("action", "enter")])
        #expect(all.status == 200 && all.says("More were found"), "Enter in the search searches; 20 are shown")
        #expect(all.html.components(separatedBy: "Town ").count == 21)
        let none = try await visit.fill(page, url, [("find.city", "x' | y"), ("entries", "city")])
        #expect(none.status == 200 && none.says("No title has these words."))
        let wrong = try await visit.fill(page, url, [("field.city", "atlantis"), ("action", "draft")])
        #expect(wrong.status == 422)
        let right = try await visit.fill(page, url, [("field.city", seventh.description), ("action", "draft")])
        #expect(right.status == 303)
        let newest = try await world.site.test.database.revisions.newest(of: world.place)
        #expect(newest?.content.fields["city"]?.stringValue == seventh.description)
    }

    @Test("The schedule shows promotions as bars over their days, to people who may see promotions")
    func schedule() async throws {
        let world = try await World.make()
        try await world.promotion("Two for one", "2099-01-01T10:00:00Z", "2099-01-02T10:30:00Z")
        try await world.promotion("Later", "2099-01-02T10:00:00Z", "2099-03-01T10:00:00Z", .draft)
        func text(_ visit: Browser) async throws -> String {
            let page = try await visit.get("/schedule?week=2099-01-01")
            return page.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let visit = try await world.site.browser(.curator, name: "Cleo")
        let shown = try await text(visit)
        #expect(shown.contains("Two for one 2099-01-01 10:00 to 2099-01-02 10:30 Promotion"))
        #expect(shown.contains("Later 2099-01-02 10:00 to 2099-03-01 10:00 Not published"))
        // January 1 is a Thursday; the second goes on after this week, and through the next one.
        let page = try await visit.get("/schedule?week=2099-01-01")
        #expect(page.holds("from-4 for-2 begins ends\"") && page.holds("from-5 for-3 begins\""))
        #expect(page.says("“Two for one” and “Later” of Anchor overlap from 2099-01-02 10:00 to 2099-01-02 10:30."))
        let next = try await visit.get("/schedule?week=2099-01-05")
        #expect(next.holds("from-1 for-7\"") && !next.says("Two for one"))
        #expect(try await visit.get("/schedule?day=2099-01-02").holds("from-1 for-1 ends\""))
        let account = try #require(try await world.site.test.database.accounts.list().first { $0.name == "Cleo" })
        try await world.site.test.services.manageAccount.setScope(
            account, AccessScope(types: ["article"], groups: []), by: TestDatabase.administrator)
        #expect(try await !text(visit).contains("Two for one"))
    }

    @Test("K16: overlapping promotions of a place are marked; one that starts when another ends does not overlap")
    func overlaps() async throws {
        let world = try await World.make()
        try await world.promotion("First", "2099-01-01T10:00:00Z", "2099-01-02T10:00:00Z")
        try await world.promotion("Next", "2099-01-02T10:00:00Z", "2099-01-03T10:00:00Z")
        let visit = try await world.site.browser(.curator)
        let apart = try await visit.get("/promotions")
        #expect(apart.holds(">First</a>") && apart.holds(">Next</a>"))
        #expect(!apart.holds("overlap"))
        #expect(!apart.holds("Create promotion"), "a curator can't create promotions")
        try await world.promotion("Across", "2099-01-02T09:59:59Z", "2099-01-02T10:00:01Z", .draft)
        let together = try await visit.get("/promotions")
        #expect(together.holds("<span class=\"tag wait\">3</span> overlap"))
        #expect(together.holds("First, Next"))
        #expect(together.holds("Not published"))
        try await world.promotion("Bygone", "2020-01-01T10:00:00Z", "2020-01-02T10:00:00Z")
        #expect(!(try await visit.get("/promotions").holds("Bygone")))
    }

    @Test("B64: a file is uploaded, its plan is reviewed, then it is imported; nothing is stored in between")
    func importing() async throws {
        let world = try await World.make()
        let visit = try await world.site.browser(.publisher)
        #expect(try await visit.get("/import").holds("Review plan"))
        let text = "id,name,address,lat,lon\n1,Bell,\"2 Quay, <b>left</b>\",53.1,0\n2,Crown,,53,0\n"
        let fields = [
            ("type", "place"), ("source", "list"), ("city", "hull"), ("category", "unsorted"), ("after", "now"),
            ("image", "https://images.example/none.jpg"), ("text", text),
        ]
        let plan = try await visit.post("/import/plan", fields)
        #expect(plan.status == 200)
        #expect(plan.holds("1 new</span>") && plan.holds("1 with errors</span>") && plan.holds("line 3"))
        #expect(try await world.site.test.client.query("select from api_v1.place").count == 1)
        // The form of the plan submits the file again.
        let done = try await visit.post("/import", plan.form(to: "/import"))
        #expect(done.status == 303)
        let after = try await visit.follow(done)
        #expect(after.holds("1 new, 0 changed, 0 unchanged; 1 rows with errors skipped. Published."))
        let address: String = try await world.site.test.client.one(
            "select address from api_v1.place where name = 'Bell'")("address")
        #expect(address == "2 Quay, <b>left</b>")
    }

    @Test("B64: columns are assigned in the plan, and nothing is imported by a plan that nobody has seen")
    func columns() async throws {
        let world = try await World.make()
        let visit = try await world.site.browser(.publisher)
        let page = try await visit.get("/import")
        #expect(page.holds("<option value=\"Hull\">Hull</option>") && page.holds("Default categories"))
        let text = "nr,firm,where,lat,lon\n1,Bell,2 Quay,53.1,0\n"
        let fields = [
            ("type", "place"), ("source", "list"), ("city", "Hull"), ("category", "unsorted"), ("after", "now"),
            ("image", "https://images.example/none.jpg"), ("text", text),
        ]
        let plan = try await visit.post("/import/plan", fields)
        #expect(plan.holds("0 new</span>") && plan.holds("1 with errors</span>"))
        #expect(plan.holds("Automatic: lat") && !plan.holds("Import entries"))
        var form = plan.form(to: "/import").filter { !$0.0.hasPrefix("column.") }
        form += [("column.title", "firm"), ("column.address", "where"), ("column.id", "nr")]
        // Sent at once, it shows the plan with these columns.
        let planned = try await visit.post("/import", form)
        #expect(planned.status == 200 && planned.holds("1 new</span>") && planned.holds("Import entries"))
        let done = try await visit.post("/import", planned.form(to: "/import"))
        #expect(try await visit.follow(done).holds("1 new, 0 changed, 0 unchanged. Published."))
        let address: String = try await world.site.test.client.one(
            "select address from api_v1.place where name = 'Bell'")("address")
        #expect(address == "2 Quay")
    }

    @Test("Invalid imports are refused with the reason, and the form keeps the input")
    func refused() async throws {
        let world = try await World.make()
        let visit = try await world.site.browser(.publisher)
        for (input, message) in [
            ([("text", "")], "Choose a file that is not empty."),
            ([("source", "")], "Enter a source name."),
            ([("city", "atlantis")], "atlantis"),
            ([("column.nothing", "x")], "There is no field named nothing"),
            ([("text", "a,b\n\"1,2\n")], "is never closed"),
            ([("text", String(repeating: "x", count: (1 << 20) + 1))], "the limit is 1024 KiB"),
        ] {
            let valid = [("type", "place"), ("source", "list"), ("city", "hull"), ("text", "id,name\n1,A\n")]
            let names = input.map(\.0)
            let page = try await visit.post("/import/plan", valid.filter { !names.contains($0.0) } + input)
            #expect(page.status == 422)
            #expect(page.holds(message), "\(message)")
            #expect(page.holds("Review plan"))
        }
        #expect(try await world.site.browser(.curator).post("/import/plan", []).status == 403)
        #expect(try await world.site.browser(.curator).get("/import").status == 403)
    }
}
