// Tests the example of the guide "Write a pack": events with a venue and a date, in a database with this pack alone.
import API
import Domain
import Events
import FoundationEssentials
import HTTP
import Operations
import Platform
import Store
import TestBasics
import TestSupport
import Testing

@Suite("The pack of the guide", .databases)
struct EventsPackTests {
    private static let folder = TestDatabase.packageRoot + "/Examples/events"

    private struct World {
        let test: TestDatabase
        let clock: StoppedClock
        let database: Database
        let write: WriteEntry
        let site: APISite
        let authorization: String

        func get(_ target: String) async throws -> (status: Int, document: JSONValue, tag: String?) {
            var headers = Headers()
            headers.append("Authorization", authorization)
            let response = await site.respond(
                Request(
                    method: "GET", path: target, rawTarget: target, query: try FormFields(urlEncoded: ""),
                    headers: headers, body: .none, remoteAddress: "192.0.2.7", loop: test.loop, number: 1))
            guard case .bytes(let bytes) = response.body else { return (response.status, .null, nil) }
            return (response.status, try JSONValue(parsing: bytes), response.headers["ETag"])
        }

        func publish(_ type: String, _ fields: [String: String]) async throws -> ID<Entry> {
            try await write.create(
                type: type, fields: fields.mapValues { .string($0) }, publishTiming: .now,
                by: TestDatabase.administrator
            ).entry
        }

        func titles() async throws -> [String] {
            (try await get("/v1/calendar").document["data"]?.arrayValue ?? []).compactMap { $0["title"]?.stringValue }
        }
    }

    private func world() async throws -> World {
        let test = try await TestDatabase.make()
        let packs = PackSet([.events])
        var files = try JSONFolder.files(in: TestDatabase.packageRoot + "/Config/content-types", "content types")
        files += try JSONFolder.files(in: Self.folder + "/content-types", "content types")
        let rules = ContentRules(types: try ContentTypes(files: files, kinds: packs.kinds, needs: packs.needs))
        try await Schema(client: test.client, roles: try #require(TestDatabase.roles), packs: packs).migrate(
            types: rules.types, version: "test")
        let database = Database(client: test.client, packs: packs)
        let clock = StoppedClock()
        let reads = ReadDatabase(
            guest: test.guest, reader: test.reader, delivery: test.delivery, packs: packs, clock: clock.clock)
        let site = APISite(
            APIContext(
                services: nil, reads: reads, rules: rules, log: Logger(level: .error),
                publicURL: "https://vitrine.example.org", environment: "test", submissionsPerMinute: 0,
                library: test.library, clock: clock.clock))
        let (id, secret) = (ID<APIClient>(UUIDv7.make()), Token.make())
        try await database.transaction(by: TestDatabase.administrator, AuditEvent("client.create", on: "client")) {
            try await $0.clients.add(id: id, name: "app", secretHash: secret.hash, scopes: [.readGuest])
        }
        return World(
            test: test, clock: clock, database: database,
            write: try test.services(on: database, content: rules).writeEntry, site: site,
            authorization: "Basic " + Base64.encode(Array("\(id):\(secret.text)".utf8)))
    }

    private static func text(_ date: Date) -> String { InstantText.text(date, milliseconds: false) }

    @Test("Coming events are listed soonest first; an event follows its venue; verification finds nothing")
    func calendar() async throws {
        let world = try await world()
        let hall = try await world.publish("venue", ["title": "Town hall", "address": "1 Market Square, Bath"])
        let now = Date()
        for (title, hours) in [("Second", 48.0), ("First", 24), ("Over", -24)] {
            _ = try await world.publish(
                "event",
                [
                    "title": title, "venue": hall.description,
                    "starts_at": Self.text(now.addingTimeInterval(hours * 3600)),
                ])
        }
        #expect(try await world.titles() == ["First", "Second"])
        #expect(try await world.get("/v1/calendar/over").document["venue"]?["name"] == .string("Town hall"))

        let newest = try #require(try await world.database.revisions.newest(of: hall))
        _ = try await world.write.edit(
            hall,
            fields: ["title": .string("Old town hall"), "address": .string("1 Market Square, Bath")],
            base: newest.number, publishTiming: .now, by: TestDatabase.administrator)
        #expect(try await world.get("/v1/calendar/first").document["venue"]?["name"] == .string("Old town hall"))
        #expect(try await world.database.publications.verify().isEmpty)
    }

    @Test("A start changes the tag of the list and removes the event from it; nothing is published for that")
    func start() async throws {
        let world = try await world()
        let hall = try await world.publish("venue", ["title": "Town hall", "address": "1 Market Square, Bath"])
        let start = Date().addingTimeInterval(3600)
        _ = try await world.publish(
            "event", ["title": "Soon", "venue": hall.description, "starts_at": Self.text(start)])
        let before = try await world.get("/v1/calendar").tag
        #expect(try await world.titles() == ["Soon"])
        // An hour passes.
        try await world.test.client.execute("update api_v1.calendar_event set starts = starts - 3600000000")
        world.clock.advance(by: .seconds(3600))
        #expect(try await world.titles().isEmpty)
        #expect(try await world.get("/v1/calendar").tag != before)
    }

    @Test("An unpublished venue takes its events with it")
    func unpublished() async throws {
        let world = try await world()
        let hall = try await world.publish("venue", ["title": "Town hall", "address": "1 Market Square, Bath"])
        _ = try await world.publish(
            "event",
            [
                "title": "Soon", "venue": hall.description,
                "starts_at": Self.text(Date().addingTimeInterval(86_400)),
            ])
        _ = try await world.write.unpublish(hall, by: TestDatabase.administrator)
        #expect(try await world.titles() == [])
        let soon = try await world.get("/v1/calendar/soon")
        #expect(soon.status == 404, "\(soon)")
        #expect(try await world.database.publications.verify().isEmpty)
    }

    @Test("The guide shows the files of the example as they are")
    func guide() throws {
        func read(_ path: String) throws -> String {
            let data = try #require(FileManager.default.contents(atPath: "\(TestDatabase.packageRoot)/\(path)"))
            return String(decoding: data, as: UTF8.self)
        }
        let guide = try read("docs/how-to/write-a-pack.md")
        let block = #/`(Examples/events/[^`]+\.[a-z]+)`:\n\n<!--[^\n]*-->\n```[a-z]+\n((?:(?!```)[\s\S])*)```/#
        let shown = guide.matches(of: block)
        #expect(shown.count == 8)
        for block in shown {
            #expect(try read(String(block.1)) == block.2, "\(block.1)")
        }
    }
}
