// Creates entries without the pages, as fixtures of page tests.
import Domain
import Editorial
import Publishing
import Store
import TestSupport
import Testing

extension EditorSite {
    /// A published feed and a published category of the first group.
    func feedAndCategory() async throws -> (feed: ID<Entry>, category: ID<Entry>) {
        let feed = try await make("feed", ["title": "City guides", "tier": "free"])
        let category = try await make(
            "category", ["title": "Walks", "group": "00000000-0000-7000-8000-000000000011", "position": .int(10)])
        return (feed, category)
    }

    func make(_ type: String, _ fields: [String: JSONValue], _ publishTiming: PublishTiming = .now) async throws -> ID<
        Entry
    > {
        try await WriteEntry(database: test.database, rules: test.rules).create(
            type: type, fields: fields, publishTiming: publishTiming, by: TestDatabase.administrator
        ).entry
    }

    /// A published article in the seeded category.
    func article(_ title: String = "A walk", _ publishTiming: PublishTiming = .now) async throws -> ID<Entry> {
        try await make(
            "article",
            [
                "title": .string(title), "body": "<p>Slowly.</p>",
                "categories": .array(["00000000-0000-7000-8000-000000000013"]),
            ], publishTiming)
    }

    /// Edits one field without the pages, as somebody else.
    func change(
        _ id: ID<Entry>, _ field: String, to value: JSONValue, _ publishTiming: PublishTiming = .draft,
        by actor: Actor? = nil
    ) async throws {
        let newest = try #require(try await test.database.revisions.newest(of: id))
        var fields = newest.content.fields
        fields[field] = value
        _ = try await WriteEntry(database: test.database, rules: test.rules).edit(
            id, fields: fields, base: newest.number, publishTiming: publishTiming,
            by: actor ?? TestDatabase.administrator)
    }

    /// The rows of a read table, by a column.
    func rows(_ table: String, _ column: String) async throws -> [String] {
        try await test.client.query("select \(raw: column)::text as text from api_v1.\(raw: table) order by 1").map {
            try $0("text")
        }
    }
}

extension EditorSite {
    func unpublish(_ id: ID<Entry>) async throws -> ChangeOutcome {
        try await WriteEntry(database: test.database, rules: test.rules).unpublish(id, by: TestDatabase.administrator)
    }
}
