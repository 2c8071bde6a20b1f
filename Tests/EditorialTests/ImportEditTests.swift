// Tests that an import changes stored entries as other edits do: by the rules of their types as they are by now.
import Domain
import Operations
import Places
import Store
import TestSupport
import Testing

@Suite("Imports as edits", .databases, .packs(.places))
struct ImportEditTests {
    /// Hull, imported with a country and a population.
    private struct Site {
        let test: TestDatabase
        let city: ID<Entry>

        init() async throws {
            test = try await TestDatabase.make()
            let report = try await Self.apply(
                "id,name,lat,lon,country,population\n1,Hull,53,0,GB,100\n", test.services)
            #expect((report.new, report.errors) == (1, 0))
            let found = try await test.database.imports.find(["1"], type: "city", source: "list")
            city = try #require(found["1"]).entry
        }

        static func apply(
            _ text: String, _ services: Services, type: String = "city",
            _ change: (inout ImportOptions) -> Void = { _ in }
        ) async throws -> ImportReport {
            var options = ImportOptions(source: "list")
            options.publishTiming = .now
            change(&options)
            return try await services.importEntries.apply(
                RecordReader(Array(text.utf8)), type: type, options, by: TestDatabase.administrator)
        }

        func apply(_ text: String, _ rules: ContentRules) async throws -> ImportReport {
            try await Self.apply(text, try test.services(content: rules))
        }

        func newest() async throws -> RevisionRow {
            try #require(try await test.database.revisions.newest(of: city))
        }
    }

    @Test("A newer file keeps the values of undeclared fields and drops those of removed ones")
    func fieldsOfBefore() async throws {
        let site = try await Site()
        let undeclared = try await site.apply(
            "id,name,lat,lon,population\n1,Hull,53,0,200\n", try TestDatabase.rules(without: "country", of: "city"))
        #expect((undeclared.changed, undeclared.errors) == (1, 0))
        #expect(try await site.newest().content.fields["country"] == "GB")

        let rules = try TestDatabase.rules(of: "city") { members in
            members["fields"] = .array(
                (members["fields"]?.arrayValue ?? []).filter { $0["name"]?.stringValue != "country" })
            members["removed_fields"] = .array(["country"])
        }
        let same = try await site.apply("id,name,lat,lon,population\n1,Hull,53,0,200\n", rules)
        #expect(same.unchanged == 1)
        #expect(try await site.newest().content.fields["country"] == "GB", "without a change there is no version")
        let removed = try await site.apply("id,name,lat,lon,population\n1,Hull,53,0,300\n", rules)
        #expect(removed.changes.map(\.fields) == [["Population"]])
        let newest = try await site.newest()
        #expect(newest.number == 3 && newest.content.fields["country"] == nil)
    }

    @Test("A row is refused if the stored values that it keeps don't pass with its own")
    func keptValues() async throws {
        let site = try await Site()
        let rules = try TestDatabase.rules(of: "city") { members in
            members["requires_together"] = .array([.array(["country", "zone"])])
        }
        let refused = try await site.apply("id,name,lat,lon,population\n1,Hull,53,0,200\n", rules)
        #expect((refused.changed, refused.errors) == (0, 1))
        #expect(refused.problems.first?.message?.hasPrefix("Time zone is required.") == true)
        #expect(try await site.newest().number == 1)
        let whole = try await site.apply(
            "id,name,lat,lon,population,country,zone\n1,Hull,53,0,200,GB,Europe/London\n", rules)
        #expect((whole.changed, whole.errors) == (1, 0))
    }

    @Test(
        "A row of a known entry keeps the values of required fields that its file lacks; that of a new one is refused",
        arguments: [
            "id,population\n1,200\n2,300\n",
            #"[{"id": 1, "population": 200}, {"id": 2, "population": 300}]"#,
        ])
    func requiredFields(file: String) async throws {
        let site = try await Site()
        let report = try await Site.apply(file, site.test.services)
        #expect((report.new, report.changed, report.errors) == (0, 1, 1))
        #expect(report.changes.map(\.title) == ["Hull"] && report.changes.map(\.fields) == [["Population"]])
        #expect(report.problems.map(\.message) == ["Name is required. Center is required."])
        let content = try await site.newest().content.fields
        #expect(content["title"] == "Hull" && content["center"] != nil && content["population"] == .int(200))
    }

    @Test("A row of a known place needs no city, image and categories; those that it names still have to exist")
    func requiredReferences() async throws {
        let site = try await Site()
        let first = try await Site.apply(
            "id,name,address,lat,lon\n1,Anchor,1 Quay,53.1,-0.1\n", site.test.services, type: "place"
        ) {
            ($0.city, $0.categories, $0.image) = ("hull", ["unsorted"], "https://images.example/none.jpg")
        }
        #expect((first.new, first.errors) == (1, 0))
        let changed = try await Site.apply("id,address\n1,2 Quay\n2,3 Quay\n", site.test.services, type: "place")
        #expect((changed.new, changed.changed, changed.errors) == (0, 1, 1))
        #expect(changed.changes.map(\.title) == ["Anchor"] && changed.changes.map(\.fields) == [["Address"]])
        #expect(changed.problems.first?.message?.hasPrefix("City: the row has none.") == true)
        let unknown = try await Site.apply("id,city\n1,atlantis\n", site.test.services, type: "place")
        #expect((unknown.unchanged, unknown.errors) == (0, 1))
        let category = try await Site.apply("id,category\n1,atlantis\n", site.test.services, type: "place")
        #expect((category.unchanged, category.changed, category.errors) == (0, 0, 1))
        #expect(category.problems.first?.message?.contains("none is named atlantis") == true)
        let both = try await Site.apply(
            "id,name,city,category\n1,,,atlantis\n2,Bell,hull,atlantis\n", site.test.services, type: "place")
        let message = try #require(category.problems.first?.message)
        #expect(both.problems.count == 2 && both.problems.allSatisfy { $0.message?.hasPrefix(message) == true })
    }

    @Test("A row of a known place keeps the other attributes that its file lacks")
    func attributes() async throws {
        let site = try await Site()
        func apply(_ file: String) async throws -> [String: JSONValue]? {
            let report = try await Site.apply(file, site.test.services, type: "place") {
                ($0.city, $0.categories, $0.image) = ("hull", ["unsorted"], "https://images.example/none.jpg")
            }
            #expect(report.errors == 0)
            let found = try await site.test.database.imports.find(["1"], type: "place", source: "list")
            return found["1"]?.content.fields["extra"]?.objectValue
        }
        #expect(
            try await apply("id,name,address,lat,lon,beer,wine\n1,Anchor,1 Quay,53.1,-0.1,yes,no\n") == [
                "beer": "yes", "wine": "no",
            ])
        #expect(try await apply("id,wine,tea\n1,yes,green\n") == ["beer": "yes", "wine": "yes", "tea": "green"])
    }

    @Test("The name of an entry is not one of its other names, also in a file that lacks it")
    func ownName() async throws {
        let site = try await Site()
        let report = try await Site.apply("id,alternatenames\n1,\"Hull,Kingston\"\n", site.test.services)
        #expect((report.changed, report.errors) == (1, 0))
        #expect(try await site.newest().content.fields["names"] == "Kingston")
    }

    @Test("A field that a newer file lacks keeps its value where the type has a default for it")
    func defaults() async throws {
        let site = try await Site()
        let rules = try TestDatabase.rules(of: "city") { members in
            members["fields"] = .array(
                (members["fields"]?.arrayValue ?? []).map { field in
                    guard field["name"] == "population", var changed = field.objectValue else { return field }
                    changed["default"] = .int(5)
                    return .object(changed)
                })
        }
        let report = try await site.apply(
            "id,name,lat,lon\n1,Kingston upon Hull,53,0\n2,Goole,53,0\n", rules)
        #expect(report.changes.map(\.fields) == [["Name"], []])
        #expect(try await site.newest().content.fields["population"] == .int(100))
        let found = try await site.test.database.imports.find(["2"], type: "city", source: "list")
        #expect(found["2"]?.content.fields["population"] == .int(5))
    }
}
