// Tests that edits keep the publication date of an item and its position among the newest.
import Domain
import Postgres
import Store
import TestSupport
import Testing

@Suite("Publication dates", .databases)
struct PublicationDateTests {
    @Test("A7: editing an item keeps its publication date and its position; only updated_at moves")
    func edited() async throws {
        let world = try await FeedWorld.make()
        let newest = try await world.publish("feed", "Newest", ["order": "newest"])
        let ranked = try await world.publish("feed", "Ranked", ["order": "ranked"])
        let feeds = FeedWorld.list(newest, ranked)
        let old = try await world.publish("article", "Old", ["feeds": feeds])
        _ = try await world.publish("article", "New", ["feeds": feeds])
        func row() async throws -> [String] {
            try await world.test.reader.query(
                """
                select age::text as age, published_at::text as at, document ->> 'published_at' as shown, (
                    select string_agg(f.age::text, ' ' order by f.feed_id) from api_v1.feed_item f where f.item_id = i.id) as ages, (
                    select string_agg(m.age::text, ' ') from api_v1.category_member m where m.member_id = i.id) as member
                from api_v1.item i where id = \(old)
                """
            ).flatMap { row in
                try ["age", "at", "shown", "ages", "member"].map { try row($0) as String }
            }
        }
        func updated() async throws -> String {
            try await world.test.client.one(
                "select max(a.approved_at)::text as at from curation.publish_approval a where a.entry_id = \(old)")(
                    "at")
        }
        let (before, approved) = (try await row(), try await updated())
        try await world.edit(old, ["body": "<p>Better.</p>"])
        #expect(try await row() == before)
        #expect(try await updated() != approved)
        for feed in [newest, ranked] { #expect(try await world.titles(of: feed) == ["New", "Old"]) }
        // Unpublished and published again, it keeps its date, too.
        try await world.unpublish(old)
        _ = try await world.write.publish(old, number: 2, publishTiming: .now, by: FeedWorld.actor)
        #expect(try await row() == before)
        #expect(try await world.test.database.publications.verify().isEmpty)
    }
}
