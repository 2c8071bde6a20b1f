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
        func write(_ fields: [String: JSONValue]) async throws -> WrittenRevision {
            let content = try await test.rules.checked(fields, as: tour, for: .revision).content
            return try await test.database.transaction(
                by: TestDatabase.administrator, AuditEvent("entry.create", on: "entry")
            ) { try await $0.write(EntryDraft(type: tour, content: content, texts: DerivedTexts())) }
        }
        let (one, two) = (try await write(["title": "One"]).entry, try await write(["title": "Two"]).entry)
        let (first, second) = (JSONValue.string(one.description), JSONValue.string(two.description))
        let stops: [String: JSONValue] = [
            "title": "T",
            "stops": .array([
                .object(["place": first, "body": "<p>one</p>"]),
                .object(["place": second, "others": .array([first, second])]), .object(["place": first]),
            ]),
        ]
        let content = try await test.rules.checked(stops, as: tour, for: .revision).content
        #expect(try await test.rules.plain(content, in: tour) == "one")
        let written = try await write(stops)
        let kept = try await test.client.query(
            """
            select field || ' ' || position || ' ' || target_entry_id || ' ' || counted as text
            from curation.reference where revision_id = \(written.revision.uuid) order by field, position
            """
        ).map { try $0("text") as String }
        #expect(
            kept == [
                "stops.others 1 \(one) false", "stops.others 2 \(two) false", "stops.place 1 \(one) true",
                "stops.place 2 \(two) true",
            ])

        // A category is no tour, and the last one is nothing.
        let nothing = "0197c0de-0000-7000-8000-000000000000"
        let others: [JSONValue] = [first, .string(nothing)]
        let category = JSONValue.string(SeedEntry.unsorted.description)
        do {
            _ = try await write([
                "title": "T",
                "stops": .array([
                    .object(["place": first]), .object(["place": category, "others": .array(others)]),
                ]),
            ])
            Issue.record("written")
        } catch Failure.invalid(let errors) {
            #expect(
                errors.items.map { "\($0.pointer) \($0.code) \($0.message)" } == [
                    "/fields/stops/1/place reference Place: Choose an entry of the type tour, not category.",
                    "/fields/stops/1/others/1 reference There is no entry with the ID \(nothing).",
                ])
        }
    }
}
