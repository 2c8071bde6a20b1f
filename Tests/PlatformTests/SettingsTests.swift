// Tests the configuration: precedence, validation, and the shipped file.
import FoundationEssentials
import Testing

@testable import Platform

@Suite struct SettingsTests {
    private let folder: PlatformTestFolder
    private let location: ProgramLocation

    init() throws {
        folder = try PlatformTestFolder()
        location = ProgramLocation(workingDirectory: folder.path, programDirectory: "\(folder.path)/bin")
    }

    private func load(
        _ json: String? = nil, flags: [String: String] = [:], _ environment: [String: String] = [:]
    ) throws -> Settings {
        if let json { try folder.write("Config/vitrine.json", json) }
        return try Settings.load(flags: flags, environment: environment, location: location)
    }

    private func problems(
        _ json: String? = nil, flags: [String: String] = [:], _ environment: [String: String] = [:]
    ) throws -> [String] {
        do {
            _ = try load(json, flags: flags, environment)
            return []
        } catch let error as ConfigurationError {
            return error.problems
        }
    }

    @Test("Without any source, every key has its default")
    func defaults() throws {
        let settings = try load()
        #expect(settings.listen.host == "127.0.0.1")
        #expect(settings.listen.port == 8080)
        #expect(settings.publicURL == "http://127.0.0.1:8080")
        #expect(settings.environment == .production)
        #expect(settings.metrics.token == nil)
        #expect(settings.database.url == nil)
        #expect(settings.database.deadline == .milliseconds(4000))
        #expect(settings.http.maxBodyBytes == 1_048_576)
        #expect(settings.drain == .seconds(25))
        #expect(settings.session.absolute == .seconds(12 * 3600))
        #expect(settings.claim == .seconds(600))
        #expect(settings.intake.ratePerMinute == 600_000)
        #expect(settings.directories.data == "\(folder.path)/.vitrine")
        #expect(settings.entries.allSatisfy { $0.origin == .fallback })
        #expect(settings.warnings.isEmpty)
    }

    @Test("Config/vitrine.json contains every key with its default, and no other")
    func shippedFile() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Config/vitrine.json")
        let shipped = try ConfigurationFile(Data(contentsOf: file)).entries
        let entries = try load().entries
        #expect(shipped.map(\.key) == entries.map(\.key))
        for (line, entry) in zip(shipped, entries) {
            let value =
                switch line.value {
                case .text(let text): "\"\(text)\""
                case .number(let text): text
                case .flag(let flag): String(flag)
                case .null: "null"
                }
            #expect(value == entry.fallback, "\(entry.key)")
        }
        #expect(try Settings.load(environment: [:], file: file.path, location: location).warnings.isEmpty)
    }

    @Test("Flags override the environment, the environment the file, the file the defaults")
    func precedence() throws {
        let json = "{\n  \"listen\": {\n    \"port\": 1003\n  }\n}"
        let variables = ["VITRINE_LISTEN_PORT": "1002"]
        #expect(try load(json).listen.port == 1003)
        #expect(try load(json, variables).listen.port == 1002)
        let settings = try load(json, flags: ["listen.port": "1001"], variables)
        #expect(settings.listen.port == 1001)
        #expect(settings.origin(of: "listen.port") == .flag)
        #expect(try load(json, variables).origin(of: "listen.port") == .environment(variable: "VITRINE_LISTEN_PORT"))
        let origin = try load(json).origin(of: "listen.port")
        #expect(origin == .file(path: "\(folder.path)/Config/vitrine.json", line: 3))
        #expect(origin?.description.hasSuffix("Config/vitrine.json:3") == true)
        #expect(settings.origin(of: "listen.ports") == nil)
    }

    @Test("Null in the file counts as not set")
    func nothing() throws {
        let settings = try load("{\"listen\": {\"port\": null}}")
        #expect(settings.listen.port == 8080)
        #expect(settings.origin(of: "listen.port") == .fallback)
    }

    @Test(
        "An empty variable is an error, also of a secret and of the path of one",
        arguments: [
            "VITRINE_LISTEN_PORT", "DATABASE_URL", "VITRINE_DATABASE_URL", "VITRINE_DATABASE_URL_FILE",
            "VITRINE_DATA_DIR", "VITRINE_CONFIG", "VITRINE_MAIL_URL",
        ])
    func emptyVariable(name: String) throws {
        #expect(try problems([name: ""]) == ["\(name) is empty. Set a value, or remove the variable."])
        #expect(try problems("{\"listen\": {\"port\": null}}", [name: ""]).count == 1)
    }

    @Test("An unknown key in the file is an error that names line and nearest key")
    func unknownKey() throws {
        let problems = try problems("{\n\"listen\": {\n\"prot\": 1\n}\n}")
        #expect(problems.count == 1)
        #expect(problems[0].hasSuffix("vitrine.json:3: unknown key listen.prot. Did you mean listen.port?"))
    }

    @Test("An unknown key from the command line is an error too")
    func unknownFlag() throws {
        let problems = try problems(flags: ["listen.prot": "1"])
        #expect(problems == ["command line: unknown key listen.prot. Did you mean listen.port?"])
    }

    @Test("A wrong type is an error with the line; a number in quotes is a string")
    func wrongType() throws {
        let problems = try problems("{\n\"listen\": {\n\"port\": \"8080\"\n},\n\"database\": {\"prepare\": 1}}")
        #expect(problems.count == 2)
        #expect(problems[0].contains("listen.port"))
        #expect(problems[0].contains(":3) must be a whole number from 0 to 65535, not \"8080\"."))
        #expect(problems[1].contains(":5) must be true or false, not 1."))
        #expect(try self.problems("{\"environment\": true}").count == 1)
        #expect(try self.problems("{\"listen\": {\"host\": 1}}").count == 1)
        #expect(try self.problems("{\"loops\": 1.5}").count == 1)
    }

    @Test(
        "A number is accepted at its limits and rejected one beyond",
        arguments: [("0", true), ("65535", true), ("65536", false), ("-1", false), ("http", false)])
    func limits(port: String, isFine: Bool) throws {
        #expect(try problems(["VITRINE_LISTEN_PORT": port]).isEmpty == isFine)
    }

    @Test("Trusted proxies are IP addresses or networks; none by default")
    func trustedProxies() throws {
        #expect(try load().http.trustedProxies == .empty)
        #expect(try load(nil, ["VITRINE_HTTP_TRUSTED_PROXIES": "::1,10.0.0.0/8"]).http.trustedProxies != .empty)
        #expect(try problems(["VITRINE_HTTP_TRUSTED_PROXIES": "10.0.0.0/40"])[0].hasPrefix("http.trusted_proxies"))
    }

    private func problems(_ environment: [String: String]) throws -> [String] {
        try problems(nil, environment)
    }

    @Test("A syntax error in the file names its line")
    func brokenFile() throws {
        #expect(try problems("{\n\"loops\": 1\n\"listen\": {}}")[0].contains("vitrine.json:3: expected \",\" or \"}\""))
        #expect(try problems("{\n\n\"loops\": }")[0].contains("vitrine.json:3: loops has no value"))
        #expect(try problems("{\"loops\": 1,\n\"loops\": 2}")[0].contains(":2: loops is given twice"))
        #expect(try problems("{\"loops\": [1]}")[0].contains("cannot be a list"))
        #expect(try problems("{\"listen\": {\"host\": \"x}}")[0].contains("closing double quote"))
        #expect(try problems("{} x")[0].contains("unexpected text"))
        #expect(try problems("\u{FEFF}{}").isEmpty)
        #expect(try problems("")[0].contains("expected \"{\""))
        #expect(try problems("{\"environment\": \"\\q\"}")[0].contains("escape"))
    }

    @Test("A given file must exist; the default file may be missing")
    func namedFile() throws {
        #expect(try problems(["VITRINE_CONFIG": "none.json"]).count == 1)
        try folder.write("other.json", "{\"loops\": 3}")
        #expect(try load(nil, ["VITRINE_CONFIG": "other.json"]).loops == 3)
        let settings = try Settings.load(
            environment: ["VITRINE_CONFIG": "none"], file: "other.json", location: location)
        #expect(settings.loops == 3)
    }

    @Test("The file is found next to the program if the working directory has none")
    func besideProgram() throws {
        try folder.write("bin/Config/vitrine.json", "{\"loops\": 5}")
        #expect(try load().loops == 5)
        try folder.write("checkout/Templates/page.html", "")
        let built = ProgramLocation(
            workingDirectory: "/", programDirectory: "\(folder.path)/checkout/.build/x86_64/release")
        #expect(built.find("Templates") == "\(folder.path)/checkout/Templates")
        #expect(built.find("Missing") == nil)
    }

    @Test("Files of the program are searched in four folders in order, and config show names the one that was found")
    func searchOrder() throws {
        let built = ProgramLocation(
            workingDirectory: "/srv", programDirectory: "/home/me/vitrine/.build/x86_64/release")
        #expect(
            built.folders == [
                "/srv", "/home/me/vitrine/.build/x86_64/release", "/home/me/vitrine",
                "/home/me/vitrine/.build/x86_64/share/vitrine",
            ])
        let installed = ProgramLocation(workingDirectory: folder.path, programDirectory: "\(folder.path)/usr/bin")
        func found() throws -> String? {
            try Settings.load(environment: [:], location: installed).entries.first { $0.key == "templates.dir" }?.path
        }
        #expect(try found() == "\(folder.path)/Templates", "the working directory, where there is none")
        for place in ["usr/share/vitrine/", "usr/bin/", ""] {
            try folder.write("\(place)Templates/page.html", "")
            #expect(try found() == "\(folder.path)/\(place)Templates")
        }
        let entries = try Settings.load(environment: [:], location: installed).entries
        #expect(entries.first { $0.key == "listen.port" }?.path == nil)
    }

    @Test("DATABASE_URL is read, and VITRINE_DATABASE_URL takes precedence")
    func databaseURL() throws {
        let common = ["DATABASE_URL": "postgresql:///a"]
        #expect(try load(nil, common).database.url == Secret("postgresql:///a"))
        #expect(try load(nil, common).origin(of: "database.url") == .environment(variable: "DATABASE_URL"))
        let both = common.merging(["VITRINE_DATABASE_URL": "postgresql:///b"]) { $1 }
        #expect(try load(nil, both).database.url == Secret("postgresql:///b"))
    }

    @Test("A secret is read from the file of its _FILE variable, without trailing line breaks")
    func secretFile() throws {
        let path = try folder.write("token", "s3cret value\r\n")
        let settings = try load(nil, ["VITRINE_METRICS_TOKEN_FILE": path])
        #expect(settings.metrics.token == Secret("s3cret value"))
        #expect(settings.origin(of: "metrics.token") == .secretFile(variable: "VITRINE_METRICS_TOKEN_FILE"))
        let url = try load(nil, ["DATABASE_URL_FILE": try folder.write("url", "postgresql:///c")])
        #expect(url.database.url == Secret("postgresql:///c"))
        #expect(try problems(["VITRINE_METRICS_TOKEN_FILE": path, "VITRINE_METRICS_TOKEN": "x"]).count == 1)
        #expect(try problems(["VITRINE_METRICS_TOKEN_FILE": "/nowhere"]).count == 1)
        let marked = try folder.write("marked", "\u{FEFF}s3cret\n")
        #expect(try load(nil, ["VITRINE_METRICS_TOKEN_FILE": marked]).metrics.token == Secret("s3cret"))
        let empty = try problems(["DATABASE_URL_FILE": try folder.write("empty", "\n")])
        #expect(empty.count == 1 && empty.allSatisfy { $0.contains("which is empty") })
    }

    @Test("S53: a secret on the command line is rejected, and not repeated in the message")
    func secretFlag() throws {
        let problems = try problems(flags: ["database.url": "postgresql://me:hunter2@db/x"])
        #expect(problems.count == 1)
        #expect(problems[0].contains("VITRINE_DATABASE_URL_FILE"))
        #expect(!problems[0].contains("hunter2"))
    }

    @Test("S44: a secret always appears as [secret]")
    func secretShown() throws {
        let settings = try load(nil, ["VITRINE_METRICS_TOKEN": "hunter2"])
        #expect(settings.entries.first { $0.key == "metrics.token" }?.value == "\"[secret]\"")
        var dumped = ""
        dump(settings, to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(!"\(settings)".contains("hunter2"))
        #expect(!String(reflecting: settings.metrics).contains("hunter2"))
    }

    @Test("An unknown variable is a warning with the nearest name")
    func unknownVariable() throws {
        let warnings = try load(nil, ["VITRINE_LISTEN_PROT": "1", "VITRINE_WEBHOOKS_KEY": "x", "OTHER": ""]).warnings
        #expect(warnings.count == 1)
        #expect(warnings[0].hasSuffix("Did you mean VITRINE_LISTEN_PORT?"))
    }

    @Test(
        "S13: the public URL is https or loopback",
        arguments: [
            ("https://vitrine.example.org", true), ("https://vitrine.example.org:8443", true),
            ("http://127.0.0.1:8080", true), ("http://127.255.255.254", true), ("http://localhost:1", true),
            ("http://a.localhost", true), ("http://[::1]:8080", true), ("http://LOCALHOST", true),
            ("http://vitrine.example.org", false), ("http://128.0.0.1", false), ("http://127.0.0.1.example.org", false),
            ("http://127.0.1", false), ("http://10.0.0.1", false), ("http://localhost.example.org", false),
            ("http://127.0.0.256", false), ("https://", false), ("vitrine.example.org", false),
            ("ftp://localhost", false),
            ("https://example.org/vitrine", false), ("https://me@example.org", false), ("https://example.org?x", false),
            ("https://example.org#x", false), ("not a URL", false),
            ("https://xn--bcher-kva.example", true), ("https://bücher.example", false),
        ])
    func publicURL(url: String, isFine: Bool) throws {
        let problems = try problems(["VITRINE_PUBLIC_URL": url])
        #expect(problems.isEmpty == isFine, "\(problems)")
    }

    @Test("A trailing slash of the public URL is removed")
    func publicURLSlash() throws {
        #expect(try load(nil, ["VITRINE_PUBLIC_URL": "https://a.example/"]).publicURL == "https://a.example")
    }

    @Test("A rate of 0 means no limit")
    func unlimited() throws {
        #expect(try load(nil, ["VITRINE_INTAKE_RATE_PER_MINUTE": "0"]).intake.ratePerMinute == nil)
        #expect(try load(nil, ["VITRINE_INTAKE_RATE_PER_MINUTE": "1"]).intake.ratePerMinute == 1)
    }

    @Test(
        "A role prefix that is not a plain name is rejected",
        arguments: ["a\"b", "Vitrine", "1a", "_a", String(repeating: "a", count: 41)])
    func rolePrefix(prefix: String) throws {
        #expect(try problems(["VITRINE_DATABASE_ROLE_PREFIX": prefix]).count == 1)
        #expect(try problems(["VITRINE_DATABASE_ROLE_PREFIX": String(repeating: "a", count: 40)]).isEmpty)
    }

    @Test("All problems are reported at once")
    func allAtOnce() throws {
        let problems = try problems(
            "{\"loops\": 0, \"nothing\": 1}", ["VITRINE_LISTEN_PORT": "x", "VITRINE_PUBLIC_URL": "http://a.example"])
        #expect(problems.count == 4)
    }

    @Test("No two keys share an environment variable")
    func variables() throws {
        let variables = try load().entries.map(\.variable)
        #expect(Set(variables).count == variables.count)
    }
}
