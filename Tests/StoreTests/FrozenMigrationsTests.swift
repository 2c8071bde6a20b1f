// Tests that migrations, which databases have applied, are never edited, and that stored terms follow their functions.
import FoundationEssentials
import Platform
import TestSupport
import Testing

@Suite("Frozen migrations")
struct FrozenMigrationsTests {
    private static func content(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(TestDatabase.packageRoot)/\(path)").map { Array($0) }
    }

    /// As `sha256sum` prints them: the checksum and the path.
    private static func recorded(in file: String) throws -> [String: String] {
        let text = String(decoding: try #require(content("Tests/contract/\(file)")), as: UTF8.self)
        return Dictionary(
            uniqueKeysWithValues: text.split(separator: "\n").map { line in
                let parts = line.split(separator: " ")
                return (String(parts[1]), String(parts[0]))
            })
    }

    private static func checksum(_ path: String) -> String? { content(path).map { SHA256.hex($0) } }

    @Test("Every recorded migration has its recorded checksum, and every migration is recorded")
    func checksums() throws {
        let recorded = try Self.recorded(in: "migrations.txt")
        for (path, checksum) in recorded {
            #expect(
                Self.checksum(path) == checksum,
                "\(path) was edited or removed. Restore it, and write a new migration beside it.")
        }
        let folders = ["Sources/Store/Migrations", "Sources/Packs"]
        let files = try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: "\(TestDatabase.packageRoot)/\(folder)")
                .map { "\(folder)/\($0)" }
        }.filter { $0.contains("/Migrations/") && $0.hasSuffix(".sql") }
        let new = Set(files).subtracting(recorded.keys)
        #expect(new.isEmpty, "Record new migrations: sha256sum FILE >> Tests/contract/migrations.txt. \(new.sorted())")
        #expect(files.count == TestDatabase.allPacks.migrationNames.count)
    }

    @Test("The functions whose results are stored have their recorded checksum")
    func storedTerms() throws {
        let path = "Sources/Store/Functions/words.sql"
        let checksum = try Self.recorded(in: "stored-terms.txt")[path]
        #expect(
            checksum != nil && Self.checksum(path) == checksum,
            """
            \(path) was edited. Tables and indexes store what its functions return. If they return anything else now, write \
            a migration that builds the terms again, as core/search_words does. Then record the file: \
            sha256sum \(path) > Tests/contract/stored-terms.txt
            """)
    }
}
