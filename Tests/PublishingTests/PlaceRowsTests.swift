// Tests which rows one change of a place, a city or a promotion writes.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("The rows of places", .databases, .packs(.places))
struct PlaceRowsTests {
    /// Two cities, a place in each (both "Unsorted") and one place with three promotions.
    private struct World {
        let test: TestDatabase
        let write: WriteEntry
        let first, second, place: ID<Entry>
        let promotions: [ID<Entry>]

        static func make() async throws -> World {
            let test = try await TestDatabase.make()
            let write = test.write
            func make(_ type: String, _ title: String, _ fields: [String: JSONValue]) async throws -> ID<Entry> {
                try await write.create(
                    type: type, fields: fields.merging(["title": JSONValue.string(title)]) { _, new in new },
                    publishTiming: .now, by: TestDatabase.administrator
                ).entry
            }
            func place(_ title: String, _ city: ID<Entry>) async throws -> ID<Entry> {
                try await make(
                    "place", title,
                    [
                        "city": .string(city.description), "address": "Quay 1",
                        "image": "https://images.example/a.jpg",
                        "point": .object(["lat": .int(1), "lon": .int(2)]),
                        "categories": .array([.string(SeedEntry.unsorted.description)]),
                    ])
            }
            let center: JSONValue = .object(["lat": .int(1), "lon": .int(2)])
            let first = try await make("city", "First", ["center": center])
            let second = try await make("city", "Second", ["center": center])
            _ = try await place("Other", first)
            _ = try await place("Another", second)
            let id = try await place("Door", first)
            var promotions: [ID<Entry>] = []
            for number in 1...3 {
                promotions.append(
                    try await make(
                        "promotion", "Offer \(number)",
                        [
                            "place": .string(id.description), "starts_at": "2026-01-01T00:00:00Z",
                            "ends_at": "2036-01-01T00:00:00Z",
                        ]))
            }
            return World(test: test, write: write, first: first, second: second, place: id, promotions: promotions)
        }

        /// Changes an entry and publishes that: what was written, as `table operation`, sorted.
        func edit(_ id: ID<Entry>, _ changes: [String: JSONValue]) async throws -> [String] {
            guard let newest = try await test.database.revisions.newest(of: id) else { throw Failure.missing("entry") }
            let fields = newest.content.fields.merging(changes) { _, new in new }
            _ = try await write.edit(
                id, fields: fields, base: newest.number, publishTiming: .now, by: TestDatabase.administrator)
            return try await written()
        }

        func written() async throws -> [String] {
            try await test.client.query(
                """
                select read_table || ' ' || operation as line from api_v1.change
                where publication = (select max(number) from api_v1.publication) order by 1
                """
            ).map { try $0("line") as String }
        }
    }

    private static let threePromotions = ["promotion update", "promotion update", "promotion update"]

    @Test("B51: renaming a place changes its row, its three promotions and its search rows, in the same publication")
    func rename() async throws {
        let world = try await World.make()
        let rows = try await world.edit(world.place, ["title": "Gate"])
        #expect(rows == ["place update"] + Self.threePromotions + ["search update", "search_full update"])
        let names = try await world.test.client.query(
            "select document -> 'place' ->> 'name' as name from api_v1.promotion"
        ).map { try $0("name") as String }
        #expect(names == ["Gate", "Gate", "Gate"])
    }

    @Test("B51: a new image changes the place and its promotions and nothing else")
    func image() async throws {
        let world = try await World.make()
        let rows = try await world.edit(world.place, ["image": "https://images.example/b.jpg"])
        #expect(rows == ["place update"] + Self.threePromotions + ["search update", "search_full update"])
    }

    @Test("B31, B48: a place that moves changes its promotions and the counts of both cities")
    func move() async throws {
        let world = try await World.make()
        let rows = try await world.edit(world.place, ["city": .string(world.second.description)])
        let counts = ["category_city_count update", "category_city_count update"]
        #expect(
            rows == counts + ["category_member update", "city update", "city update", "place update"]
                + Self.threePromotions + ["search update", "search_full update"])
        let numbers = try await world.test.client.query(
            "select place_count from api_v1.category_city_count order by place_count"
        ).map { try $0("place_count") as Int }
        #expect(numbers == [1, 2])
    }

    @Test(
        "B22, B31: unpublishing a place removes its promotions and counts, and leaves tombstones"
    )
    func unpublish() async throws {
        let world = try await World.make()
        _ = try await world.write.unpublish(world.place, by: TestDatabase.administrator)
        let rows = try await world.written()
        #expect(
            rows == [
                "category update", "category_city_count update", "category_member delete", "city update",
                "place delete",
            ]
                + ["promotion delete", "promotion delete", "promotion delete"]
                + Array(repeating: "search delete", count: 4) + Array(repeating: "search_full delete", count: 4)
                + ["tombstone insert"])
    }

    @Test(
        "B31: unpublishing the last place of a category removes the category; publishing one again restores it"
    )
    func lastOfCategory() async throws {
        let world = try await World.make()
        let category = try await world.write.create(
            type: "category",
            fields: ["title": "Pubs", "group": .string(SeedEntry.placeGroup.description)], publishTiming: .now,
            by: TestDatabase.administrator
        ).entry
        #expect(try await world.test.client.query("select from api_v1.category where id = \(category)").isEmpty)
        let both: JSONValue = .array([.string(category.description), .string(SeedEntry.unsorted.description)])
        #expect(
            try await world.edit(world.place, ["categories": both])
                == [
                    "category insert", "category_city_count insert", "category_member insert", "place update",
                    "search insert", "search update", "search_full insert", "search_full update",
                ])
        let one: JSONValue = .array([.string(SeedEntry.unsorted.description)])
        #expect(
            try await world.edit(world.place, ["categories": one])
                == [
                    "category delete", "category_city_count delete", "category_member delete", "place update",
                    "search delete", "search update", "search_full delete", "search_full update",
                ])
    }

    @Test("B24, B26: a city with places can't be unpublished, and a place can't be published before its city")
    func cityStays() async throws {
        let world = try await World.make()
        await #expect(throws: Failure.self) {
            _ = try await world.write.unpublish(world.first, by: TestDatabase.administrator)
        }
        #expect(try await world.test.database.entries.find(world.first)?.live != nil)
    }

    @Test(
        "B24, B34, B35, B51, B64: missing and invalid values are reported at their fields",
        arguments: [
            ("place", "title"), ("place", "address"), ("place", "image"), ("place", "point"), ("place", "city"),
            ("place", "categories"), ("promotion", "title"), ("promotion", "place"), ("promotion", "starts_at"),
            ("promotion", "ends_at"), ("city", "title"), ("city", "center"),
        ])
    func needed(type: String, field: String) async throws {
        let rules = try TestDatabase.standardRules()
        var fields = Self.whole[type] ?? [:]
        _ = try await rules.checked(fields, as: try rules.type(named: type), for: .revision)
        fields[field] = nil
        let failure = await #expect(throws: Failure.self) {
            _ = try await rules.checked(fields, as: try rules.type(named: type), for: .revision)
        }
        guard case .invalid(let errors) = failure else {
            Issue.record("\(String(describing: failure)) is no list of errors")
            return
        }
        #expect(errors.items.map(\.pointer) == ["/fields/\(field)"])
        #expect(errors.items.map(\.code) == ["required"])
    }

    @Test(
        "B24, B51, B35: values at the edges",
        arguments: [
            ("place", "point", #"{"lat": 90, "lon": -180}"#, true),
            ("place", "point", #"{"lat": 90.00001, "lon": 0}"#, false),
            ("place", "point", #"{"lat": 0, "lon": 180}"#, true),
            ("place", "point", #"{"lat": 0, "lon": -180.00001}"#, false),
            ("place", "categories", "[]", false), ("place", "extra", #"{"wheelchair": "yes"}"#, true),
            ("place", "extra", "[1]", false),
            // It starts at 2026-01-01T10:00:00Z.
            ("promotion", "ends_at", #""2026-01-01T10:00:00Z""#, false),
            ("promotion", "ends_at", #""2026-01-01T11:00:00+01:00""#, false),
            ("promotion", "ends_at", #""2026-01-01T10:00:00.000001Z""#, true),
            ("promotion", "ends_at", #""2026-01-01T10:30:00+01:00""#, false),
            ("promotion", "ends_at", #""2026-01-01T10:00:01Z""#, true),
        ])
    func edges(type: String, field: String, value: String, isGood: Bool) async throws {
        let rules = try TestDatabase.standardRules()
        var fields = Self.whole[type] ?? [:]
        fields[field] = try JSONValue(parsing: Array(value.utf8))
        let checked = try? await rules.checked(fields, as: try rules.type(named: type), for: .revision)
        #expect((checked != nil) == isGood)
    }

    private static let id: JSONValue = "0197c0de-0000-7000-8000-000000000000"
    private static let point: JSONValue = .object(["lat": .int(0), "lon": .int(0)])
    private static let whole: [String: [String: JSONValue]] = [
        "city": ["title": "A", "center": point],
        "place": [
            "title": "A", "city": id, "address": "B", "point": point, "image": "https://images.example/a.jpg",
            "categories": .array([id]),
        ],
        "promotion": [
            "title": "A", "place": id, "starts_at": "2026-01-01T10:00:00Z", "ends_at": "2026-01-02T10:00:00Z",
        ],
    ]
}
