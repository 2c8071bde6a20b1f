// Tests that each line of a release says what it changes for readers.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Lines of releases", .databases)
struct ReleaseItemSummaryTests {
    private struct World {
        let site: AdminFixture
        let number: Int64

        static func make() async throws -> World {
            let site = try await AdminFixture.make()
            let number = try await site.test.services.composeRelease.create(
                title: "Spring", by: TestDatabase.administrator)
            return World(site: site, number: number)
        }

        func add(_ entry: ID<Entry>) async throws {
            let newest = try #require(try await site.test.database.revisions.newest(of: entry))
            try await site.test.services.composeRelease.add(
                [LiveChange(entry: entry, revision: newest.id)], to: number, by: TestDatabase.administrator)
        }

        func page() async throws -> BrowserPage {
            try await site.browser(.curator).get("/releases/\(number)")
        }
    }

    @Test("A new entry names its author, or the contributor whose submission it is")
    func new() async throws {
        let world = try await World.make()
        let site = world.site
        let editor = try await site.test.actor(.editor, name: "Edda")
        try await world.add(try await site.publish("article", "Own", publishTiming: .draft, by: editor))
        let submission = try await site.submit("Sent")
        let outcome = try await site.test.services.decideSubmission(
            submission, Decision.Draft(verdict: .approve, publishTiming: .approveOnly), version: 0, by: editor)
        try await world.add(try #require(outcome.change?.entry))
        let contributor = try #require(try await site.test.database.submissions.find(submission)?.contributor)
        let page = try await world.page()
        #expect(page.says("New, by Edda") && page.says("New, by \(contributor)"))
        #expect(page.html.ranges(of: ">New, by ").count == 2)
    }

    @Test("A changed entry names the fields that differ from the published version, whatever was between")
    func changed() async throws {
        let world = try await World.make()
        let site = world.site
        let (entry, same) = (try await site.article("First"), try await site.article("Same"))
        try await site.edit(entry, ["title": "Second"], publishTiming: .draft)
        try await site.edit(entry, ["body": "<p>Fast.</p>"], publishTiming: .approveOnly)
        try await world.add(entry)
        try await world.add(same)
        let type = try site.test.rules.type(named: "article")
        let labels = type.fields.filter { ["title", "body"].contains($0.name) }.map(\.label)
        let page = try await world.page()
        #expect(page.says("\(labels.joined(separator: " and ")) changed since version 1"))
        #expect(page.says("Nothing changed since version 1"))
        #expect(!page.says("New, by"))
    }

    @Test("An unpublishing says nothing more, an entry that was unpublished is not new")
    func unpublished() async throws {
        let world = try await World.make()
        let site = world.site
        let (gone, back) = (try await site.article("Gone"), try await site.article("Back"))
        try await site.unpublish(back)
        try await world.add(back)
        try await site.test.services.composeRelease.add(
            [LiveChange(entry: gone, revision: nil)], to: world.number, by: TestDatabase.administrator)
        let page = try await world.page()
        #expect(page.says("Unpublished now") && !page.says("New, by") && !page.says("changed since"))
    }

    @Test("A removed field, which a new version drops, is not named: readers never got it")
    func removed() async throws {
        let world = try await World.make()
        let site = world.site
        let (entry, same) = (try await site.article("First"), try await site.article("Same"))
        try await site.test.client.run(
            script: """
                begin;
                set local session_replication_role = replica;
                update curation.revision set content = content || '{"rank": 30}' where entry_id in ('\(entry)', '\(same)');
                commit;
                """)
        try await site.edit(entry, ["title": "Second"], publishTiming: .approveOnly)
        try await site.edit(same, ["rank": .null], publishTiming: .approveOnly)
        try await world.add(entry)
        try await world.add(same)
        let page = try await world.page()
        #expect(page.says("Title changed since version 1") && page.says("Nothing changed since version 1"))
    }

    @Test("Of many fields, the first two are named")
    func many() async throws {
        let world = try await World.make()
        let site = world.site
        let entry = try await site.article("First")
        try await site.edit(
            entry, ["title": "Second", "body": "<p>Fast.</p>", "summary": "Quick.", "slug": "quick"],
            publishTiming: .approveOnly)
        try await world.add(entry)
        #expect(try await world.page().says(" and 2 more fields changed since version 1"))
    }
}
