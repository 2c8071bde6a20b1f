// Tests command-line parsing: arguments, errors, suggestions and help.
import Testing

@testable import Platform

@Suite struct ArgumentsTests {
    private let parser = CommandParser(
        program: "vitrine", summary: "Curates content.",
        commands: [
            Command(
                "queue", "approve", summary: "Approve submissions.", details: "Each becomes an entry.",
                examples: [
                    .init("queue approve 12 --note checked", "approves submission 12"),
                    .init("queue approve -", "approves those of a file", from: "cat ids.txt"),
                ],
                options: [
                    .init("note", short: "n", .text(placeholder: "text"), "A note for the audit."),
                    .init("limit", .integer(placeholder: "count", in: 1...10), "Maximum number."),
                    .init("format", .choice(["json", "text"]), "Output format."),
                    .init("tag", .text(placeholder: "name"), "A tag.", isRepeatable: true),
                    .init("dry-run", .flag, "Show the changes without making them."),
                ],
                positionals: [.init("id", "The submission."), .init("more", "More submissions.", .any)]),
            Command("queue", "list", summary: "List the queue."),
            Command(
                "serve", summary: "Serve.",
                options: [
                    .init("port", .integer(placeholder: "port", in: 0...65535), "Port.", setting: "listen.port")
                ]),
            Command(
                "entry", "create", summary: "Create an entry.",
                options: [.init("type", .text(placeholder: "type"), "The content type.", isRequired: true)],
                positionals: [.init("file", "The file to read.", .many)]),
            Command("debug", summary: "Hidden.", isHidden: true),
        ],
        globals: [
            .init("config", .text(placeholder: "file"), "The configuration."),
            .init("color", .flag, "Colors."),
            .init("quiet", short: "q", .flag, "Print less."),
        ])

    private func run(_ line: String) throws -> ParsedArguments {
        guard case .run(let arguments) = try parser.parse(line.split(separator: " ").map(String.init)) else {
            throw Unexpected()
        }
        return arguments
    }

    private func show(_ line: String) throws -> String {
        guard case .show(let text) = try parser.parse(line.split(separator: " ").map(String.init)) else {
            throw Unexpected()
        }
        return text
    }

    private func error(_ line: String) -> UsageError? {
        do {
            _ = try parser.parse(line.split(separator: " ").map(String.init))
            return nil
        } catch {
            return error
        }
    }

    private struct Unexpected: Error {}

    @Test("A value follows its option or an equals sign, and options may be anywhere")
    func values() throws {
        for line in ["queue approve 12 --note hi", "queue approve --note=hi 12", "queue approve -n hi 12"] {
            let arguments = try run(line)
            #expect(arguments.command.name == "queue approve")
            #expect(arguments.argument("id") == "12")
            #expect(arguments.text("note") == "hi")
        }
        #expect(try run("queue approve 1 --note=a=b").text("note") == "a=b")
        #expect(try run("queue approve 1 --note=").text("note") == "")
    }

    @Test("A flag is off, on, or turned off again; the last one wins")
    func flags() throws {
        #expect(try run("queue list").flag("quiet") == false)
        #expect(try run("queue list -q").flag("quiet"))
        #expect(try run("queue list").choice("color") == nil)
        #expect(try run("queue list --no-color").choice("color") == false)
        #expect(try run("queue list --no-color --color").choice("color") == true)
        #expect(error("queue list --quiet=yes")?.message.contains("takes no value") == true)
        #expect(error("queue approve 1 --no-note")?.message.contains("no option") == true)
    }

    @Test("Global options may precede the command")
    func globals() throws {
        let arguments = try run("--config a.json -q queue list")
        #expect(arguments.text("config") == "a.json")
        #expect(arguments.flag("quiet"))
        #expect(try run("--config=a.json queue list").text("config") == "a.json")
    }

    @Test("After -- everything is positional, and - is standard input")
    func positionals() throws {
        #expect(try run("queue approve -- --note -x").arguments("more") == ["-x"])
        #expect(try run("queue approve - 2 3").argument("id") == "-")
        #expect(try run("queue approve - 2 3").arguments("more") == ["2", "3"])
        #expect(try run("queue approve -5").argument("id") == "-5")
        #expect(try run("queue approve -- --help").argument("id") == "--help")
        #expect(try run("queue approve 1 --note -").text("note") == "-")
    }

    @Test("A repeatable option keeps all values; other options may be given once")
    func repeated() throws {
        #expect(try run("queue approve 1 --tag a --tag b").texts("tag") == ["a", "b"])
        #expect(error("queue approve 1 --note a --note b")?.message.contains("more than once") == true)
    }

    @Test("A number is accepted at its limits and rejected one beyond")
    func numbers() throws {
        #expect(try run("queue approve 1 --limit 1").integer("limit") == 1)
        #expect(try run("queue approve 1 --limit 10").integer("limit") == 10)
        for limit in ["0", "11", "x", "1.5", "99999999999999999999"] {
            #expect(
                error("queue approve 1 --limit \(limit)")?.message
                    == "--limit must be a whole number from 1 to 10, not \"\(limit)\".")
        }
    }

    @Test("Errors name missing arguments and their meaning")
    func missing() {
        #expect(error("queue approve")?.message == "queue approve requires <id>: the submission.")
        #expect(error("entry create --type x")?.message == "entry create requires <file>: the file to read.")
        #expect(error("entry create a")?.message == "entry create requires --type: the content type.")
        #expect(error("queue approve 1 --note")?.message == "--note requires a value: --note <text>")
        #expect(error("queue approve 1 --note --dry-run")?.message == "--note requires a value: --note <text>")
        #expect(error("queue list extra")?.message.contains("\"extra\"") == true)
    }

    @Test(
        "A typo gets a suggestion, and nothing runs",
        arguments: [
            ("queue aprove 1", "queue approve"), ("queue lsit", "queue list"), ("sreve", "serve"),
            ("queue approve 1 --noet x", "--note"), ("queue approve 1 --dryrun", "--dry-run"),
            ("queue approve 1 --format jsn", "json"), ("quue", "queue"), ("queue approve 1 -tag", "--tag"),
        ])
    func typos(line: String, meant: String) {
        #expect(error(line)?.suggestion == meant)
        #expect(error(line)?.description.contains("Did you mean \"\(meant)\"?") == true)
    }

    @Test("An unknown name without a near match gets no suggestion; hidden commands are never suggested")
    func noSuggestion() {
        #expect(error("xyzzy")?.suggestion == nil)
        #expect(error("debgu")?.suggestion == nil)
        #expect(error("queue frobnicate")?.help == "vitrine help queue")
        #expect(error("queue approve 1 --bad")?.help == "vitrine help queue approve")
    }

    @Test("-h is short with examples, --help and help are long, and a group lists its commands")
    func help() throws {
        let short = try show("queue approve -h")
        #expect(short.contains("Usage: vitrine queue approve <id> [more...] [options]"))
        #expect(short.contains("\n  vitrine queue approve 12 --note checked\n      approves submission 12\n"))
        #expect(short.contains("\n  cat ids.txt | vitrine queue approve -\n      approves those of a file\n"))
        #expect(short.contains("-n, --note <text>"))
        #expect(!short.contains("Each becomes an entry."))
        let long = try show("queue approve --help")
        #expect(long.contains("Each becomes an entry."))
        #expect(long.contains("--config <file>"))
        #expect(try show("help queue approve") == long)
        #expect(try show("help queue") == show("queue"))
        #expect(try show("queue --help").contains("queue list"))
        #expect(try show("entry create -h").contains("Usage: vitrine entry create <file>... --type <type>\n"))
    }

    @Test("Without a command, help lists all but hidden commands")
    func overview() throws {
        for line in ["", "help", "--help", "-h", "-q"] {
            let text = try show(line)
            #expect(text.contains("queue approve"))
            #expect(!text.contains("debug"))
        }
        #expect(try show("--help").contains("--config <file>"))
        #expect(try run("debug").command.name == "debug")
    }

    @Test("A command that reads an option which it doesn't declare stops the tests")
    func undeclared() async {
        await #expect(processExitsWith: .failure) {
            let parser = CommandParser(program: "vitrine", summary: "", commands: [Command("list", summary: "")])
            guard case .run(let arguments) = try parser.parse(["list"]) else { return }
            _ = arguments.text(Command.Option("note", .text(placeholder: "text"), "A note."))
        }
    }

    @Test("Options of settings are passed to the configuration by key")
    func settings() throws {
        #expect(try run("serve --port 99").settings == ["listen.port": "99"])
        #expect(try run("serve").settings.isEmpty)
    }

    @Test("Exit codes are the documented numbers")
    func exitCodes() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 75, 130, 143])
    }
}

/// Commands look up the options that they declare; these tests declare theirs in one table and name them.
extension ParsedArguments {
    fileprivate func flag(_ name: String) -> Bool { flag(Command.Option(name, .flag, "")) }

    fileprivate func choice(_ name: String) -> Bool? { choice(Command.Option(name, .flag, "")) }

    fileprivate func text(_ name: String) -> String? { text(Command.Option(name, .text(placeholder: ""), "")) }

    fileprivate func texts(_ name: String) -> [String] { texts(Command.Option(name, .text(placeholder: ""), "")) }

    fileprivate func integer(_ name: String) -> Int? { integer(Command.Option(name, .text(placeholder: ""), "")) }

    fileprivate func argument(_ name: String) -> String? { argument(Command.Positional(name, "")) }

    fileprivate func arguments(_ name: String) -> [String] { arguments(Command.Positional(name, "")) }
}
