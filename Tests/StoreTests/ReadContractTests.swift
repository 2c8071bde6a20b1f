// Tests the contract of the read tables: comments, keys, grants, and compatibility with the recorded one.
import FoundationEssentials
import Postgres
import Store
import TestSupport
import Testing

@Suite("The contract of the read tables", .databases)
struct ReadContractTests {
    /// Tables that guests cannot read.
    private static let fullOnly: Set<String> = [
        "feed_full", "item_full", "search_full", "video", "media", "offline_manifest", "offline_file",
    ]

    private func contract() async throws -> ReadContract {
        try await ReadContract.read(try await TestDatabase.make().database, roles: Roles.standard)
    }

    private func text(_ path: String) throws -> String {
        let data = try #require(FileManager.default.contents(atPath: "\(TestDatabase.packageRoot)/\(path)"))
        return String(decoding: data, as: UTF8.self)
    }

    @Test("Every read table has a primary key, and every table and column has a comment")
    func documented() async throws {
        let tables = try await contract().tables
        #expect(tables.count > 20)
        let silent = tables.flatMap { table in
            (table.about.isEmpty ? [table.name] : [])
                + table.columns.filter { $0.about.isEmpty }.map { "\(table.name).\($0.name)" }
        }
        #expect(silent.isEmpty, "comment on \(silent.joined(separator: ", "))")
        #expect(tables.filter { $0.key.isEmpty }.map(\.name).isEmpty)
    }

    @Test("Every constraint of the read tables has an error message")
    func sentences() async throws {
        let silent = try await contract().tables.flatMap { table in
            table.rules.filter { $0.sentence == nil }.map(\.name)
        }
        #expect(silent.isEmpty, "add messages to ConstraintRules for \(silent)")
    }

    @Test("Readers can read every table, guests those without full content and files; only the owner can write")
    func grants() async throws {
        let test = try await TestDatabase.make()
        for table in try await ReadContract.read(test.database, roles: Roles.standard).tables {
            let wanted = Self.fullOnly.contains(table.name) ? ["reader"] : ["reader", "guest"]
            #expect(table.readers == wanted, "\(table.name)")
            let writers: Int = try await test.client.one(
                """
                select count(*) as n from unnest(array[\(Roles.standard.reader), \(Roles.standard.guest),
                    \(Roles.standard.daemon), \(Roles.standard.delivery)]) r
                where has_table_privilege(r, \("api_v1.\(table.name)")::text, 'insert, update, delete, truncate')
                """)("n")
            #expect(writers == 0, "\(table.name)")
        }
    }

    @Test(
        "The pages of read tables, projections and permissions match the database; scripts/read_tables.py updates them",
        .allPacks)
    func pages() async throws {
        let written = try text("docs/reference/read-tables.md").components(after: "## The tables\n")
        #expect(try #require(written) == (try await contract().markdown))
        let rules = try text("docs/reference/permissions.md").components(after: "## The preset roles\n")
        #expect(try #require(rules) == (try await AccessReference.read(try await TestDatabase.make().database)))
        let dependencies = try text("docs/reference/projections.md").components(after: "## The dependencies\n")
        #expect(
            try #require(dependencies) == (try await ProjectionReference.read(try await TestDatabase.make().database)))
    }

    @Test(
        "B8, B14: within version 1 no table or column is removed, renamed, retyped or made nullable; additions are allowed",
        .allPacks)
    func additive() async throws {
        let tables = try await contract().tables
        let now = Set(tables.flatMap { table in table.columns.map { Self.line(table, $0) } })
        let recorded = try text("Tests/contract/read-tables-v1.txt").split(separator: "\n").map(String.init)
        #expect(recorded.count > 200)
        let broken = recorded.filter { !now.contains($0) }
        #expect(broken.isEmpty, "apps read these: \(broken)")
        let unrecorded = now.subtracting(recorded).sorted()
        #expect(
            unrecorded.isEmpty, "add to Tests/contract/read-tables-v1.txt:\n\(unrecorded.joined(separator: "\n"))")
    }

    @Test("B8: within version 1 no field of a document is removed; additions are allowed")
    func fields() throws {
        var now: Set<String> = []
        for name in TestDatabase.allPacks.projectionNames {
            let folders = ["Store", "Packs/Places/Store", "Packs/Routes/Store", "Packs/Lists/Store"].map {
                "Sources/\($0)/Projections"
            }
            let path = folders.map { "\($0)/\(name).sql" }.first {
                FileManager.default.fileExists(atPath: "\(TestDatabase.packageRoot)/\($0)")
            }
            let sql = try text(try #require(path))
            for call in sql.ranges(of: "json_build_object(") {
                now.formUnion(Self.names(in: sql[call.upperBound...]).map { "\(name) \($0)" })
            }
        }
        let recorded = try text("Tests/contract/fields-v1.txt").split(separator: "\n").map(String.init)
        #expect(recorded.count > 150)
        let broken = recorded.filter { !now.contains($0) }
        #expect(broken.isEmpty, "apps read these: \(broken)")
        let unrecorded = now.subtracting(recorded).sorted()
        #expect(unrecorded.isEmpty, "add to Tests/contract/fields-v1.txt:\n\(unrecorded.joined(separator: "\n"))")
    }

    /// The member names in the arguments of a call: every second argument, a quoted string.
    private static func names(in arguments: Substring) -> [String] {
        var (depth, isQuoted, place) = (0, false, 0)
        var parts = [""]
        for character in arguments {
            if character == "'" { isQuoted.toggle() }
            if !isQuoted {
                if character == ")" || character == "]" { depth -= 1 }
                if depth < 0 { break }
                if character == "(" || character == "[" { depth += 1 }
                if character == ",", depth == 0 {
                    place += 1
                    parts.append("")
                    continue
                }
            }
            parts[place].append(character)
        }
        return parts.enumerated().filter { $0.offset % 2 == 0 }.compactMap { part in
            let word = part.element.drop { $0 == " " || $0 == "\n" }
            guard word.hasPrefix("'"), word.hasSuffix("'") else { return nil }
            return String(word.dropFirst().dropLast())
        }
    }

    private static func line(_ table: ReadContract.Table, _ column: ReadContract.Column) -> String {
        let key = table.key.contains(column.name) ? " key" : ""
        return "\(table.name).\(column.name) \(column.type)\(column.isNullable ? " null" : "")\(key)"
    }
}

extension String {
    fileprivate func components(after mark: String) -> String? {
        guard let place = ranges(of: mark).first else { return nil }
        return String(self[place.upperBound...])
    }
}
