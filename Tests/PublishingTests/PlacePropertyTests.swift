// Tests that places, cities and promotions change exactly the rows that depend on them.
import Domain
import Operations
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Publications of places", .databases, .packs(.places))
struct PlacePropertyTests {
    /// A few of each, live, so that most actions are about something.
    private static func editor(seed: UInt64) async throws -> RandomEditor {
        let test = try await TestDatabase.make()
        var editor = RandomEditor(test: test, seed: seed)
        editor.merges = true
        for types in [["category", "category", "city"], ["city"], ["place"], ["promotion"]] {
            editor.types = types
            var live: [LiveChange] = []
            while live.count < 4 {
                if let change = try await editor.change(), change.revision != nil,
                    !live.contains(where: { $0.entry == change.entry })
                {
                    live.append(change)
                }
            }
            _ = try? await test.services.publishRelease.now(
                live, note: "first", by: TestDatabase.administrator)
        }
        editor.types = ["place", "place", "place", "promotion", "promotion", "city", "category"]
        return editor
    }

    @Test(
        "B31, B51, R23: after random actions on places, cities and promotions incremental equals full",
        arguments: TestScale.seeds(2, 5))
    func incrementalEqualsFull(seed: UInt64) async throws {
        var editor = try await Self.editor(seed: seed)
        try await editor.act(60, verifyingEach: 4)
        #expect(editor.refused < editor.actions * 3 / 4, "\(editor.refused) of \(editor.actions)")
        for table in ["place", "category_member", "promotion", "category_city_count"] {
            let rows: Int = try await editor.test.client.one("select count(*) as n from api_v1.\(raw: table)")("n")
            #expect(rows > 0, "\(table) is not empty at the end")
        }
    }

    /// The same with reviews, which change their places.
    private static func reviewEditor(seed: UInt64) async throws -> RandomEditor {
        var editor = try await editor(seed: seed)
        editor.types = ["review", "review", "review", "review", "place", "city"]
        return editor
    }

    @Test(
        "B56, R23: after random actions on reviews and their places incremental equals full",
        arguments: TestScale.seeds(3, 8))
    func reviews(seed: UInt64) async throws {
        var editor = try await Self.reviewEditor(seed: seed)
        try await editor.act(60, verifyingEach: 4)
        let counted: Int = try await editor.test.client.one("select count(*) as n from curation.rating_count")("n")
        #expect(counted > 0)
    }

    @Test("A wrong count within a city is found by verify and fixed by repair")
    func rebuild() async throws {
        let editor = try await Self.editor(seed: 6)
        let database = editor.test.database
        _ = try await editor.test.client.query("update curation.member_count_within set n = n + 1")
        let tables = Set(try await database.publications.verify().map(\.table))
        #expect(tables == ["member_count_within", "category_city_count"])
        try await editor.test.repair()
        #expect(try await database.publications.verify().isEmpty)
    }
}
