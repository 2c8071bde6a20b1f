// Tests that observations and postcodes are read as spreadsheets write them, and that a file of nothing leaves nothing.
import Domain
import Operations
import Postgres
import Routes
import Store
import Synchronization
import TestSupport
import Testing

@Suite("Files of observations", .databases, .packs(.routes))
struct ObservationFileTests {
    private static let rows =
        "place;latitude;longitude;from;to;index;\r50,5;;;;;;\r"
        + "a;50,5;10,25;2026-03-01T10:00:00Z;2026-03-01T11:00:00Z;2,5;;\r"
        + "b;51;10;2026-03-01T11:00:00Z;2026-03-01T10:00:00Z;3\r;;;;;;\r"
        + "c;51.5;-0,125;2026-03-01T10:00:00Z;2026-03-01T11:00:00Z;4\r"

    private func reading(_ bytes: [UInt8]) -> @Sendable () throws -> [UInt8]? {
        let rest = Mutex(bytes[...])
        return {
            rest.withLock { rest in
                if rest.isEmpty { return nil }
                defer { rest = rest.dropFirst(5) }
                return Array(rest.prefix(5))
            }
        }
    }

    private func air(_ world: RouteWorld, _ bytes: [UInt8], isJSON: Bool = false) async throws -> ObservationImport {
        var options = ImportObservations.Options()
        options.city = "London"
        options.source = "sheet"
        return try await world.test.services.importObservations(
            .air, isJSON: isJSON, options, by: TestDatabase.administrator, next: reading(bytes))
    }

    private func events(_ world: RouteWorld) async throws -> Int {
        try await world.test.client.one(
            "select count(*)::int as n from ops.audit_event where action in ('observation.import', 'postcode.import')")(
                "n")
    }

    @Test("Semicolons, decimal commas, CR, surplus empty cells and UTF-16 are read; a refused row refuses no other")
    func spellings() async throws {
        let world = try await RouteWorld.make()
        let units = Self.rows.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let wide: [UInt8] = [0xFF, 0xFE] + units
        for bytes in [Array(Self.rows.utf8), wide] {
            let outcome = try await air(world, bytes)
            #expect(outcome.recorded + outcome.known == 2 && outcome.refused.map(\.line) == [2, 4])
        }
        let found = try await world.test.database.observations.list(ObservationFilter(), ofHistory: false, limit: 10)
        #expect(found.map(\.site).sorted() == ["a", "c"] && Set(found.map(\.value)) == [2.5, 4])
    }

    @Test("A value with a point is refused in a table with decimal commas if the point may divide thousands")
    func points() async throws {
        let world = try await RouteWorld.make()
        let times = "2026-03-01T10:00:00Z;2026-03-01T11:00:00Z"
        let rows = ["2,5", "1.234", "0x1F", "nan", "3.5"].enumerated().map { "p\($0);50,5;10,25;\(times);\($1)\n" }
        let outcome = try await air(
            world, Array(("place;latitude;longitude;from;to;index\n" + rows.joined()).utf8))
        #expect(outcome.recorded == 2 && outcome.refused.map(\.line) == [3, 4, 5])
    }

    @Test("A file without values is refused, and one of refused rows leaves nothing behind")
    func nothing() async throws {
        let world = try await RouteWorld.make()
        let header = "postcode,from,to,index\n"
        for text in ["", header, header + ",,,\n", "\n\n"] {
            await #expect(throws: Failure.self, "\(text)") { _ = try await air(world, Array(text.utf8)) }
        }
        let unknown = try await air(
            world, Array("\(header)SW1A 1AA,2026-03-01T10:00:00Z,2026-03-01T11:00:00Z,2\n".utf8))
        #expect(unknown.recorded == 0 && unknown.refusedRows == 1 && unknown.publication == nil)
        let postcodes = world.test.services.importPostcodes
        for text in ["", "postcode,latitude,longitude\n"] {
            await #expect(throws: Failure.self) {
                _ = try await postcodes(source: "x", by: TestDatabase.administrator, next: reading(Array(text.utf8)))
            }
        }
        let refused = try await postcodes(
            source: "x", by: TestDatabase.administrator,
            next: reading(Array("postcode;latitude;longitude\nSW1A 1AA;x;1\n".utf8)))
        #expect(refused.recorded == 0 && refused.refused.map(\.line) == [2] && refused.publication == nil)
        #expect(try await events(world) == 0)
        let taken = try await postcodes(
            source: "x", by: TestDatabase.administrator,
            next: reading(Array("postcode;latitude;longitude\nSW1A 1AA;51,5;-0,14\n;51;0\n".utf8)))
        #expect(taken.recorded == 1 && taken.refused.map(\.line) == [3])
    }

    @Test("A row of JSON may lack members or be none, also the first; one that can't be stored refuses no other")
    func incompleteRows() async throws {
        let world = try await RouteWorld.make()
        func row(_ members: String) -> String {
            #"{"from": "2026-03-01T10:00:00Z", "to": "2026-03-01T11:00:00Z", \#(members)}"#
        }
        let long = String(repeating: "x", count: 201)
        let rows = [
            #"{"note": "no values"}"#, "null", row(#""index": 2, "postcode": "SW1A 1AA""#),
            row(#""index": 3, "place": "a", "latitude": 50, "longitude": 10"#),
            row(#""index": 3, "place": "a", "latitude": 50, "longitude": 10, "city": "\#(long)""#),
        ]
        let outcome = try await air(world, Array("[\(rows.joined(separator: ","))]".utf8), isJSON: true)
        #expect(outcome.recorded == 1 && outcome.refused.map(\.line).sorted() == [1, 2, 3, 5])
    }
}
