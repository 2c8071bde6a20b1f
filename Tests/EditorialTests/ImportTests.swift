// Tests imports: new, changed, unchanged and invalid rows, identified by the ids of a source.
import Domain
import Operations
import Places
import Postgres
import Store
import TestSupport
import Testing

@Suite("Imports", .databases, .packs(.places))
struct ImportTests {
    private struct Imported: World {
        let test: TestDatabase
        let city: ID<Entry>
        var work: ImportEntries { test.services.importEntries }
        static func make() async throws -> Imported {
            let test = try await TestDatabase.make()
            let city = try await test.create(
                "city", ["title": "Hull", "center": .object(["lat": .int(53), "lon": .int(0)])])
            return Imported(test: test, city: city)
        }

        func options(_ change: (inout ImportOptions) -> Void = { _ in }) -> ImportOptions {
            var options = ImportOptions(source: "list")
            options.publishTiming = .now
            options.categories = ["unsorted"]
            options.image = "https://images.example/none.jpg"
            change(&options)
            return options
        }

        func apply(_ text: String, _ options: ImportOptions, type: String = "place") async throws -> ImportReport {
            try await work.apply(
                RecordReader(Array(text.utf8)), type: type, options, by: TestDatabase.administrator)
        }

        func plan(_ text: String, _ options: ImportOptions) async throws -> ImportReport {
            try await work.plan(RecordReader(Array(text.utf8)), type: "place", options)
        }

        func places() async throws -> [String] {
            try await test.client.query("select name || ' ' || address as line from api_v1.place order by 1").map {
                try $0("line") as String
            }
        }
    }

    private static let table = """
        id,name,address,lat,lon,city,beer
        1,Anchor,1 Quay,53.1,-0.1,hull,yes
        2,Bell,2 Quay,53.2,-0.2,HULL,
        3,Crown,,53.3,-0.3,hull,
        4,Dove,4 Quay,93,-0.4,hull,
        5,Eagle,5 Quay,53.5,-0.5,atlantis,
        2,Bell again,2 Quay,53.2,-0.2,hull,
        """

    @Test("Degrees may have a decimal comma; anything else with a comma is an error")
    func decimalCommas() async throws {
        let world = try await Imported.make()
        let report = try await world.apply(
            "id;name;address;lat;lon;city\n1;A;1 Quay;53,25;-0,5;hull\n2;B;2 Quay;53,1,2;-0,5;hull\n", world.options())
        #expect((report.new, report.errors) == (1, 1))
        let points: [String] = try await world.test.client.query("select lat || ' ' || lon as point from api_v1.place")
            .map { try $0("point") }
        #expect(points == ["53.25 -0.5"])
    }

    @Test("Hexadecimal numbers and the names of others are errors, in coordinates and in numbers")
    func notations() async throws {
        let world = try await Imported.make()
        let rows = ["0x1F", "nan", "inf", "1e999"].enumerated().map { "\($0),P\($0),1 Quay,\($1),1,hull\n" }
        let places = try await world.apply("id,name,address,lat,lon,city\n" + rows.joined(), world.options())
        #expect((places.new, places.errors) == (0, 4))
        for number in ["0x1F", "nan", "inf"] {
            let cities = try await world.apply(
                "id,name,lat,lon,south\n1,Goole,53,0,\(number)\n", world.options(), type: "city")
            #expect((cities.new, cities.errors) == (0, 1))
            #expect(cities.problems.first?.message?.contains("Enter a number.") == true, "\(number)")
        }
    }

    @Test(
        "A point in a table with decimal commas may divide thousands: such a number is an error",
        arguments: [
            ("id;name;lat;lon;south\n1;Goole;53,25;0,5;1.234\n", 1), ("id;name;lat;lon;south\n1;Goole;53;0;1.234\n", 1),
            ("id;name;lat;lon;south\n1;Goole;53,25;0,5;12,5\n", 0),
            ("id;name;lat;lon;south\n1;Goole;53.25;0.5;1.234\n", 0), ("id,name,lat,lon,south\n1,Goole,53,0,1.234\n", 0),
        ] as [(String, Int)])
    func points(text: String, errors: Int) async throws {
        let world = try await Imported.make()
        let report = try await world.apply(text, world.options(), type: "city")
        #expect((report.new, report.errors) == (1 - errors, errors))
    }

    @Test(
        "A file without records is refused, whatever its format",
        arguments: ["", "id,name\n", "{\"items\": []}", ",,\n,,\n"])
    func noRecords(text: String) async throws {
        let world = try await Imported.make()
        let refusal = Failure.refused(code: "empty", message: "The file has no records.")
        await #expect(throws: refusal) { try await world.plan(text, world.options()) }
        await #expect(throws: refusal) { try await world.apply(text, world.options()) }
    }

    @Test(
        "B64, B24, B34: a plan reports new and invalid rows and writes nothing; the import does what the plan reported"
    )
    func planThenApply() async throws {
        let world = try await Imported.make()
        let plan = try await world.plan(Self.table, world.options())
        #expect((plan.new, plan.changed, plan.unchanged, plan.errors) == (2, 0, 0, 4))
        #expect(plan.problems.map(\.location) == ["line 4", "line 5", "line 6", "line 7"])
        let messages = plan.problems.compactMap(\.message)
        #expect(messages.first == "Address is required.")
        #expect(messages.dropFirst().first?.contains("Enter 90 or less") == true)
        #expect(messages.dropFirst(2).first?.contains("atlantis") == true)
        #expect(messages.last?.contains("used in line 3") == true)
        #expect(try await world.places().isEmpty)
        let done = try await world.apply(Self.table, world.options())
        #expect((done.new, done.errors) == (2, 4))
        #expect(done.publications.count == 1)
        #expect(try await world.places() == ["Anchor 1 Quay", "Bell 2 Quay"])
        let extra: String = try await world.test.client.one(
            "select document -> 'extra' ->> 'beer' as beer from api_v1.place where name = 'Anchor'")("beer")
        #expect(extra == "yes", "a column without a field is an extra attribute")
        #expect(try await world.test.database.publications.verify().isEmpty)
    }

    @Test("B64: a newer file updates the entries of an older one: only different values, and no fields that it lacks")
    func again() async throws {
        let world = try await Imported.make()
        _ = try await world.apply(Self.table, world.options())
        let same = try await world.apply(Self.table, world.options())
        #expect((same.new, same.changed, same.unchanged) == (0, 0, 2))
        #expect(same.publications.isEmpty)
        let id: ID<Entry> = try await world.test.client.one("select id from api_v1.place where name = 'Bell'")("id")
        let newest = try #require(try await world.test.database.revisions.newest(of: id))
        _ = try await world.write.edit(
            id,
            fields: newest.content.fields.merging([
                "summary": "By hand", "image": .object(["url": "https://images.example/bell.jpg"]),
            ]) { _, new in new },
            base: 1, publishTiming: .now, by: TestDatabase.administrator)
        let newer = "id,name,address,lat,lon,city\n2,Bell,22 Quay,53.2,-0.2,hull\n9,Fox,9 Quay,53.2,-0.2,hull\n"
        let plan = try await world.plan(newer, world.options())
        #expect(plan.changes.map(\.fields) == [["Address"], []])
        let report = try await world.apply(newer, world.options())
        #expect((report.new, report.changed) == (1, 1))
        #expect(try await world.places() == ["Anchor 1 Quay", "Bell 22 Quay", "Fox 9 Quay"])
        let kept: String = try await world.test.client.one(
            "select document ->> 'summary' as s from api_v1.place where id = \(id)")("s")
        #expect(kept == "By hand")
        let image: String = try await world.test.client.one("select image from api_v1.place where id = \(id)")(
            "image")
        #expect(image == "https://images.example/bell.jpg", "a default image does not replace an image")
        let history = try await world.test.database.revisions.history(of: id)
        #expect(history.map(\.number) == [3, 2, 1])
        let other = try await world.apply(newer, world.options { $0.source = "another list" })
        #expect(other.new == 2, "ids mean something within their source only")
    }

    @Test("An unpublished entry stays unpublished: a newer file creates a draft")
    func unpublished() async throws {
        let world = try await Imported.make()
        _ = try await world.apply(Self.table, world.options())
        let id: ID<Entry> = try await world.test.client.one("select id from api_v1.place where name = 'Bell'")("id")
        _ = try await world.write.unpublish(id, by: TestDatabase.administrator)
        let report = try await world.apply(
            "id,name,address,lat,lon,city\n2,Bell,22 Quay,53.2,-0.2,hull\n", world.options())
        #expect(report.changes.first?.message?.contains("unpublished") == true)
        let entry = try await world.test.database.entries.find(id)
        #expect(entry?.live == nil)
        #expect(entry?.newest == 2)
        #expect(entry?.approved == 1)
    }

    @Test("Rows become drafts, approved or published versions; an actor without permission is refused first")
    func publishTiming() async throws {
        let world = try await Imported.make()
        let row = "id,name,address,lat,lon,city\n1,Anchor,1 Quay,53.1,-0.1,hull\n"
        _ = try await world.apply(row, world.options { ($0.source, $0.publishTiming) = ("drafts", .draft) })
        _ = try await world.apply(row, world.options { ($0.source, $0.publishTiming) = ("approved", .approveOnly) })
        #expect(try await world.places().isEmpty)
        let waiting = try await world.test.services.publishRelease.waiting(by: TestDatabase.administrator)
        #expect(waiting.entries == 1)
        let editor = try await world.test.actor(.editor)
        await #expect(throws: Failure.self) {
            _ = try await world.work.apply(
                RecordReader(Array(row.utf8)), type: "place", world.options(), by: editor)
        }
    }

    @Test("Categories match by slug, name, synonym or translation; unknown ones are reported, or created on request")
    func categories() async throws {
        let world = try await Imported.make()
        _ = try await world.write.create(
            type: "category",
            fields: [
                "title": "Fish and chips", "group": .string(SeedEntry.topicGroup.description), "synonyms": "Chippy",
                "names": .array([.object(["locale": "de", "name": "Fisch und Pommes"])]),
            ],
            publishTiming: .now, by: TestDatabase.administrator)
        let text = """
            id,name,address,lat,lon,city,cuisine
            1,A,1 Quay,53.1,-0.1,hull,fish_and_chips;pizza
            2,B,1 Quay,53.1,-0.1,hull,chippy
            3,C,1 Quay,53.1,-0.1,hull,sushi
            4,D,1 Quay,53.1,-0.1,hull,FISCH und Pommes
            """
        let strict = try await world.plan(text, world.options { $0.categories = [] })
        #expect((strict.new, strict.errors) == (3, 1))
        #expect(strict.unknownCategories == ["pizza": 1, "sushi": 1])
        let creating = world.options { $0.createCategoriesIn = "topic" }
        #expect(try await world.plan(text, creating).new == 4)
        _ = try await world.apply(text, creating)
        let names = try await world.test.client.query(
            "select name || ' ' || item_count as line from api_v1.category order by 1"
        ).map { try $0("line") as String }
        #expect(names == ["Fish and chips 3", "Pizza 1", "Sushi 1"])
        let again = try await world.apply(text, creating)
        #expect(again.unchanged == 4)
        await #expect(throws: Failure.self) {
            _ = try await world.plan(text, world.options { $0.createCategoriesIn = "no" })
        }
        await #expect(throws: Failure.self) { _ = try await world.plan(text, world.options { $0.city = "no" }) }
        await #expect(throws: Failure.self) {
            _ = try await world.plan(text, world.options { $0.columns = ["nothing": "x"] })
        }
    }

    @Test("Categories whose names share a slug are distinguished; a row with a name of several is refused")
    func similarCategories() async throws {
        let world = try await Imported.make()
        for (title, group) in [
            ("C", SeedEntry.topicGroup), ("C#", SeedEntry.topicGroup), ("Park", SeedEntry.topicGroup),
            ("Park", SeedEntry.placeGroup),
        ] {
            try await world.test.publish("category", title, ["group": .string(group.description)])
        }
        let text = """
            id,name,address,lat,lon,city,cuisine
            1,A,1 Quay,53.1,-0.1,hull,C#
            2,B,1 Quay,53.1,-0.1,hull,park
            3,D,1 Quay,53.1,-0.1,hull,park;c
            4,E,1 Quay,53.1,-0.1,hull,park-2
            """
        let report = try await world.apply(text, world.options { $0.categories = ["unsorted"] })
        #expect((report.new, report.errors) == (2, 2))
        #expect(report.problems.allSatisfy { $0.message?.hasPrefix("\"park\" is ambiguous: it matches 2.") == true })
        let names = try await world.test.client.query(
            "select name || ' ' || slug as line from api_v1.category where item_count > 0 order by 1"
        ).map { try $0("line") as String }
        #expect(names == ["C# c-2", "Park park-2"])
    }

    @Test("Created categories come after the others of their group, and all publications are counted")
    func createdCategories() async throws {
        let world = try await Imported.make()
        _ = try await world.write.create(
            type: "category",
            fields: ["title": "First", "group": .string(SeedEntry.topicGroup.description), "position": .int(30)],
            publishTiming: .now, by: TestDatabase.administrator)
        var text = "id,name,address,lat,lon,city,cuisine\n"
        for number in 1...30 { text += "\(number),Bar \(number),1 Quay,53.1,-0.1,hull,kind \(number)\n" }
        let before = try await world.test.database.publications.current()
        let report = try await world.apply(text, world.options { $0.createCategoriesIn = "topic" })
        let after = try await world.test.database.publications.current()
        #expect(report.new == 30 && report.publications == Array(before + 1...after))
        #expect(report.publications.count == 2, "one for the categories, one for the places")
        let positions = try await world.test.client.query(
            "select position from api_v1.category where name like 'Kind %' order by name collate \"C\", id"
        ).map { Int(try $0("position") as Int64) }
        #expect(positions.sorted() == (1...30).map { 30 + $0 * 10 })
    }

    @Test("A refused row creates no category, and a plan says the same")
    func refusedCategories() async throws {
        let world = try await Imported.make()
        let options = world.options { $0.createCategoriesIn = "topic" }
        let before = try await world.test.database.publications.current()
        let refused = """
            id,name,address,lat,lon,city,cuisine
            1,A,1 Quay,93,-0.1,hull,pizza
            2,B,1 Quay,53,-0.1,no,sushi

            """
        for report in [try await world.plan(refused, options), try await world.apply(refused, options)] {
            #expect((report.new, report.errors) == (0, 2) && report.publications.isEmpty)
        }
        #expect(try await world.test.database.publications.current() == before)
        let report = try await world.apply(refused + "3,C,1 Quay,53,-0.1,hull,sushi\n", options)
        #expect((report.new, report.errors) == (1, 2) && report.publications.count == 2)
        let names: [String] = try await world.test.client.query(
            "select name from api_v1.category where name in ('Pizza', 'Sushi')"
        ).map { try $0("name") }
        #expect(names == ["Sushi"])
    }

    @Test("An archived category is never assigned: the plan says so, and the rest is imported")
    func archivedCategory() async throws {
        let world = try await Imported.make()
        let pubs = try await world.write.create(
            type: "category", fields: ["title": "Pubs", "group": .string(SeedEntry.topicGroup.description)],
            publishTiming: .now, by: TestDatabase.administrator
        ).entry
        _ = try await world.test.services.archiveCategory(pubs, by: TestDatabase.administrator)
        let text = """
            id,name,address,lat,lon,city,cuisine
            1,A,1 Quay,53.1,-0.1,hull,pubs
            2,B,1 Quay,53.1,-0.1,hull,pubs;unsorted
            3,C,1 Quay,53.1,-0.1,hull,unsorted
            """
        for creates in [false, true] {
            let options = world.options {
                $0.categories = []
                $0.createCategoriesIn = creates ? "topic" : nil
            }
            let plan = try await world.plan(text, options)
            #expect((plan.new, plan.errors) == (2, 1))
            #expect(plan.archivedCategories == ["\"Pubs\" (\(pubs))": 2] && plan.unknownCategories.isEmpty)
            #expect(
                plan.problems.first?.message
                    == "Categories: \"Pubs\" (\(pubs)) is archived. Add another category to the row or set one for all rows."
            )
        }
        let done = try await world.apply(text, world.options { $0.categories = [] })
        #expect((done.new, done.errors, done.blocked) == (2, 1, 0))
        #expect(try await world.places().count == 2)
        await #expect(throws: Failure.self) {
            _ = try await world.plan(text, world.options { $0.categories = ["Pubs"] })
        }
    }

    @Test("One row that a rule blocks is approved but not published, with the reason; the others are published")
    func blocked() async throws {
        let world = try await Imported.make()
        _ = try await world.write.create(
            type: "category", fields: ["title": "Drafted", "group": .string(SeedEntry.topicGroup.description)],
            by: TestDatabase.administrator)
        let text = """
            id,name,address,lat,lon,city,cuisine
            1,A,1 Quay,53.1,-0.1,hull,drafted
            2,B,2 Quay,53.1,-0.1,hull,unsorted
            """
        let report = try await world.apply(text, world.options { $0.categories = [] })
        #expect((report.new, report.errors, report.blocked, report.publications.count) == (2, 0, 1, 1))
        #expect(report.problems.first?.message?.hasPrefix("Place \"A\" (") == true)
        #expect(try await world.places() == ["B 2 Quay"])
    }

    @Test("Many rows with the same name get distinct slugs, in one publication with correct counts")
    func many() async throws {
        let world = try await Imported.make()
        var text = "Name,AddressLine1,PostCode,Latitude,Longitude\n"
        for number in 1...400 { text += "Bakery,\(number % 100) Quay,HU\(number),53.\(1000 + number),-0.3\n" }
        let report = try await world.apply(text, world.options { $0.city = "hull" })
        #expect((report.new, report.errors, report.publications.count) == (400, 0, 1))
        let counts = try await world.test.client.query(
            """
            select (select place_count from api_v1.category_city_count) as n, (select place_count from api_v1.city) as c,
                (select count(distinct slug) from api_v1.place) as slugs
            """)
        #expect(try counts.first?("n") == 400)
        #expect(try counts.first?("c") == 400)
        #expect(try counts.first?("slugs") == 400)
        let again = try await world.plan(text, world.options { $0.city = "hull" })
        #expect(again.unchanged == 400, "without ids, name and coordinates identify them")
    }

    @Test("B26, B64: cities are imported from a GeoNames table")
    func cities() async throws {
        let world = try await Imported.make()
        let text =
            "geonameid\tname\tasciiname\talternatenames\tlatitude\tlongitude\tcountry_code\tpopulation\ttimezone\n"
            + "2643743\tLondon\tLondon\tLondres,Londýn,London\t51.5\t-0.12\tGB\t7556900\tEurope/London\n"
            + "6058560\tLondon\tLondon\t\t42.98\t-81.23\tCA\t346765\tAmerica/Toronto\n"
        let report = try await world.apply(text, world.options(), type: "city")
        #expect((report.new, report.errors) == (2, 0))
        let lines = try await world.test.client.query(
            "select slug || ' ' || (document ->> 'names') as line from api_v1.city where name = 'London' order by 1"
        ).map { try $0("line") as String }
        #expect(lines == [#"london ["Londres","Londýn"]"#, "london-ca []"])
        let slugs = try await world.test.client.query(
            "select slug from api_v1.city where name = 'London' order by 1"
        ).map { try $0("slug") as String }
        #expect(slugs == ["london", "london-ca"])
    }

    @Test("B63: an import is added to a release or scheduled; nothing is published before")
    func staged() async throws {
        let world = try await Imported.make()
        let actor = TestDatabase.administrator
        let compose = world.test.services.composeRelease
        let number = try await compose.create(title: "Spring", by: actor)
        let text = Self.table.split(separator: "\n").prefix(3).joined(separator: "\n")
        let held = try await world.apply(
            text,
            world.options {
                $0.publishTiming = .release(number)
            })
        #expect(held.new == 2 && held.release == number && held.publications.isEmpty)
        #expect(try await world.places().isEmpty)
        _ = try await world.test.services.publishRelease.release(number, seen: nil, by: actor)
        #expect(try await world.places() == ["Anchor 1 Quay", "Bell 2 Quay"])
        let time = PublishTiming.at(try WallTime(local: "2999-05-01T10:00", zone: "UTC", pointer: "/at"))
        let moved = try await world.apply(
            text.replacing("1 Quay", with: "9 Quay"), world.options { $0.publishTiming = time })
        let scheduled = try #require(moved.release)
        #expect(moved.changed == 1 && scheduled != number)
        #expect(try await world.places() == ["Anchor 1 Quay", "Bell 2 Quay"])
        #expect(try await world.test.database.releases.find(number: scheduled)?.state == .scheduled)
        for release in [number, 9999] {
            await #expect(throws: Failure.self) {
                try await world.apply(
                    text.replacing("Bell", with: "Ball"), world.options { $0.publishTiming = .release(release) })
            }
        }
        // An import without changes creates no release.
        let same = try await world.apply(
            text.replacing("1 Quay", with: "9 Quay"), world.options { $0.publishTiming = time })
        #expect(same.unchanged == 2 && same.release == nil)
    }

    @Test("A cell is the name of one category if there is one with it, and of several otherwise")
    func namesWithSeparators() async throws {
        let world = try await Imported.make()
        for title in ["Arts, crafts", "Arts", "Tea; coffee"] {
            try await world.test.publish(
                "category", title, ["group": .string(SeedEntry.topicGroup.description)])
        }
        let text = """
            id;name;address;lat;lon;city;category
            1;A;1 Quay;53,1;-0,1;hull;arts,  CRAFTS
            2;B;1 Quay;53,1;-0,1;hull;"Tea; coffee"
            3;C;1 Quay;53,1;-0,1;hull;"Arts, crafts;Tea"
            4;D;1 Quay;53,1;-0,1;hull;Arts,crafts,
            """
        let report = try await world.apply(text, world.options())
        #expect(report.new == 4 && report.unknownCategories == ["Tea": 1, "crafts": 1])
        let found = try await world.test.client.query(
            """
            select p.name || ' ' || string_agg(c.name, '|' order by c.name) as line
            from api_v1.place p join api_v1.category c on c.id = any(p.category_ids) group by p.id, p.name order by 1
            """
        ).map { try $0("line") as String }
        #expect(found == ["A Arts, crafts", "B Tea; coffee", "C Arts, crafts", "D Arts"])
    }

    @Test("Rows with ids and names longer than the database keeps are distinct, and found again")
    func longIdentities() async throws {
        let world = try await Imported.make()
        let id = String(repeating: "e\u{301}\u{323}", count: 299)
        let name = String(repeating: "x\u{301}\u{323}\u{331}", count: 190)
        let text =
            "id,name,address,lat,lon,city\n\(id)1,A,1 Quay,53,0,hull\n\(id)2,B,1 Quay,53,0,hull\n"
            + ",\(name)1,1 Quay,53,0,hull\n,\(name)2,1 Quay,53,0,hull\n3,C,1 Quay,53,0,hull\n"
        let first = try await world.apply(text, world.options())
        #expect((first.new, first.errors) == (5, 0))
        #expect(try await world.apply(text, world.options()).unchanged == 5)
    }
}
