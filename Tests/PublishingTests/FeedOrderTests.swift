// Tests the manual order of feeds for readers: what it contains, and what changes it.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Order of feeds for readers", .databases)
struct FeedOrderTests {
    private struct Feeds {
        let world: FeedWorld
        let hand: ID<Entry>
        let other: ID<Entry>
        private(set) var items: [ID<Entry>] = []

        /// Two feeds in manual order with the articles A to D.
        init() async throws {
            world = try await FeedWorld.make()
            hand = try await world.publish("feed", "Hand", ["order": "ranked"])
            other = try await world.publish("feed", "Other", ["order": "ranked"])
            for title in ["A", "B", "C", "D"] {
                items.append(try await world.publish("article", title, ["feeds": FeedWorld.list(hand, other)]))
            }
        }

        func order(_ feed: ID<Entry>, _ numbers: Int...) async throws {
            try await world.edit(feed, [ManualOrder.field: .entries(numbers.map { items[$0] })])
        }
    }

    @Test("A2, A7: each feed has its own order: pinned items, then those ordered by hand, then the others by date")
    func own() async throws {
        let feeds = try await Feeds()
        let world = feeds.world
        #expect(try await world.titles(of: feeds.hand) == ["D", "C", "B", "A"])
        try await feeds.order(feeds.hand, 0, 2)
        try await feeds.order(feeds.other, 1)
        #expect(try await world.titles(of: feeds.hand) == ["A", "C", "D", "B"])
        #expect(try await world.titles(of: feeds.other) == ["B", "D", "C", "A"])
        try await world.edit(feeds.hand, ["pins": FeedWorld.list(feeds.items[1], feeds.items[2])])
        #expect(try await world.titles(of: feeds.hand) == ["B", "C", "A", "D"])
        try await world.edit(feeds.hand, ["order": "newest", "pins": .null])
        #expect(try await world.titles(of: feeds.hand) == ["D", "C", "B", "A"])
        try await world.edit(feeds.hand, ["order": "ranked"])
        #expect(try await world.titles(of: feeds.hand) == ["A", "C", "D", "B"])
        #expect(try await world.differences() == 0)
        let hidden = try await world.test.reader.one(
            """
            select count(*) filter (where document::jsonb -> 'fields' ? 'manual_order') as n from api_v1.feed_full
            """)
        #expect(try hidden("n") as Int == 0)
    }

    @Test("A2, A7: an item that leaves the feed or is unpublished returns to its position: the order is the feed's")
    func absent() async throws {
        let feeds = try await Feeds()
        let world = feeds.world
        try await feeds.order(feeds.hand, 0, 1, 2, 3)
        try await world.edit(feeds.items[1], ["feeds": FeedWorld.list(feeds.other)])
        #expect(try await world.titles(of: feeds.hand) == ["A", "C", "D"])
        try await world.edit(feeds.items[1], ["feeds": FeedWorld.list(feeds.hand)])
        #expect(try await world.titles(of: feeds.hand) == ["A", "B", "C", "D"])
        try await world.unpublish(feeds.items[0])
        #expect(try await world.titles(of: feeds.hand) == ["B", "C", "D"])
        _ = try await world.write.publish(feeds.items[0], number: 1, publishTiming: .now, by: FeedWorld.actor)
        #expect(try await world.titles(of: feeds.hand) == ["A", "B", "C", "D"])
        #expect(try await world.differences() == 0)
    }

    @Test("A7: a new order is one version and one publication, whose rollback restores the order before")
    func rollback() async throws {
        let feeds = try await Feeds()
        let world = feeds.world
        try await feeds.order(feeds.hand, 0, 1, 2, 3)
        let before: Int64 = try await world.test.client.one("select max(number) as n from api_v1.publication")("n")
        try await feeds.order(feeds.hand, 3, 1, 2, 0)
        #expect(try await world.titles(of: feeds.hand) == ["D", "B", "C", "A"])
        let change = try await world.test.client.one(
            """
            select max(number) as number, (select count(*) from api_v1.change c
                where c.read_table = 'feed_item' and c.publication = max(p.number)) as rows
            from api_v1.publication p
            """)
        #expect(try change("number") as Int64 == before + 1 && change("rows") as Int == 2)
        try await world.rollBack(to: before)
        #expect(try await world.titles(of: feeds.hand) == ["A", "B", "C", "D"])
        #expect(try await world.differences() == 0)
    }
}
