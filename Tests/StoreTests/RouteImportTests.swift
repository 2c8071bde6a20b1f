// Tests that many routes are imported together, each on its own account.
import Domain
import Operations
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

    /// A file with a track for each name, so many degrees north.
    private func file(_ name: String, _ tracks: [(name: String, north: Double)]) -> ImportRoutes.File {
        let texts = tracks.map { track in
            let points = [50.0, 50.005, 50.01].map { "<trkpt lat=\"\($0 + track.north)\" lon=\"10\"/>" }.joined()
            return "<trk><name>\(track.name)</name><trkseg>\(points)</trkseg></trk>"
        }
        let text = "<gpx>\(texts.joined())</gpx>"
        return (name: name, read: { Array(text.utf8) })
    }

    private func run(
        _ files: [ImportRoutes.File], _ world: RouteWorld, timing: PublishTiming = .now
    ) async throws -> [RouteImport] {
        let importing = world.test.services.importRoutes(city: "London", publishTiming: timing)
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
        let importing = world.test.services.importRoutes(city: nil, publishTiming: .now)
        var states: [RouteImport.State] = []
        try await importing([file("a.gpx", north: 1), file("c.gpx")], plan: true, by: TestDatabase.administrator) {
            states.append($0.state)
        }
        #expect(states == [.changed, .new])
        #expect(try await published(world) == 0)
    }

    @Test("C13: tracks are recognized by their names, in any order and among new ones")
    func reordered() async throws {
        let world = try await RouteWorld.make()
        let first = try await run([file("a.gpx", [("Hill", 0), ("Quay", 1)])], world)
        #expect(first.map(\.state) == [.new, .new] && first.map(\.file) == ["a.gpx#Hill", "a.gpx#Quay"])
        let inserted = try await run([file("a.gpx", [("Park", 2), ("Hill", 0), ("Quay", 1)])], world)
        let states = Dictionary(uniqueKeysWithValues: inserted.map { ($0.file, $0.state) })
        #expect(states == ["a.gpx#Park": .new, "a.gpx#Hill": .known, "a.gpx#Quay": .known])
        let changed = try await run([file("a.gpx", [("Quay", 1), ("Hill", 3)])], world)
        let entries = Dictionary(uniqueKeysWithValues: changed.map { ($0.file, $0.entry) })
        #expect(entries["a.gpx#Hill"] == first[0].entry && entries["a.gpx#Quay"] == first[1].entry)
        #expect(changed.first { $0.file == "a.gpx#Hill" }?.state == .changed)
        #expect(try await published(world) == 3)
        #expect(try await world.isVerified())
    }

    @Test("C13: tracks without names or with the same name are recognized by their points", arguments: ["", "Loop"])
    func sameNames(name: String) async throws {
        let world = try await RouteWorld.make()
        // The second gets a track of the same name only later.
        let first = try await run(
            [file("a.gpx", [(name, 0), (name, 1)]), file("b.gpx", [(name, 0), ("Quay", 1)])], world)
        #expect(first.allSatisfy { $0.state == .new } && Set(first.map(\.file)).count == 4)
        let again = try await run(
            [file("a.gpx", [(name, 2), (name, 1), (name, 0)]), file("b.gpx", [(name, 3), ("Quay", 1), (name, 0)])],
            world)
        #expect(again.filter { $0.state == .new }.count == 2 && again.filter { $0.state == .known }.count == 4)
        #expect(Set(again.filter { $0.state == .known }.map(\.entry)) == Set(first.map(\.entry)))
        #expect(try await published(world) == 6)
    }

    @Test("C13: the track of a file that gets a second one, or loses the others, stays the same route")
    func alone() async throws {
        let world = try await RouteWorld.make()
        let first = try await run([file("a.gpx", [("Hill", 0)]), file("b.gpx", [("Hill", 1), ("Quay", 2)])], world)
        #expect(first.map(\.file).sorted() == ["a.gpx", "b.gpx#Hill", "b.gpx#Quay"])
        let more = try await run([file("a.gpx", [("Quay", 3), ("Hill", 0)]), file("b.gpx", [("Quay", 4)])], world)
        let hill = first.first { $0.file == "a.gpx" }?.entry
        let quay = first.first { $0.file == "b.gpx#Quay" }?.entry
        #expect(more.first { $0.file == "a.gpx#Hill" }?.state == .known)
        #expect(more.first { $0.file == "a.gpx#Hill" }?.entry == hill)
        #expect(more.first { $0.file == "a.gpx#Quay" }?.state == .new)
        #expect(more.first { $0.file == "b.gpx" }?.state == .changed)
        #expect(more.first { $0.file == "b.gpx" }?.entry == quay)
        // Alone in its file, it may be renamed.
        let renamed = try await run([file("b.gpx", [("Pier", 5)])], world)
        #expect(renamed.map(\.state) == [.changed] && renamed.first?.entry == quay)
    }

    @Test("C13: tracks of the same name are recognized by their links, so that their points may change")
    func links() async throws {
        let world = try await RouteWorld.make()
        func file(_ tracks: [(link: String, north: Double)]) -> ImportRoutes.File {
            let texts = tracks.map { track in
                let points = [50.0, 50.005, 50.01].map { "<trkpt lat=\"\($0 + track.north)\" lon=\"10\"/>" }.joined()
                return """
                    <trk><name>Loop</name><link href="https://maps.example/\(track.link)"/><trkseg>\(points)</trkseg></trk>
                    """
            }
            let text = "<gpx>\(texts.joined())</gpx>"
            return (name: "a.gpx", read: { Array(text.utf8) })
        }
        let first = try await run([file([("1", 0), ("2", 1)])], world)
        let changed = try await run([file([("2", 2), ("1", 0)])], world)
        let entries = Dictionary(uniqueKeysWithValues: changed.map { ($0.file, $0.entry) })
        #expect(changed.map(\.state).contains(.changed) && changed.map(\.state).contains(.known))
        #expect(first.allSatisfy { entries[$0.file] == $0.entry })
        #expect(try await published(world) == 2)
    }
}
