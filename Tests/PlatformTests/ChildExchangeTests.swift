// Tests the exchange with a child process: its response, its limits, and that nothing it started survives it.
import FoundationEssentials
import Platform
import TestBasics
import Testing

@Suite("Exchange with a child process")
struct ChildExchangeTests {
    private func run(
        _ script: String, input: String = "", limit: Int = 1000, deadline: Duration = .seconds(20)
    ) throws -> (outcome: ChildExchange.Outcome, elapsed: Duration) {
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = try ChildExchange(
            program: "/bin/sh", arguments: ["-c", script], input: Array(input.utf8), responseLimit: limit,
            deadline: deadline
        ).run()
        return (outcome, clock.now - start)
    }

    private static func line(_ text: String) -> String { String(text.prefix { $0 != "\n" }) }

    private func text(_ outcome: ChildExchange.Outcome) -> String? {
        guard case .response(let bytes, exitCode: 0) = outcome else { return nil }
        return Self.line(String(decoding: bytes, as: UTF8.self))
    }

    /// A process that has ended may remain as a zombie until it is reaped.
    private func isRunning(_ process: String) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return !status.contains(") Z ")
    }

    @Test("The child reads the input and its response comes back")
    func response() throws {
        #expect(text(try run("cat", input: "hello").outcome) == "hello")
    }

    @Test(
        "S51: what the child started and left behind ends with it, whether it keeps the streams or not",
        arguments: ["sleep 300 & echo $!", "sleep 300 </dev/null >/dev/null 2>&1 & echo $!"])
    func descendants(script: String) async throws {
        let (outcome, elapsed) = try run(script)
        let process = try #require(text(outcome))
        #expect(elapsed < .seconds(10))
        await until("the process has ended") { !isRunning(process) }
    }

    @Test("S51: at the deadline and beyond the limit of the response all of them end, too")
    func killed() async throws {
        let folder = try PlatformTestFolder()
        let file = folder.path + "/process"
        for (script, limit) in [
            ("sleep 300 & echo $! >\(file); wait", 1000), ("sleep 300 & echo $! >\(file); yes", 10),
        ] {
            let outcome = try run(script, limit: limit, deadline: .seconds(1)).outcome
            switch outcome {
            case .timedOut: #expect(limit == 1000)
            case .tooLarge: #expect(limit == 10)
            case .response: Issue.record("\(script) responded")
            }
            let process = Self.line(try String(contentsOfFile: file, encoding: .utf8))
            await until("the process has ended") { !isRunning(process) }
        }
    }
}
