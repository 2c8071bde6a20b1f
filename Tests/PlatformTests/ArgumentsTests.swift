// The command line: what is understood, what is refused and with which words.
import Testing

@testable import Platform

@Suite struct ArgumentsTests {
    private let parser = CommandParser(
        program: "vitrine", summary: "Curates content.",
        commands: [
            Command(
                "queue", "accept", summary: "Accepts submissions.", details: "Each becomes an entry.",
                examples: [.init("queue accept 12 --note checked", "Accepts submission 12.")],
                options: [
                    .init("note", short: "n", .text(placeholder: "text"), "A note for the audit."),
                    .init("limit", .integer(placeholder: "count", in: 1...10), "How many at most."),
                    .init("format", .choice(["json", "text"]), "How to print."),
                    .init("tag", .text(placeholder: "name"), "A tag.", isRepeatable: true),
                    .init("dry-run", .flag, "Only says what would happen."),
                ],
                positionals: [.init("id", "The submission."), .init("more", "Further ones.", .any)]),
            Command("queue", "list", summary: "Lists the queue."),
            Command(
                "serve", summary: "Serves.",
                options: [
                    .init("port", .integer(placeholder: "port", in: 0...65535), "Port.", setting: "listen.port")
                ]),
            Command(
                "entry", "create", summary: "Creates an entry.",
                options: [.init("type", .text(placeholder: "type"), "The content type.", isRequired: true)],
                positionals: [.init("file", "What to read.", .many)]),
            Command("debug", summary: "Hidden.", isHidden: true),
        ],
        globals: [
            .init("config", .text(placeholder: "file"), "The configuration."),
            .init("color", .flag, "Colors."),
            .init("quiet", short: "q", .flag, "Says less."),
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

    @Test("A value may follow its option or an equals sign, and an option may stand anywhere")
    func values() throws {
        for line in ["queue accept 12 --note hi", "queue accept --note=hi 12", "queue accept -n hi 12"] {
            let arguments = try run(line)
            #expect(arguments.command.name == "queue accept")
            #expect(arguments.argument("id") == "12")
            #expect(arguments.text("note") == "hi")
        }
        #expect(try run("queue accept 1 --note=a=b").text("note") == "a=b")
        #expect(try run("queue accept 1 --note=").text("note") == "")
    }

    @Test("A flag is off, on, or taken back; the last one counts")
    func flags() throws {
        #expect(try run("queue list").flag("quiet") == false)
        #expect(try run("queue list -q").flag("quiet"))
        #expect(try run("queue list").choice("color") == nil)
        #expect(try run("queue list --no-color").choice("color") == false)
        #expect(try run("queue list --no-color --color").choice("color") == true)
        #expect(error("queue list --quiet=yes")?.message.contains("takes no value") == true)
        #expect(error("queue accept 1 --no-note")?.message.contains("no option") == true)
    }

    @Test("Global options may stand before the command")
    func globals() throws {
        let arguments = try run("--config a.json -q queue list")
        #expect(arguments.text("config") == "a.json")
        #expect(arguments.flag("quiet"))
        #expect(try run("--config=a.json queue list").text("config") == "a.json")
    }

    @Test("After -- everything is positional, and - is standard input")
    func positionals() throws {
        #expect(try run("queue accept -- --note -x").arguments("more") == ["-x"])
        #expect(try run("queue accept - 2 3").argument("id") == "-")
        #expect(try run("queue accept - 2 3").arguments("more") == ["2", "3"])
        #expect(try run("queue accept -5").argument("id") == "-5")
        #expect(try run("queue accept -- --help").argument("id") == "--help")
        #expect(try run("queue accept 1 --note -").text("note") == "-")
    }

    @Test("A repeatable option keeps all its values, another one may be given once")
    func repeated() throws {
        #expect(try run("queue accept 1 --tag a --tag b").texts("tag") == ["a", "b"])
        #expect(error("queue accept 1 --note a --note b")?.message.contains("given twice") == true)
    }

    @Test("A number is taken at its limits and refused one beyond")
    func numbers() throws {
        #expect(try run("queue accept 1 --limit 1").integer("limit") == 1)
        #expect(try run("queue accept 1 --limit 10").integer("limit") == 10)
        for limit in ["0", "11", "x", "1.5", "99999999999999999999"] {
            #expect(
                error("queue accept 1 --limit \(limit)")?.message
                    == "--limit must be a whole number from 1 to 10, not \"\(limit)\".")
        }
    }

    @Test("Missing things are named with what they are for")
    func missing() {
        #expect(error("queue accept")?.message == "queue accept needs <id>: the submission.")
        #expect(error("entry create --type x")?.message == "entry create needs <file>: what to read.")
        #expect(error("entry create a")?.message == "entry create needs --type: the content type.")
        #expect(error("queue accept 1 --note")?.message == "--note needs a value: --note <text>")
        #expect(error("queue accept 1 --note --dry-run")?.message == "--note needs a value: --note <text>")
        #expect(error("queue list extra")?.message.contains("\"extra\"") == true)
    }

    @Test(
        "A typo is answered with what was probably meant, and nothing is run",
        arguments: [
            ("queue accpet 1", "queue accept"), ("queue lsit", "queue list"), ("sreve", "serve"),
            ("queue accept 1 --noet x", "--note"), ("queue accept 1 --dryrun", "--dry-run"),
            ("queue accept 1 --format jsn", "json"), ("quue", "queue"), ("queue accept 1 -tag", "--tag"),
        ])
    func typos(line: String, meant: String) {
        #expect(error(line)?.suggestion == meant)
        #expect(error(line)?.description.contains("Did you mean \"\(meant)\"?") == true)
    }

    @Test("What is like nothing gets no suggestion, and hidden commands are never suggested")
    func noSuggestion() {
        #expect(error("xyzzy")?.suggestion == nil)
        #expect(error("debgu")?.suggestion == nil)
        #expect(error("queue frobnicate")?.help == "vitrine help queue")
        #expect(error("queue accept 1 --bad")?.help == "vitrine help queue accept")
    }

    @Test("-h is short with examples, --help and help are long, and a group lists its commands")
    func help() throws {
        let short = try show("queue accept -h")
        #expect(short.contains("Usage: vitrine queue accept <id> [more...] [options]"))
        #expect(short.contains("vitrine queue accept 12 --note checked"))
        #expect(short.contains("-n, --note <text>"))
        #expect(!short.contains("Each becomes an entry."))
        let long = try show("queue accept --help")
        #expect(long.contains("Each becomes an entry."))
        #expect(long.contains("--config <file>"))
        #expect(try show("help queue accept") == long)
        #expect(try show("help queue") == show("queue"))
        #expect(try show("queue --help").contains("queue list"))
        #expect(try show("entry create -h").contains("Usage: vitrine entry create <file>... --type <type>\n"))
    }

    @Test("Without a command, help lists all but hidden commands")
    func overview() throws {
        for line in ["", "help", "--help", "-h", "-q"] {
            let text = try show(line)
            #expect(text.contains("queue accept"))
            #expect(!text.contains("debug"))
        }
        #expect(try show("--help").contains("--config <file>"))
        #expect(try run("debug").command.name == "debug")
    }

    @Test("Options that stand for settings are handed to the configuration by key")
    func settings() throws {
        #expect(try run("serve --port 99").settings == ["listen.port": "99"])
        #expect(try run("serve").settings.isEmpty)
    }

    @Test("Exit codes are the documented numbers")
    func exitCodes() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 75, 130, 143])
    }
}
