// Tests the printer that commands share: rows, pages of rows, and results.
import CommandKit
import FoundationEssentials
import Platform
import Store
import Testing

@Suite("Columns")
struct ColumnTests {
    private struct Walk: Sendable {
        let name: String
        var stops: Int?
        var start = Date(timeIntervalSince1970: 0)
    }

    private static let columns: [Column<Walk>] = [
        .both("name") { $0.name }, .both("stops") { $0.stops }, .text { $0.stops.map { $0 > 2 ? "long" : "short" } },
        .json("started_at") { $0.start },
    ]

    /// What `body` prints, on standard output and standard error.
    private static func printed(
        isJSON: Bool, _ body: (CommandRun) async throws -> Void
    ) async throws -> String {
        let command = Command("walk", "list", summary: "List walks.", options: [CommandRun.json])
        let parser = CommandParser(program: "vitrine", summary: "A test.", commands: [command])
        guard case .run(let arguments) = try parser.parse(["walk", "list"] + (isJSON ? ["--json"] : [])) else {
            return "help"
        }
        let run = CommandRun(arguments: arguments, shutdown: Shutdown(), packs: [])
        let stream = try CommandLineRun.Stream()
        let context = ProcessContext(
            input: stream.descriptor, output: stream.descriptor, error: stream.descriptor, environment: [:])
        try await ProcessContext.$current.withValue(context) { try await body(run) }
        return stream.text
    }

    @Test("A row is a line of its texts, or an object of its members; both leave out what has no value")
    func rows() async throws {
        let walks = [Walk(name: "Loop", stops: 3), Walk(name: "")]
        let text = try await Self.printed(isJSON: false) { try $0.list(walks, Self.columns) }
        #expect(text == "Loop  3  long\n\n")
        let json = try await Self.printed(isJSON: true) { try $0.list(walks, Self.columns) }
        #expect(
            json == """
                {"name":"Loop","started_at":"1970-01-01T00:00:00Z","stops":3}
                {"name":"","started_at":"1970-01-01T00:00:00Z"}

                """)
    }

    @Test("Pages are printed up to the limit, or to the last page")
    func pages() async throws {
        let limited = try await Self.printed(isJSON: false) { run in
            try await run.list(Self.columns, limit: 3) { cursor, limit in
                Page(
                    items: (0..<min(limit, 2)).map { Walk(name: "\(cursor ?? "first") \($0)") }, next: "second")
            }
        }
        #expect(limited == "first 0\nfirst 1\nsecond 0\n")
        let all = try await Self.printed(isJSON: false) { run in
            try await run.list(Self.columns) { cursor, _ in
                Page(items: [Walk(name: cursor ?? "first")], next: cursor == nil ? "second" : nil)
            }
        }
        #expect(all == "first\nsecond\n")
    }

    @Test("A result is a sentence, or an object; notes are for people only")
    func results() async throws {
        func report(_ run: CommandRun) throws {
            let publication: Int64? = nil
            try run.report(["deleted": "a/b", "publication": publication, "count": 2], "2 deleted.")
            run.note("Undo with \"walk undo\".")
        }
        #expect(try await Self.printed(isJSON: false, report) == "2 deleted.\nUndo with \"walk undo\".\n")
        #expect(try await Self.printed(isJSON: true, report) == "{\"count\":2,\"deleted\":\"a/b\"}\n")
    }
}
