// A database with the objects that command lines name, created when they are needed.
import Domain
import FoundationEssentials
import Platform
import Postgres
import Store
import Synchronization
import TestSupport
import Testing

/// Every `{name}` of a command line is a new object, so that the lines of a group don't disturb each other.
final class CommandWorld: Sendable {
    typealias Value = @Sendable (CommandWorld) async throws -> String

    let test: TestDatabase
    /// For files of the commands and for those that they read and write.
    let folder: String
    let environment: [String: String]
    private static let lastNumber = Atomic<Int>(0)

    private init(_ test: TestDatabase) throws {
        self.test = test
        folder = FileManager.default.temporaryDirectory.path + "/vitrine-commands-\(UUIDv7.make())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        environment = [
            "VITRINE_DATA_DIR": folder + "/data", "VITRINE_PUBLIC_URL": "https://vitrine.example",
            "VITRINE_DATABASE_POOL_WAIT_MS": "60000", "USER": "tests",
            "VITRINE_WEBHOOKS_KEY": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        ]
        try FileManager.default.createDirectory(atPath: folder + "/data/media", withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    static func make() async throws -> CommandWorld { try CommandWorld(try await TestDatabase.make()) }

    /// Starts with a letter, as slugs do.
    func unique() -> String { "n\(Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue)" }

    // MARK: Command lines

    func run(_ arguments: [String], input: String = "", hasDatabase: Bool = true) async throws -> CommandLineRun {
        var variables = environment
        let packs = TestDatabase.packs.names
        variables["VITRINE_PACKS"] = packs.isEmpty ? "none" : packs.joined(separator: " ")
        if hasDatabase { variables["DATABASE_URL"] = test.url }
        return try await CommandLineRun(arguments, input: input, environment: variables)
    }

    /// The words of a line, with new objects in place of their names.
    func arguments(_ line: String) async throws -> [String] {
        var arguments: [String] = []
        for word in line.split(separator: " ") {
            // An object that takes several words has one on each line.
            arguments += try await filled(String(word)).split(separator: "\n").map(String.init)
        }
        return arguments
    }

    func filled(_ word: String) async throws -> String {
        guard let open = word.firstIndex(of: "{"), let close = word[open...].firstIndex(of: "}") else { return word }
        let name = String(word[word.index(after: open)..<close])
        let value = try #require(Self.values[name], "no object is named \(name)")
        return try await word[..<open] + value(self) + word[word.index(after: close)...]
    }

    /// Runs a line with --json and returns a member of the first document that it prints.
    func made(_ line: String, _ member: String, input: String = "") async throws -> String {
        let run = try await run(try await arguments(line + " --json"), input: input)
        try #require(run.code == .ok, "\(line): \(run.error)")
        let first = run.output.prefix { $0 != "\n" }
        let value = try #require(try JSONValue(parsing: Array(first.utf8))[member], "\(line): \(run.output)")
        return value.stringValue ?? value.canonicalText
    }

    /// Runs a line and returns `value`: for objects that have their name before.
    func after(_ line: String, input: String = "", _ value: String) async throws -> String {
        let run = try await run(try await arguments(line), input: input)
        try #require(run.code == .ok, "\(line): \(run.error)")
        return value
    }

    // MARK: Files

    /// A new file with this content.
    func file(_ bytes: [UInt8], _ suffix: String) -> String {
        let path = "\(folder)/\(unique())\(suffix)"
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        return path
    }

    func file(_ text: String, _ suffix: String) -> String { file(Array(text.utf8), suffix) }

    // MARK: Rows that only background work creates

    /// Runs a statement that returns the `id` of a new row.
    func insert(_ statement: SQL) async throws -> String {
        let id: ID<Entry> = try await test.client.one(statement)("id")
        return id.description
    }
}
