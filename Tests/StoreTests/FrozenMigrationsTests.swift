// Tests that migrations are never edited: databases exist that have applied them.
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
    private static func recorded() throws -> [String: String] {
        let text = String(decoding: try #require(content("Tests/contract/migrations.txt")), as: UTF8.self)
        return Dictionary(
            uniqueKeysWithValues: text.split(separator: "\n").map { line in
                let parts = line.split(separator: " ")
                return (String(parts[1]), String(parts[0]))
            })
    }

    @Test("Every recorded migration has its recorded checksum, and every migration is recorded")
    func checksums() throws {
        let recorded = try Self.recorded()
        for (path, checksum) in recorded {
            let hash = Self.content(path).map {
                SHA256.hash($0).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            }
            #expect(
                hash?.joined() == checksum,
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
}
