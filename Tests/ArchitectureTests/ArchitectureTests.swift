// Checks the architecture: which module imports which, where SQL is written, and which modules change data.
import Testing

@Suite("Architecture")
struct ArchitectureTests {
    private static let toolchain: Set<String> = [
        "Swift", "FoundationEssentials", "Dispatch", "Synchronization", "Glibc", "Testing",
    ]

    @Test("Every module imports only its dependencies in Package.swift")
    func imports() {
        let modules = PackageManifest.current.modules
        #expect(modules.count > 15)
        let dependencies = Dictionary(modules.map { ($0.name, $0.dependencies) }) { first, _ in first }
        var wrong: [String] = []
        for file in SourceFile.sources where !file.module.hasPrefix("C") || dependencies[file.module] != nil {
            // The programs import what they assemble.
            guard !["vitrine", "vitrine-media"].contains(file.module) else { continue }
            guard let declared = dependencies[file.module] else {
                wrong.append("\(file.path) belongs to no module of Package.swift")
                continue
            }
            let allowed = declared.union(Self.toolchain)
            wrong += file.imports.filter { !allowed.contains($0) }.map { "\(file.path) imports \($0)" }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("Dependencies point downwards: on modules above them in Package.swift, and never within interfaces")
    func layers() {
        let modules = PackageManifest.current.modules
        #expect(
            Set(modules.map(\.layer)) == [
                "Language", "Foundations", "Database access", "Operations", "Interfaces", "Commands", "Packs",
            ])
        var above: [String: String] = [:]
        var wrong: [String] = []
        for module in modules {
            for name in module.dependencies {
                let isLibrary = name.hasPrefix("C") && modules.allSatisfy { $0.name != name }
                guard let layer = above[name] else {
                    if !isLibrary { wrong.append("\(module.name) depends on \(name), which is not above it") }
                    continue
                }
                if layer == module.layer, layer == "Interfaces" {
                    wrong.append("\(module.name) and \(name) are both in \(layer)")
                }
            }
            above[module.name] = module.layer
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("Actions that Services has are built there, so that each gets its policies")
    func services() throws {
        let declaration = /: (\w+) \{\s+\w+\(database:/
        let actions = SourceFile.sources.filter { $0.name.hasSuffix("Services.swift") }
            .flatMap { $0.text.matches(of: declaration).map { String($0.1) } }
        #expect(actions.count > 40)
        let wrong = SourceFile.sources.filter { ["Admin", "API", "Commands", "vitrine"].contains($0.layer) }
            .flatMap { file in
                actions.filter { file.contains("\($0)(database:") || file.contains("\($0)(\n") }
                    .map { "\(file.path) builds \($0)" }
            }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("SQL is written in Store, and in Postgres for its own bookkeeping")
    func sql() {
        let statements = [
            "select ", "insert into ", "update ops.", "update curation.", "delete from ", "create table ",
            "alter table ",
        ]
        let wrong = SourceFile.sources
            .filter { !["Store", "Postgres"].contains($0.layer) && !$0.module.hasPrefix("C") }
            // The development server creates its own database before there is a schema.
            .filter { $0.name != "DevelopmentCluster.swift" }
            .filter { statements.contains(where: $0.contains) }
            .flatMap { file in
                file.lines.enumerated().filter { _, line in
                    let code = line.drop { $0 == " " }
                    return !code.hasPrefix("//")
                        && statements.contains { line.contains("\"\($0)") || code.hasPrefix($0) }
                }.map { "\(file.path):\($0.offset + 1)" }
            }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("A typed query is parsed by api_v1.parse_query only, because PostgreSQL's own parser refuses some")
    func queries() {
        let wrong = SourceFile.files(in: "Sources").filter { $0.contains("websearch_to_tsquery(") }.map(\.path)
        #expect(wrong.isEmpty, "\(wrong)")
    }

    @Test("Only operations change the database; interfaces read")
    func transactions() {
        let writing = ["transaction", "work", "receive"].map { "database.\($0)(" }
        let wrong = SourceFile.sources
            .filter { ["Admin", "API"].contains($0.layer) }
            .filter { file in writing.contains(where: file.contains) }
            .map(\.path)
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("Interfaces never import Postgres")
    func interfaces() {
        let wrong = SourceFile.sources
            .filter { ["Admin", "API", "Tasks"].contains($0.layer) && $0.imports.contains("Postgres") }.map(\.path)
        #expect(wrong.isEmpty)
    }

    @Test("R27: the daemon uses no timers of Dispatch, which end the program when descriptors run out")
    func timers() {
        // They start and stop a database server of their own, or wait for a lock before the daemon starts.
        let beforeTheDaemon = ["Migrator.swift", "PrivateCluster.swift", "ServerProgram.swift"]
        let wrong = SourceFile.sources
            .filter { !beforeTheDaemon.contains($0.name) }
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
        let files = SourceFile.sources + SourceFile.swift(in: "Tests")
        #expect(files.count > 100)
        let wrong = files.filter { file in
            guard let first = file.lines.first, first.hasPrefix("// "), first.count > 20 else {
                return !file.text.hasPrefix("// swift-tools-version")
            }
            return false
        }.map(\.path)
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("No two source files have the same name, and no name is a catch-all")
    func names() {
        let files = SourceFile.sources
        let byName = Dictionary(grouping: files, by: \.name).filter { $0.value.count > 1 }
        #expect(byName.isEmpty, "\(byName.values.flatMap { $0.map(\.path) }.joined(separator: "\n"))")
        let banned = ["Utils.swift", "Helpers.swift", "Extensions.swift", "Common.swift", "Manager.swift", "+", " "]
        let wrong = files.map(\.name).filter { name in
            banned.contains { name.hasSuffix($0) || $0.count == 1 && name.contains($0) }
        }
        #expect(wrong.isEmpty, "\(wrong)")
    }

    @Test("No file is longer than 400 lines, and none crashes on purpose")
    func sizes() {
        let files = SourceFile.sources
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

    @Test("No file mentions the machine it was written on")
    func machine() {
        let files = ["Sources", "Tests", "Templates", "Config", "docs", "scripts"].flatMap(SourceFile.files(in:))
        let traces = ["/work/", "helper-"]
        let wrong = files.filter { file in
            !file.path.hasSuffix("ArchitectureTests.swift") && traces.contains(where: file.contains)
        }.map(\.path)
        #expect(wrong.isEmpty, "\(wrong)")
    }
}
