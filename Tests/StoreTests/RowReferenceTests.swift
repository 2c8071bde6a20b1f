// Tests that entries referenced within rows are kept as references like all others.
import Domain
import Postgres
import Store
import TestSupport
import Testing

@Suite("References within rows", .databases)
struct RowReferenceTests {
    @Test("R1: a revision keeps the entries that its rows reference: once each, in order, counted by field")
    func kept() async throws {
        let test = try await TestDatabase.make()
        let file = """
            {"name":"tour","label":"Tour","plural":"Tours","help":"h","kind":"other","title_field":"title","fields":[
             {"name":"title","label":"Title","help":"h","type":"text","required":true},
             {"name":"stops","label":"Stops","row_label":"Stop","help":"h","type":"rows","fields":[
              {"name":"place","label":"Place","help":"h","type":"reference","targets":["tour"],"counted":true},
              {"name":"others","label":"Others","help":"h","type":"references","targets":["tour"]},
              {"name":"body","label":"Body","help":"h","type":"rich_text"}]}]}
            """
        let tour = try #require(
            try ContentTypes(files: [("tour.json", Array(file.utf8))], kinds: ContentType.Kind.core)["tour"])
        _ = try await test.superuser().query(
            "insert into curation.content_type (name, kind, four_eyes, required_approvals) values ('tour', 'other', false, 1)"
        )
        let (group, category): (JSONValue, JSONValue) = (
            "00000000-0000-7000-8000-000000000011", "00000000-0000-7000-8000-000000000013"
        )
        let content = try await test.rules.checked(
            [
                "title": "T",
                "stops": .array([
                    .object(["place": category, "body": "<p>one</p>"]),
                    .object(["place": group, "others": .array([category, group])]), .object(["place": category]),
                ]),
            ], as: tour, for: .revision
        ).content
        #expect(try await test.rules.plain(content, in: tour) == "one")
        let written = try await test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("entry.create", on: "entry")
        ) { try await $0.write(EntryDraft(type: tour, content: content, texts: DerivedTexts())) }
        let kept = try await test.client.query(
            """
            select field || ' ' || position || ' ' || right(target_entry_id::text, 2) || ' ' || counted as text
            from curation.reference where revision_id = \(written.revision.uuid) order by field, position
            """
        ).map { try $0("text") as String }
        #expect(
            kept == [
                "stops.others 1 13 false", "stops.others 2 11 false", "stops.place 1 13 true", "stops.place 2 11 true",
            ])
    }
}
