// Publishes changes, each before without one of the dependencies that it concerns, and records which of them matter.
import Domain
import FoundationEssentials
import Operations
import Postgres
import Store
import TestSupport
import Testing

struct DependencyWorld {
    let test: TestDatabase
    private let owner: PostgresClient
    private let write: WriteEntry
    /// Entries by name; those of the system by their key or slug.
    private var entries: [String: String]

    init() async throws {
        test = try await TestDatabase.make()
        owner = test.superuser()
        let rules = try TestDatabase.rulesWithOtherTypes()
        write = try test.services(content: rules).writeEntry
        try await Schema(client: owner, roles: Roles.standard, packs: TestDatabase.packs).synchronize(rules.types)
        try await owner.run(script: String(decoding: try Self.file("dependencies.sql"), as: UTF8.self))
        entries = try await owner.query(
            """
            select coalesce(r.content ->> 'key', r.content ->> 'slug') as name, l.entry_id::text as id
            from curation.live l join curation.revision r on r.id = l.revision_id
            """
        ).reduce(into: [:]) { $0[try $1("name")] = try $1("id") }
    }

    func lines(_ query: SQL) async throws -> [String] { try await owner.query(query).map { try $0(0) } }

    func steps() throws -> [JSONValue] {
        try #require(try JSONValue(parsing: Array(try Self.file("dependencies.json"))).arrayValue)
    }

    private static func file(_ name: String) throws -> Data {
        try #require(FileManager.default.contents(atPath: "\(TestDatabase.packageRoot)/Tests/\(name)"))
    }

    /// Publishes a step: what it is, and the lines of its SQL, or changes of entries by their names. A change has the fields of
    /// a new entry, with its type, or those that change; null unpublishes. "@name" is the ID of an entry.
    mutating func publish(_ step: JSONValue) async throws {
        let parts = try #require(step.arrayValue)
        var statement = (parts[1].arrayValue ?? []).compactMap(\.stringValue).joined(separator: "\n")
        if let changes = parts[1].objectValue { statement = try await published(changes) }
        _ = try await owner.query("select public.publish_step(\(statement))")
        #expect(try await test.database.publications.verify().map(\.table) == [], "\(parts[0])")
    }

    private mutating func published(_ changes: [String: JSONValue]) async throws -> String {
        var ids: [String] = []
        var revisions: [String] = []
        for (name, fields) in changes {
            revisions.append(try await revise(name, resolved(fields)) ?? "null")
            ids.append(entries[name] ?? name)
        }
        return """
            select curation.publish('{\(ids.joined(separator: ","))}', '{\(revisions.joined(separator: ","))}',
                '00000000-0000-7000-8000-000000000001', null, '')
            """
    }

    /// Writes and approves a revision; nil if there are no fields.
    private mutating func revise(_ name: String, _ value: JSONValue) async throws -> String? {
        guard var fields = value.objectValue else { return nil }
        if let type = fields.removeValue(forKey: "type")?.stringValue {
            fields["title"] = fields["title"] ?? .string(name)
            entries[name] = try await write.create(
                type: type, fields: fields, publishTiming: .approveOnly, by: TestDatabase.administrator
            ).entry.description
        }
        let id = try #require(entries[name].flatMap(ID<Entry>.init))
        let newest = try #require(try await test.database.revisions.newest(of: id))
        let merged = newest.content.fields.merging(fields) { $1 }
        if merged != newest.content.fields {
            _ = try await write.edit(
                id, fields: merged, base: newest.number, publishTiming: .approveOnly, by: TestDatabase.administrator)
        }
        return try await test.database.revisions.newest(of: id)?.id.description
    }

    private func resolved(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text) where text.hasPrefix("@"): .string(entries[String(text.dropFirst())] ?? text)
        case .array(let values): .array(values.map(resolved))
        case .object(let members): .object(members.mapValues(resolved))
        default: value
        }
    }
}
