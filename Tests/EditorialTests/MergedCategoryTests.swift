// Tests that what names a merged category is assigned to the category that it was merged into, whatever brings it in.
import Domain
import Operations
import Places
import Postgres
import Store
import TestSupport
import Testing

@Suite("Names of merged categories", .databases)
struct MergedCategoryTests {
    /// Pubs were merged into Taverns, and these into Inns.
    private struct Merged: World {
        let test: TestDatabase
        let ids: [String: ID<Entry>]

        init() async throws {
            test = try await TestDatabase.make()
            var ids: [String: ID<Entry>] = [:]
            for name in ["Pubs", "Taverns", "Inns"] { ids[name] = try await test.category(name) }
            self.ids = ids
            for (name, target) in [("Pubs", "Taverns"), ("Taverns", "Inns")] {
                _ = try await merge(try #require(ids[name]), into: try #require(ids[target]), by: by)
            }
        }

        var by: Actor { TestDatabase.administrator }
        var merge: MergeCategory { test.services.mergeCategory }

        /// The titles of the categories that the newest revisions of a type name, by the title of the entry.
        func assigned(_ type: String) async throws -> [String] {
            try await test.client.query(
                """
                select n.content ->> 'title' || ': ' || string_agg(c.title, ', ' order by k.position) as line
                from curation.entry e
                cross join lateral (
                    select * from curation.revision r where r.entry_id = e.id order by r.number desc limit 1) n
                join curation.reference k on k.revision_id = n.id and k.field = 'categories'
                cross join lateral (
                    select r.content ->> 'title' as title from curation.revision r where r.entry_id = k.target_entry_id
                    order by r.number desc limit 1) c
                where e.type = \(type) group by e.id, n.content order by 1
                """
            ).map { try $0("line") }
        }

        func importPlaces(_ text: String, _ categories: [String] = []) async throws -> ImportReport {
            var options = ImportOptions(source: "list")
            options.publishTiming = .now
            options.categories = categories
            options.image = "https://images.example/none.jpg"
            return try await test.services.importEntries.apply(
                RecordReader(Array(text.utf8)), type: "place", options, by: by)
        }
    }

    @Test(
        "An import of places assigns the target of a merged category, by its name, slug or ID, once", .packs(.places))
    func places() async throws {
        let world = try await Merged()
        let pubs = try #require(world.ids["Pubs"])
        try await world.publish("city", "Hull", ["center": .object(["lat": .int(53), "lon": .int(0)])])
        let report = try await world.importPlaces(
            """
            id,name,address,lat,lon,city,cuisine
            1,Anchor,1 Quay,53.1,-0.1,hull,Pubs;Inns
            2,Bell,2 Quay,53.2,-0.2,hull,taverns
            3,Crown,3 Quay,53.3,-0.3,hull,\(pubs)
            4,Dove,4 Quay,53.4,-0.4,hull,
            """, ["Pubs"])
        #expect((report.new, report.errors, report.blocked) == (4, 0, 0))
        #expect(try await world.assigned("place") == ["Anchor: Inns", "Bell: Inns", "Crown: Inns", "Dove: Inns"])
    }

    @Test("A8: an approved entry of an imported feed is in the target of the merged category that the feed names")
    func feed() async throws {
        let world = try await Merged()
        let document = """
            {"version": "https://jsonfeed.org/version/1.1", "title": "City",
            "items": [{"id": "1", "title": "A round", "content_text": "Slowly.", "tags": ["pubs"]}]}
            """
        let imported = try await world.test.services.importFeed(
            Array(document.utf8), origin: "city.json", by: Actor(kind: .system, name: "import"))
        #expect(imported.submissions == 1)
        let submission: ID<Submission> = try await world.test.client.one("select id from curation.submission")("id")
        _ = try await world.test.services.decideSubmission(
            submission, Decision.Draft(verdict: .approve, publishTiming: .approveOnly), version: nil, by: world.by)
        #expect(try await world.assigned("article") == ["A round: Inns"])
    }

    @Test("A8: an approval assigns the target of a merged category that is named by its ID, once")
    func approved() async throws {
        let world = try await Merged()
        let client = try await world.test.clientActor()
        let pubs = try #require(world.ids["Pubs"])
        let inns = try #require(world.ids["Inns"])
        let piers = try await world.test.category("Piers")
        let text: [String: JSONValue] = ["body": "<p>Slowly.</p>"]
        let drafts: [(title: String, edited: [ID<Entry>]?, chosen: [ID<Entry>])] = [
            ("Bell", nil, [pubs]), ("Crown", nil, [inns, pubs, piers]), ("Dove", [pubs, piers], []),
            ("Eagle", nil, [piers]),
        ]
        for (title, edited, chosen) in drafts {
            let sent = try await world.submit(title, by: client)
            var edits: [String: JSONValue]?
            if let edited {
                edits = text.merging(["title": .string(title), "categories": .entries(edited)]) { $1 }
            }
            let draft = Decision.Draft(
                verdict: .approve, edits: edits, categories: chosen, publishTiming: .approveOnly)
            _ = try await world.test.services.decideSubmission(sent, draft, version: nil, by: world.by)
        }
        #expect(
            try await world.assigned("article")
                == ["Bell: Inns", "Crown: Inns, Piers", "Dove: Inns, Piers", "Eagle: Piers"])

        // The target is archived: what was merged into it means nothing that can be assigned.
        _ = try await world.unpublish(inns)
        for category in [pubs, inns] {
            let sent = try await world.submit("Falcon", by: client)
            let draft = Decision.Draft(verdict: .approve, categories: [category], publishTiming: .approveOnly)
            let failure = await #expect(throws: Failure.self) {
                try await world.test.services.decideSubmission(sent, draft, version: nil, by: world.by)
            }
            guard case .invalid(let errors) = failure else {
                Issue.record("\(category): \(String(describing: failure))")
                continue
            }
            #expect(errors.items.map { "\($0.code) \($0.pointer)" } == ["archived /fields/categories"])
            #expect(errors.items.first?.message.contains("\"Inns\"") == true)
        }
    }
}
