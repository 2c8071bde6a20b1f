// Tests help, success and refusal of every command.
import Domain
import Platform
import TestBasics
import TestSupport
import Testing

@testable import vitrine

@Suite("Commands", .databases)
struct CommandTests {
    private static let rows = CommandGroup.all.flatMap(\.rows)

    @Test("Every command has exactly one row in the table")
    func coverage() {
        let commands = CommandTable.entries(of: TestDatabase.allPacks).map(\.command.name)
        #expect(commands.count > 100)
        #expect(Set(commands).subtracting(Self.rows.map(\.name)).sorted() == [], "commands without a row")
        #expect(Set(Self.rows.map(\.name)).subtracting(commands).sorted() == [], "rows without a command")
        #expect(Self.rows.count == commands.count, "commands with several rows")
    }

    @Test("Every command has --json, except those that name their own format or print nothing for scripts")
    func json() {
        let commands = CommandTable.entries(of: TestDatabase.packs).map(\.command)
        let without = Set(commands.filter { command in command.options.allSatisfy { $0.name != "json" } }.map(\.name))
        let formats: Set = [
            "dev sanitize", "dev feed-parse", "dev read-tables", "dev projections", "dev permissions",
            "dev messages",
            "dev admin-endpoints", "export", "release export", "audit export", "contributor export",
        ]
        let others: Set = ["serve", "deliver", "migrate"]
        #expect(without.subtracting(formats).subtracting(others).sorted() == [])
        #expect(formats.union(others).subtracting(without).sorted() == [], "these have it")
    }

    @Test("Text, a name in camelCase at any depth, and an incomplete document are found in JSON output")
    func names() {
        #expect(JSONNames.problems("{\"a_1\":[{\"b\":null}]}\n{}\n").isEmpty)
        #expect(JSONNames.problems("{\"unknown_categories\":{\"Fish & chips\":2}}").isEmpty)
        for wrong in ["No row differs.", "{\"a\":", "{\"a\":[{\"bC\":1}]}", "{\"is-live\":true}", "{}\nDone"] {
            #expect(JSONNames.problems(wrong).count == 1, "\(wrong)")
        }
    }

    @Test("\"help\", --help and -h describe every command on standard output")
    func help() async throws {
        for command in CommandTable.entries(of: TestDatabase.packs).map(\.command) {
            for arguments in [["help"] + command.path, command.path + ["--help"], command.path + ["-h"]] {
                let run = try await CommandLineRun(arguments, environment: [:])
                #expect(run.code == .ok && run.error.isEmpty, "\(arguments)")
                #expect(run.output.hasPrefix("\(command.summary)\n\nUsage: vitrine \(command.name)"), "\(arguments)")
                for option in command.options {
                    #expect(run.output.contains("--\(option.name)"), "\(arguments)")
                }
            }
        }
    }

    @Test("Every example runs its own command")
    func examples() {
        for command in CommandTable.entries(of: TestDatabase.allPacks).map(\.command) {
            for example in command.examples {
                #expect("\(example.line) ".hasPrefix("\(command.name) "), "\(command.name)")
            }
        }
    }

    @Test(
        "Every command succeeds: it prints something for people, and with --json only JSON; a dry run does, too",
        arguments: CommandGroup.all)
    func success(_ group: CommandGroup) async throws {
        let shared = try await CommandWorld.make()
        for row in group.rows where row.isEnabled {
            guard case .run(let arguments, let input, let code, let isAlone) = row.success else { continue }
            for options in row.variants {
                let world = isAlone ? try await CommandWorld.make() : shared
                let line = try await world.arguments("\(row.name) \(arguments) \(options)")
                let run = try await world.run(line, input: input)
                #expect(run.code == code, "\(line): \(run.error)")
                if options.hasSuffix("--json") {
                    #expect(!run.output.isEmpty, "\(line) prints no JSON")
                    for problem in JSONNames.problems(run.output) { Issue.record("\(line): \(problem)") }
                } else {
                    #expect(!(run.output + run.error).isEmpty, "\(line) prints nothing")
                    #expect(!row.hasJSON || !run.output.hasPrefix("{"), "\(line) prints JSON for people")
                }
            }
        }
    }

    @Test(
        "Every command is refused with its exit code and a message on standard error, also with --json",
        arguments: CommandGroup.all)
    func refusal(_ group: CommandGroup) async throws {
        let world = try await CommandWorld.make()
        for row in group.rows where row.isEnabled {
            for isJSON in row.hasJSON ? [false, true] : [false] {
                let (line, run, code) = try await refused(row, world, suffix: isJSON ? " --json" : "")
                #expect(run.code == code, "\(line): \(run.error)")
                #expect(run.output.isEmpty, "\(line) prints \(run.output)")
                #expect(run.error.hasPrefix("vitrine: ") && run.error.count > 20, "\(line): \(run.error)")
                // A value of Swift in place of a sentence.
                #expect(!run.error.contains("Error(") && !run.error.contains("Context("), "\(line): \(run.error)")
            }
        }
    }

    private func refused(
        _ row: CommandRow, _ world: CommandWorld, suffix: String
    ) async throws -> (line: [String], run: CommandLineRun, code: ExitCode) {
        switch row.refusal {
        case .withoutDatabase:
            var arguments = ""
            if case .run(let given, _, _, _) = row.success { arguments = given }
            let line = try await world.arguments("\(row.name) \(arguments)\(suffix)")
            return (line, try await world.run(line, hasDatabase: false), .usage)
        case .run(let arguments, let input, let code):
            let line = try await world.arguments("\(row.name) \(arguments)\(suffix)")
            return (line, try await world.run(line, input: input), code)
        }
    }
}

extension CommandRow {
    private var command: Command? {
        CommandTable.entries(of: TestDatabase.packs).first { $0.command.name == name }?.command
    }

    private var options: [Command.Option] { command?.options ?? [] }

    /// Commands of packs that are not enabled are unknown.
    fileprivate var isEnabled: Bool { command != nil }

    fileprivate var hasJSON: Bool { options.contains { $0.name == "json" } }

    /// Dry runs first, because they change nothing; each for people and, if the command has the option, as JSON.
    fileprivate var variants: [String] {
        let dryRuns = options.filter { ["dry-run", "plan"].contains($0.name) && $0.kind == .flag }.map {
            "--\($0.name)"
        }
        // What a command prints for people is in all of its forms only in the full set.
        return (dryRuns + [""]).flatMap { hasJSON ? (TestScale.isFull ? [$0] : []) + ["\($0) --json"] : [$0] }
    }
}
