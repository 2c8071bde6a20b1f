// Tests catalogs as data: their files, the schemas of their details, and an additional catalog.
import Domain
import FoundationEssentials
import Lists
import Platform
import Store
import TestSupport
import Testing

@Suite("Catalogs as data", .databases)
struct CatalogKindTests {
    private static let folder = TestDatabase.packageRoot + "/Config/catalogs"

    private static func files(_ more: [String: String] = [:]) throws -> [(name: String, bytes: [UInt8])] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let shipped = names.compactMap { name in
            FileManager.default.contents(atPath: "\(folder)/\(name)").map { (name: name, bytes: [UInt8]($0)) }
        }
        return shipped + more.map { (name: $0.key, bytes: Array($0.value.utf8)) }
    }

    private static func kind(_ details: String) throws -> CatalogKind {
        let text =
            #"{"name": "game", "label": "Game", "plural": "Games", "source": "google_books", "details": \#(details)}"#
        let kinds = try CatalogKinds(files: [(name: "game.json", bytes: Array(text.utf8))])
        return try #require(kinds["game"])
    }

    @Test("D6, K6: five catalogs ship, and each has searches")
    func shipped() throws {
        let kinds = try CatalogKinds(folder: Self.folder)
        #expect(kinds.all.map(\.name) == ["book", "movie", "restaurant", "song", "tv"])
        let rules = try CatalogRules(Settings.Catalogs(sources: [:], fresh: .seconds(1)), kinds: kinds)
        #expect(kinds.all.allSatisfy { !rules.searches(of: $0).isEmpty })
    }

    @Test("D35: a catalog's label is not its kind, and no read row contains it", .packs(.lists))
    func labels() async throws {
        let fixture = try await CatalogFixture.make()
        #expect(fixture.kinds.all.allSatisfy { $0.label != $0.name })
        let films = try await fixture.films(["A"])
        try await fixture.list("One", films)
        let document: JSONValue = try await fixture.test.client.one("select document from api_v1.catalog_item")(
            "document")
        #expect(document["kind"] == "movie" && !document.canonicalText.contains("Movie"))
    }

    @Test(
        "D16: another catalog needs only a file: searches, lists and reads work without new tables or URLs",
        .packs(.lists))
    func another() async throws {
        let game = """
            {"name": "game", "label": "Game", "plural": "Games", "source": "google_books",
             "details": {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}}}
            """
        try await SourceWorld.with(kinds: try CatalogKinds(files: Self.files(["game.json": game]))) { world in
            world.source.respond(
                #"{"kind": "books#volumes", "items": [{"id": "g1", "volumeInfo": {"title": "Whist"}}]}"#)
            let result = try await world.find("game", "title", ["text": "whist"])
            #expect(result.items.map(\.kind) == ["game"])
            let list = try await world.fixture.list("Games", result.items.map(\.id))
            #expect(try await world.fixture.items(list).map(\.title) == ["Whist"])
            let reads = ReadDatabase(
                guest: world.fixture.test.guest, reader: world.fixture.test.reader,
                delivery: world.fixture.test.delivery, packs: TestDatabase.packs)
            let page = try await reads.rows(as: .guest).catalogs.page("game", query: "whist", cursor: nil)
            #expect(page.count == 1)
        }
    }

    @Test("D16: an invalid file is refused with all errors and their pointers")
    func wrong() throws {
        let text =
            #"{"name": "x", "plural": "Xs", "source": "tmdb", "details": {"type": "record", "require": []}, "y": 1}"#
        let refusal = try #require(throws: Failure.self) {
            _ = try CatalogKinds(files: [(name: "game.json", bytes: Array(text.utf8))])
        }
        guard case .invalid(let errors) = refusal else { throw refusal }
        #expect(
            Set(errors.items.map(\.pointer)) == [
                "game.json#/name", "game.json#/label", "game.json#/y", "game.json#/details/type",
                "game.json#/details/require",
            ])
        let kinds = try CatalogKinds(files: [
            (
                name: "game.json",
                bytes: Array(
                    #"{"name": "game", "label": "Game", "plural": "Games", "source": "nowhere", "details": {}}"#.utf8)
            )
        ])
        #expect(throws: ConfigurationError.self) {
            _ = try CatalogRules(Settings.Catalogs(sources: [:], fresh: .seconds(1)), kinds: kinds)
        }
    }

    @Test(
        "D8: schema limits are inclusive",
        arguments: [
            (#"{"minimum": 0}"#, "0", true), (#"{"minimum": 0}"#, "-0.01", false), (#"{"maximum": 5}"#, "5", true),
            (#"{"maximum": 5}"#, "5.01", false), (#"{"minLength": 1}"#, #""a""#, true),
            (#"{"minLength": 1}"#, #""""#, false), (#"{"maxLength": 2}"#, #""ab""#, true),
            (#"{"maxLength": 2}"#, #""abc""#, false), (#"{"type": "integer"}"#, "1", true),
            (#"{"type": "integer"}"#, "1.5", false), (#"{"type": ["string", "null"]}"#, "null", true),
            (#"{"type": "object"}"#, "[]", false), (#"{"required": ["a"]}"#, #"{"a": null}"#, true),
            (#"{"required": ["a"]}"#, "{}", false), (#"{"items": {"type": "string"}}"#, "[]", true),
            (#"{"items": {"type": "string"}}"#, #"["a", 1]"#, false), (#"{"enum": ["a", 1]}"#, "1", true),
            (#"{"enum": ["a", 1]}"#, "2", false), (#"{"properties": {"a": {"type": "string"}}}"#, #"{"b": 1}"#, true),
            (#"{"properties": {"a": {"type": "string"}}}"#, #"{"a": 1}"#, false),
            (#"{"format": "uri"}"#, #""https://example.org/a.jpg""#, true),
            (#"{"format": "uri"}"#, #""http://example.org""#, true), (#"{"format": "uri"}"#, #""/a.jpg""#, false),
            (#"{"format": "uri"}"#, #""javascript:alert(1)""#, false), (#"{"format": "uri"}"#, "1", true),
        ])
    func schema(_ schema: String, _ value: String, _ isValid: Bool) throws {
        let kind = try Self.kind(schema)
        #expect(kind.details.check(try JSONValue(parsing: Array(value.utf8))).isEmpty == isValid)
    }

    @Test("D8: unknown members are kept unchanged; a record without required members is invalid")
    func record() throws {
        let kind = try Self.kind(
            #"{"type": "object", "required": ["title", "a"], "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}"#
        )
        let valid = try #require(
            CatalogRecord(
                kind, externalID: " 7 ", title: "A\nB", details: ["a": .int(1), "b": .int(2), "c": .array([.null])]))
        #expect(valid.externalID == "7" && valid.title == "A B")
        #expect(valid.details == ["title": "A B", "a": .int(1), "c": .array([.null])])
        #expect(CatalogRecord(kind, externalID: "7", title: "A", details: [:]) == nil)
        #expect(CatalogRecord(kind, externalID: "7", title: "A", details: ["a": "1"]) == nil)
        #expect(CatalogRecord(kind, externalID: " ", title: "A", details: ["a": .int(1)]) == nil)
        #expect(CatalogRecord(kind, externalID: "7", title: "A\u{202E}B", details: ["a": .int(1)]) == nil)
        #expect(CatalogRecord(kind, externalID: "7", title: "A\u{200F}B", details: ["a": .int(1)]) != nil)
        let most = JSONValue.string(String(repeating: "x", count: CatalogRecord.detailBytes))
        #expect(CatalogRecord(kind, externalID: "7", title: "A", details: ["a": .int(1), "c": most]) == nil)
    }

    @Test(
        "D8: strings that run as a program are left out, also of unknown members",
        arguments: [
            "javascript:alert(1)", " JavaScript:alert(1)", "java\tscript:alert(1)", "data:text/html,<script>",
            "vbscript:x",
        ])
    func scripts(_ text: String) throws {
        let kind = try Self.kind(#"{"type": "object", "properties": {"poster": {"type": "string", "format": "uri"}}}"#)
        let record = try #require(
            CatalogRecord(
                kind, externalID: "7", title: "A",
                details: [
                    "poster": .string(text), "link": .string(text), "links": .array([.string(text), "kept"]),
                    "more": .object(["url": .string(text), "n": .int(1)]), "about": "Uses javascript: and data: URLs",
                ]))
        #expect(
            record.details == [
                "title": "A", "links": .array(["kept"]), "more": .object(["n": .int(1)]),
                "about": "Uses javascript: and data: URLs",
            ])
    }
}
