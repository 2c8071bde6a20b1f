// Holds the walls of the house: which room may use which, where SQL stands, who may change something.
import Testing

@Suite("The house")
struct ArchitectureTests {
    private static let toolchain: Set<String> = [
        "Swift", "FoundationEssentials", "Dispatch", "Synchronization", "Glibc", "Testing",
    ]

    /// Which rooms each room may import (docs/HOUSE.md).
    private static let doors: [String: Set<String>] = [
        "EventLoop": ["CLinux"],
        "Platform": ["CCrypto", "CSodium", "CSystem"],
        "HTTP": ["CMicrohttpd", "CLinux", "EventLoop"],
        "Postgres": ["CPostgres", "CLinux", "EventLoop"],
        "Markup": ["CGumbo", "CCmark", "CICU", "CQRCode", "CXML2"],
        "Fetch": ["CCurl"],
        "Domain": [],
        "Store": ["Domain", "EventLoop", "Postgres"],
        "Intake": ["Domain", "Store", "Platform", "Markup"],
        "Review": ["Domain", "EventLoop", "Store", "Platform", "Markup"],
        "Editorial": ["Domain", "Store", "Platform", "Markup"],
        "Publishing": ["Domain", "Store", "Platform"],
        "Accounts": ["Domain", "Store", "Platform", "Markup"],
        "Webhooks": ["Domain", "Store", "Platform", "Fetch"],
        "Library": ["Domain", "Store", "Platform", "Markup", "Fetch"],
        "Mail": ["Domain", "Store", "Platform", "Fetch"],
        "Catalogs": ["Domain", "Store", "Platform", "Markup", "Fetch"],
        "Admin": [
            "Domain", "EventLoop", "HTTP", "Markup", "Platform", "Store", "Intake", "Review", "Editorial", "Publishing",
            "Accounts", "Webhooks", "Library", "Catalogs", "Mail",
        ],
        "API": [
            "Domain", "EventLoop", "HTTP", "Markup", "Platform", "Store", "Intake", "Review", "Editorial", "Publishing",
            "Accounts", "Library",
        ],
        "Tasks": [
            "Domain", "EventLoop", "Platform", "Store", "Intake", "Review", "Editorial", "Publishing", "Accounts",
            "Webhooks", "Catalogs", "Mail",
        ],
    ]

    @Test("Every import goes through a door")
    func imports() {
        var wrong: [String] = []
        for file in SourceFile.swift(in: "Sources") where !file.room.hasPrefix("C") && file.room != "vitrine" {
            let allowed = Self.doors[file.room, default: []].union(Self.toolchain)
            wrong += file.imports.filter { !allowed.contains($0) }.map { "\(file.path) imports \($0)" }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("SQL stands in Store, and in Postgres for its own bookkeeping")
    func sql() {
        let statements = [
            "select ", "insert into ", "update ops.", "update curation.", "delete from ", "create table ",
            "alter table ",
        ]
        let wrong = SourceFile.swift(in: "Sources")
            .filter { !["Store", "Postgres"].contains($0.room) && !$0.room.hasPrefix("C") }
            // The development server makes its own database, before there is any schema.
            .filter { $0.name != "DevelopmentCluster.swift" }
            .flatMap { file in
                file.lines.enumerated().filter { _, line in
                    let code = line.drop { $0 == " " }
                    return !code.hasPrefix("//")
                        && statements.contains { line.contains("\"\($0)") || code.hasPrefix($0) }
                }.map { "\(file.path):\($0.offset + 1)" }
            }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("Only work rooms change the database; every face reads")
    func changes() {
        let wrong = SourceFile.swift(in: "Sources")
            .filter { ["Admin", "API"].contains($0.room) }
            .filter {
                $0.text.contains("database.change(") || $0.text.contains("database.work(")
                    || $0.text.contains("database.receive(")
            }
            .map(\.path)
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("Faces never know PostgreSQL")
    func faces() {
        let wrong = SourceFile.swift(in: "Sources")
            .filter { ["Admin", "API", "Tasks"].contains($0.room) && $0.imports.contains("Postgres") }.map(\.path)
        #expect(wrong.isEmpty)
    }

    @Test("R27: nothing in a daemon waits by the timers of Dispatch, which end the program when descriptors run out")
    func timers() {
        // They start and stop a database server of their own, or wait for a lock before there is a daemon.
        let beforeOrBeside = ["Migrator.swift", "PrivateCluster.swift", "ServerProgram.swift"]
        let wrong = SourceFile.swift(in: "Sources")
            .filter { !beforeOrBeside.contains($0.name) }
            .filter { file in
                file.lines.contains { line in
                    !line.drop { $0 == " " }.hasPrefix("//")
                        && ["Task.sleep", "DispatchSource.", "asyncAfter"].contains { line.contains($0) }
                }
            }
            .map(\.path)
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("The first line of every file says what it is")
    func firstLines() {
        let files = SourceFile.swift(in: "Sources") + SourceFile.swift(in: "Tests")
        #expect(files.count > 100)
        let wrong = files.filter { file in
            guard let first = file.lines.first, first.hasPrefix("// "), first.count > 20 else {
                return !file.text.hasPrefix("// swift-tools-version")
            }
            return false
        }.map(\.path)
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("No two source files have the same name, and none is called after nothing")
    func names() {
        let files = SourceFile.swift(in: "Sources")
        let byName = Dictionary(grouping: files, by: \.name).filter { $0.value.count > 1 }
        #expect(byName.isEmpty, "\(byName.values.flatMap { $0.map(\.path) }.joined(separator: "\n"))")
        let banned = ["Utils.swift", "Helpers.swift", "Extensions.swift", "Common.swift", "Manager.swift", "+", " "]
        let wrong = files.map(\.name).filter { name in
            banned.contains { name.hasSuffix($0) || $0.count == 1 && name.contains($0) }
        }
        #expect(wrong.isEmpty, "\(wrong)")
    }

    @Test("No file is longer than 400 lines, and nothing crashes on purpose")
    func sizes() {
        let files = SourceFile.swift(in: "Sources")
        let long = files.filter { $0.lines.count > 401 }.map { "\($0.path): \($0.lines.count)" }
        #expect(long.isEmpty, "\(long)")
        let crashing = files.filter { file in
            file.lines.contains { line in
                let code = line.prefix { $0 != "\"" }
                return !code.drop { $0 == " " }.hasPrefix("//")
                    && (code.contains("try!") || code.contains("fatalError("))
            }
        }.map(\.path)
        #expect(crashing.isEmpty, "\(crashing)")
    }

    @Test("The program speaks of the product alone")
    func silence() {
        let files = ["Sources", "Tests", "Templates", "Config", "docs", "scripts"].flatMap(SourceFile.files(in:))
        let words = ["/work/", "helper-"]
        let wrong = files.filter { file in
            !file.path.hasSuffix("ArchitectureTests.swift") && words.contains { file.text.contains($0) }
        }.map(\.path)
        #expect(wrong.isEmpty, "\(wrong)")
    }
}
