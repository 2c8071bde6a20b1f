// Tests that packs are enabled and disabled without losing anything.
import Domain
import EventLoop
import FoundationEssentials
import Operations
import Postgres
import Store
import Synchronization
import TestBasics
import TestSupport
import Testing

@Suite("Packs", .databases)
struct PackTests {
    private struct World {
        let test: TestDatabase
        let owner: PostgresClient

        func migrate(_ packs: PackSet) async throws {
            let folder = TestDatabase.packageRoot + "/Config/content-types"
            try await Schema(client: owner, roles: try #require(TestDatabase.roles), packs: packs).migrate(
                types: try ContentTypes(folder: folder, packs: packs), version: "test")
        }

        func names(_ query: SQL) async throws -> [String] { try await owner.query(query).map { try $0("name") } }

        func count(_ table: String) async throws -> Int {
            try await owner.one("select count(*) as n from \(raw: table)")("n")
        }
    }

    private func world() async throws -> World {
        let test = try await TestDatabase.make()
        return World(test: test, owner: test.superuser())
    }

    /// Tables, columns, settings and texts of which a deployment of the core alone has no trace.
    private static let ofPacks =
        "(^|_)(city|cities|place|places|promotion|promotions|review_of|rating|route|routes|badge|badges|observation|postcode|catalog|list|list_item)(_|$)"

    @Test("A database of the core has no table, setting or text of a pack, and passes verification")
    func core() async throws {
        let name = "vitrine_core_alone"
        try await TestCluster.shared.createDatabase(named: name)
        let loop = EventLoop(name: "core")
        loop.start()
        defer { loop.stop() }
        let core = PostgresClient(
            configuration: PostgresConfiguration(
                url: try await TestCluster.shared.url(database: name), applicationName: "tests"), loops: [loop])
        core.start()
        let folder = TestDatabase.packageRoot + "/Config/content-types"
        try await Schema(client: core, roles: try #require(TestDatabase.roles), packs: .none).migrate(
            types: try ContentTypes(folder: folder, packs: .none), version: "test")
        let traces: [String] = try await core.query(
            """
            select schemaname || '.' || tablename as name from pg_tables
            where schemaname in ('api_v1', 'curation', 'ops', 'delivery') and tablename ~ \(Self.ofPacks)
            union all select name from vitrine.migration where name not like 'core/%'
            union all select projection || ' ' || cause from projection.dependency
                where projection ~ \(Self.ofPacks) or cause ~ \(Self.ofPacks) or kinds::text ~ \(Self.ofPacks)
            union all select content ->> 'key' from curation.revision
                where content ->> 'key' ~ '^(routes|observations|badge|places|closest|catalog|catalogs|weaving|bop|speed)[.]'
            """
        ).map { try $0("name") }
        #expect(traces == [])
        #expect(try await core.query("select from curation.verify()").isEmpty)
        // The bundle of a release has no catalog items.
        let database = Database(client: core, packs: .none)
        #expect(database.catalogItems == nil)
        let first = Mutex<[UInt8]?>(nil)
        let export = try await TestDatabase.make().services(on: database).exportBundle
        _ = try await export(write: { line in first.withLock { $0 = $0 ?? line } })
        let header = try JSONValue(parsing: first.withLock { $0 } ?? [])["vitrine_bundle"]
        #expect(header?["packs"] == .array([]))
        #expect(header?["schema"]?.stringValue?.hasPrefix("core/") == true)
        await core.close()
    }

    @Test("Everything that a pack inserts into SQL of the core has a line there that takes it, and each line a pack")
    func insertions() {
        let (used, offered) = TestDatabase.allPacks.insertionNames
        #expect(used == offered && used.count > 10)
    }

    @Test("Content types are checked for every field whose value a projection casts")
    func needs() throws {
        let folders = ["Store"] + ["Places", "Routes", "Lists"].map { "Packs/\($0)/Store" }
        var cast: Set<String> = []
        for folder in folders.map({ TestDatabase.packageRoot + "/Sources/\($0)/Projections" }) {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                let bytes = try #require(FileManager.default.contents(atPath: "\(folder)/\(name)"))
                let text = String(decoding: bytes, as: UTF8.self)
                for match in text.matches(of: #/->>? '(\w+)'(?: ->> '\w+')?\)::/#) { cast.insert(String(match.1)) }
            }
        }
        let needed = TestDatabase.allPacks.needs.values.joined().flatMap { [$0.name] + $0.fields.map(\.name) }
        #expect(cast.count > 20 && cast.subtracting(needed) == [])
    }

    @Test("The language of an item is a language tag: a type with another field of this name is refused")
    func language() throws {
        let core = PackSet.none
        var files = try JSONFolder.files(in: TestDatabase.packageRoot + "/Config/content-types", "content types")
        _ = try ContentTypes(files: files, kinds: core.kinds, needs: core.needs)
        let index = try #require(files.firstIndex { $0.name == "article.json" })
        let text = String(decoding: files[index].bytes, as: UTF8.self)
        files[index].bytes = Array(text.replacing(#""type": "locale""#, with: #""type": "key""#).utf8)
        let failure = try #require(throws: Failure.self) {
            _ = try ContentTypes(files: files, kinds: core.kinds, needs: core.needs)
        }
        guard case .invalid(let errors) = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(errors.items.map(\.code) == ["type"])
    }

    @Test("A pack that is disabled keeps its rows, unserved; enabled again it serves them", .allPacks)
    func disabled() async throws {
        let world = try await world()
        let write = world.test.services.writeEntry
        let city = try await write.create(
            type: "city",
            fields: ["title": "Bath", "center": .object(["lat": .double(51.38), "lon": .double(-2.36)])],
            publishTiming: .now, by: TestDatabase.administrator
        ).entry
        let route = try await RouteWorld(test: world.test).route()
        let found: SQL = "select id::text as name from api_v1.search where kind = 'route'"
        #expect(try await world.names(found) == [route.description])
        let (cities, live) = (try await world.count("api_v1.city"), try await world.count("curation.live"))
        #expect(cities == 1)

        try await world.migrate(.none)
        #expect(try await world.count("api_v1.city") == cities)
        #expect(try await world.count("curation.live") == live)
        #expect(try await world.names("select name from projection.read_table where name = 'city'") == [])
        #expect(try await world.names(found) == [])
        #expect(try await world.owner.query("select from curation.verify()").isEmpty)
        let off = try world.test.services(on: Database(client: world.test.client, packs: .none)).exportBundle
        let failure = await #expect(throws: Failure.self) { _ = try await off(write: { _ in }) }
        guard case .refused("packs", let sentence) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        for part in [
            "(lists, places, routes)", "curation.route_path", "entries of the kind city", "entries of the kind route",
            "\"lists places routes\"",
        ] { #expect(sentence.contains(part), "\(sentence)") }

        try await world.migrate(TestDatabase.packs)
        #expect(try await world.names("select id::text as name from api_v1.city") == [city.description])
        #expect(try await world.names(found) == [route.description])
        #expect(try await world.owner.query("select from curation.verify()").isEmpty)
        let report = try await world.test.services.exportBundle(write: { _ in })
        #expect(report.kinds.contains { $0.name == "route_path" })
    }
}
