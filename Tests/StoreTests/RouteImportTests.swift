// Tests that many routes are imported together, each on its own account.
import Domain
import Editorial
import Publishing
import Routes
import Store
import TestSupport
import Testing

@Suite("Import of routes", .databases, .packs(.routes))
struct RouteImportTests {
    private func file(_ name: String, north: Double = 0, title: String? = nil) -> ImportRoutes.File {
        let points = [50.0, 50.005, 50.01].map { "<trkpt lat=\"\($0 + north)\" lon=\"10\"><ele>5</ele></trkpt>" }
            .joined()
        let text = "<gpx><trk><name>\(title ?? name)</name><trkseg>\(points)</trkseg></trk></gpx>"
        return (name: name, read: { Array(text.utf8) })
    }

    private func run(
        _ files: [ImportRoutes.File], _ world: RouteWorld, timing: PublishTiming = .now
    ) async throws -> [RouteImport] {
        let importing = ImportRoutes(
            database: world.test.database, rules: world.test.rules, city: "London", publishTiming: timing)
        var outcomes: [RouteImport] = []
        try await importing(files, plan: false, by: TestDatabase.administrator) { outcomes.append($0) }
        return outcomes
    }

    private func published(_ world: RouteWorld) async throws -> Int {
        try await world.test.client.one("select count(*) as n from api_v1.route")("n")
    }

    @Test("C13: 101 routes are published in three publications; importing them again finds them")
    func together() async throws {
        let world = try await RouteWorld.make()
        let files = (1...101).map { file("route-\($0).gpx") }
        let before = try await world.test.database.publications.current()
        let outcomes = try await run(files, world)
        #expect(outcomes.map(\.file) == files.map(\.name))
        #expect(outcomes.allSatisfy { $0.state == .new && $0.entry != nil })
        #expect(try await world.test.database.publications.current() == before + 3)
        #expect(try await published(world) == 101)
        let again = try await run(files, world)
        #expect(again.allSatisfy { $0.state == .known } && again.map(\.entry) == outcomes.map(\.entry))
        #expect(try await world.test.database.publications.current() == before + 3)
        #expect(try await world.isVerified())
    }

    @Test("C13: one that is refused when it is written doesn't keep the others from being published")
    func refusedAlone() async throws {
        let world = try await RouteWorld.make()
        let unreadable: ImportRoutes.File = (name: "bad.gpx", read: { Array("<gpx".utf8) })
        let hidden = String(repeating: "\u{202E}", count: 3)
        let outcomes = try await run(
            [file("a.gpx"), unreadable, file("hidden.gpx", title: hidden), file("b.gpx")], world)
        #expect(outcomes.first { $0.file == "bad.gpx" }?.state == .refused)
        #expect(outcomes.filter { ["a.gpx", "b.gpx"].contains($0.file) }.allSatisfy { $0.state == .new })
        #expect(try await published(world) >= 2)
    }

    @Test("C13: a name that occurs twice is one route with two versions")
    func repeated() async throws {
        let world = try await RouteWorld.make()
        let outcomes = try await run([file("a.gpx"), file("b.gpx"), file("a.gpx", north: 1)], world)
        #expect(outcomes.map(\.state) == [.new, .new, .changed])
        #expect(outcomes[0].entry == outcomes[2].entry && outcomes[0].entry != outcomes[1].entry)
        #expect(try await published(world) == 2)
        let south: Double = try await world.test.client.one(
            "select (document -> 'start' ->> 'lat')::float8 as lat from api_v1.route where id = \(outcomes[0].entry)"
        )("lat")
        #expect(south == 51)
        #expect(try await world.isVerified())
    }

    @Test("C13: drafts are not published, and a plan writes nothing")
    func drafts() async throws {
        let world = try await RouteWorld.make()
        _ = try await run([file("a.gpx")], world, timing: .draft)
        #expect(try await published(world) == 0)
        let importing = ImportRoutes(
            database: world.test.database, rules: world.test.rules, city: nil, publishTiming: .now)
        var states: [RouteImport.State] = []
        try await importing([file("a.gpx", north: 1), file("c.gpx")], plan: true, by: TestDatabase.administrator) {
            states.append($0.state)
        }
        #expect(states == [.changed, .new])
        #expect(try await published(world) == 0)
    }
}
