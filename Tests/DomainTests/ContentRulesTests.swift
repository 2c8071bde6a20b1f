// Tests where markup is parsed and what is derived from it.
import Domain
import Synchronization
import Testing

@Suite struct ContentRulesTests {
    /// Counts the work that is sent to other threads, and may refuse it.
    private final class Runner: WorkRunner {
        let runs = Mutex(0)
        let isFull: Bool

        init(isFull: Bool = false) {
            self.isFull = isFull
        }

        func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async throws -> Result {
            if isFull { throw Failure.unavailable("busy") }
            runs.withLock { $0 += 1 }
            return work()
        }
    }

    private static func rules(_ runner: Runner) throws -> ContentRules {
        ContentRules(
            types: try ContentTypes(files: ContentFixture.projectFiles(), kinds: ContentFixture.kinds),
            cleaning: ContentFixture.cleaning,
            plainText: { $0.replacing("*", with: "") }, workers: runner)
    }

    @Test("S51: a text of 4,095 bytes is parsed at once, one of 4,096 on another thread, also within rows")
    func offLoop() async throws {
        let runner = Runner()
        let rules = try Self.rules(runner)
        let article = try rules.type(named: "article")
        func body(_ count: Int) -> [String: JSONValue] {
            ["title": "T", "body": .string(String(repeating: "a", count: count))]
        }
        _ = try await rules.checked(body(4095), as: article, for: .submission)
        #expect(runner.runs.withLock(\.self) == 0)
        _ = try await rules.checked(body(4096), as: article, for: .submission)
        #expect(runner.runs.withLock(\.self) == 1)
        let long = JSONValue.array([.object(["locale": "en", "value": .string(String(repeating: "a", count: 5000))])])
        _ = try await rules.checked(
            ["title": "T", "key": "k", "values": long], as: rules.type(named: "text"), for: .revision)
        #expect(runner.runs.withLock(\.self) == 2)
        await #expect(throws: Failure.unavailable("busy")) {
            try await Self.rules(Runner(isFull: true)).checked(body(4096), as: article, for: .submission)
        }
    }

    @Test(
        "S51: what a page shows of contents with 16,384 bytes together, names and some for each value included, is rendered on another thread"
    )
    func rendering() async throws {
        let runner = Runner()
        let rules = try Self.rules(runner)
        func content(_ count: Int) -> Content {
            let rows = JSONValue.array([.object(["value": .string(String(repeating: "a", count: count))])])
            return Content(fields: ["title": "T", "values": rows, "number": .int(7)])
        }
        #expect(try await rules.rendering([content(8000), content(8257)]) { 1 } == 1)
        #expect(runner.runs.withLock(\.self) == 0)
        #expect(try await rules.rendering([content(8000), content(8258)]) { 2 } == 2)
        #expect(runner.runs.withLock(\.self) == 1)
        await #expect(throws: Failure.unavailable("busy")) {
            try await Self.rules(Runner(isFull: true)).rendering([content(16_384)]) { 3 }
        }
    }

    @Test("B61: a revision has the HTML of its Markdown by path, and the text of all its markup")
    func derived() async throws {
        let rules = try Self.rules(Runner())
        let text = try rules.type(named: "text")
        func texts(_ format: JSONValue) async throws -> DerivedTexts {
            let values = JSONValue.array([
                .null, .object(["locale": "en", "value": "*a*<b"]), .object(["locale": "de", "value": "c"]),
            ])
            return try await rules.checked(
                ["title": "T", "key": "k", "format": format, "values": values], as: text, for: .revision
            ).texts
        }
        let markdown = try await texts("markdown")
        #expect(markdown.html == ["values/0/value": "*a*&lt;b", "values/1/value": "c"])
        #expect(markdown.storedHTML == #"{"values/0/value":"*a*&lt;b","values/1/value":"c"}"#)
        let plain = try await texts("plain")
        #expect(plain == DerivedTexts() && plain.storedHTML == nil)

        let thing = try ContentFixture.thing(
            """
            {"name":"x","label":"X","help":"h","type":"rich_text"},{"name":"m","label":"M","help":"h","type":"markdown"},
            {"name":"r","label":"R","help":"h","type":"rows","fields":[
             {"name":"t","label":"T","help":"h","type":"markdown"}]}
            """)
        let derived = try await rules.checked(
            ["title": "T", "x": "x*", "m": "m<", "r": .array([.object([:]), .object(["t": "*t"])])], as: thing,
            for: .revision
        ).texts
        #expect(derived.html == ["m": "m&lt;", "r/0/t": "*t"])
        #expect(derived.plain == "x\nm&lt;\nt")
        let submitted = try await rules.checked(["title": "T", "m": "m"], as: thing, for: .submission)
        #expect(submitted.texts == DerivedTexts())
    }

    @Test("B61: only types whose documents contain the HTML can have Markdown")
    func markdownTypes() throws {
        let file = """
            {"name":"site","label":"Site","plural":"Sites","help":"h","kind":"place","title_field":"title","fields":[
             {"name":"title","label":"Title","help":"h","type":"text","required":true},
             {"name":"body","label":"Body","help":"h","type":"markdown"}]}
            """
        let found = problems {
            _ = try ContentTypes(files: [("site.json", Array(file.utf8))], kinds: ContentFixture.kinds)
        }
        #expect(found.contains("type site.json#/fields"))
        #expect(problems { _ = try ContentFixture.field("markdown") } == [])
    }
}
