// Proves that merging, parting, moving and withdrawing categories changes exactly the rows that depend on them.
import Domain
import Operations
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Publications of merged categories", .databases)
struct TaxonomyPropertyTests {
    /// Four categories with articles and places in them, so that most actions merge, part or move something with members.
    private static func editor(seed: UInt64) async throws -> RandomEditor {
        var editor = RandomEditor(test: try await TestDatabase.make(), seed: seed)
        for types in [["category"], ["city"], ["feed"], ["article", "place"]] {
            editor.types = types
            for _ in 1...6 { try await editor.action() }
        }
        editor.merges = true
        editor.types = ["category", "category", "category", "article", "place", "feed"]
        return editor
    }

    @Test(
        "B29, R23: after random merges incremental equals full, and no merge leads in a circle",
        arguments: TestScale.seeds(3, 9))
    func incrementalEqualsFull(seed: UInt64) async throws {
        var editor = try await Self.editor(seed: seed)
        var most = 0
        for round in 1...60 {
            try await editor.action()
            if round % 3 == 0 {
                let differences = try await editor.test.database.publications.verify()
                #expect(differences.isEmpty, "after action \(round): \(differences.map { "\($0.table) \($0.key)" })")
            }
            let merged: Int = try await editor.test.client.one("select count(*) as n from curation.category_merge")("n")
            most = max(most, merged)
        }
        #expect(most > 1, "some categories were merged at a time")
        #expect(editor.refused < editor.actions * 3 / 4, "\(editor.refused) of \(editor.actions)")
        let parted: Int = try await editor.test.client.one(
            "select count(*) as n from curation.category_merge_change where new_target is null")("n")
        #expect(parted > 0, "some were parted again")
    }

    @Test(
        "The comparison notices it when a merge restates nothing",
        arguments: ["affected_categories", "contributions"])
    func mutation(function: String) async throws {
        var editor = try await Self.editor(seed: 3)
        let result =
            function == "contributions"
            ? """
            table (sign integer, type text, revision_id uuid, field text, target_entry_id uuid, within_entry_id uuid)
            language sql stable as 'select null::integer, null::text, null::uuid, null::text, null::uuid, null::uuid where false'
            """ : "setof uuid language sql stable as 'select null::uuid where false'"
        _ = try await editor.test.client.query(
            "create or replace function curation.\(raw: function)(p_publication bigint) returns \(raw: result)")
        var found = false
        for _ in 1...40 where !found {
            // Counts that are wrong may be refused by a constraint first; that is noticed, too.
            do { try await editor.action() } catch { found = true }
            if !found { found = try await !editor.test.database.publications.verify().isEmpty }
        }
        #expect(found)
    }
}
