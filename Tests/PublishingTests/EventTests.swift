// Tests events for push notifications: once each, in order, by publications and by the clock.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Events", .databases)
struct EventTests {
    private let actor = TestDatabase.administrator

    private func events(_ test: TestDatabase) async throws -> [String] {
        try await test.guest.query(
            "select number || ' ' || event || ' ' || key as line from api_v1.event order by number"
        ).map { try $0("line") }
    }

    @Test("B12: an item added to a feed creates one event, in order, whatever happens to it later")
    func feedItems() async throws {
        let test = try await TestDatabase.make()
        let write = test.write
        let feed = try await write.create(
            type: "feed", fields: ["title": "City", "tier": "free"], publishTiming: .now, by: actor
        ).entry
        var fields: [String: JSONValue] = [
            "title": "One", "body": "<p>x</p>", "feeds": .array([.string(feed.description)]),
            "categories": .array([.string(SeedEntry.unsorted.description)]),
        ]
        let one = try await write.create(type: "article", fields: fields, publishTiming: .now, by: actor).entry
        fields["title"] = "Two"
        let two = try await write.create(type: "article", fields: fields, publishTiming: .now, by: actor).entry
        let notified = ["1 feed_item.published \(feed)/\(one)", "2 feed_item.published \(feed)/\(two)"]
        #expect(try await events(test) == notified)
        // Edited, withdrawn, brought back: known already.
        fields["title"] = "Two again"
        fields["slug"] = "two"
        _ = try await write.edit(two, fields: fields, base: 1, publishTiming: .now, by: actor)
        let number = try await test.database.publications.current()
        let publish = test.services.publishRelease
        _ = try await publish.now([LiveChange(entry: two, revision: nil)], note: "away", by: actor)
        _ = try await publish.rollback(to: number, seen: nil, by: actor)
        #expect(try await events(test) == notified)
        #expect(try await test.database.publications.verify().isEmpty)
    }

    @Test(
        "B12: a promotion creates one event when it starts or is published later; never twice, never after its end",
        .packs(.places))
    func promotions() async throws {
        let test = try await TestDatabase.make()
        let write = test.write
        func make(_ type: String, _ title: String, _ fields: [String: JSONValue]) async throws -> ID<Entry> {
            try await write.create(
                type: type, fields: fields.merging(["title": .string(title)]) { $1 }, publishTiming: .now, by: actor
            ).entry
        }
        let point: JSONValue = .object(["lat": .int(1), "lon": .int(2)])
        let city = try await make("city", "First", ["center": point])
        let place = try await make(
            "place", "Door",
            [
                "city": .string(city.description), "address": "Quay 1", "image": "https://images.example/a.jpg",
                "point": point, "categories": .array([.string(SeedEntry.unsorted.description)]),
            ])
        func promotion(_ title: String, _ start: String, _ end: String) async throws -> ID<Entry> {
            try await make(
                "promotion", title,
                ["place": .string(place.description), "starts_at": .string(start), "ends_at": .string(end)])
        }
        try await test.client.execute("update curation.event_cursor set notified_until = '2026-02-01T00:00:00Z'")
        let running = try await promotion("Running", "2026-01-01T00:00:00Z", "2099-01-01T00:00:00Z")
        #expect(try await events(test).map { $0.prefix(19) } == ["1 promotion.started"])
        _ = try await promotion("Over", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")
        let later = try await promotion("Later", "2026-03-01T00:00:00Z", "2099-01-01T00:00:00Z")
        _ = try await promotion("Far", "2098-03-01T00:00:00Z", "2099-01-01T00:00:00Z")
        #expect(try await events(test).count == 1)
        // The clock comes to the start of one of them, and asks again.
        #expect(try await test.database.publications.notifyStarted() == 1)
        #expect(try await test.database.publications.notifyStarted() == 0)
        let lines = try await events(test)
        #expect(lines.count == 2)
        #expect(lines.first?.contains(running.description) == true && lines.last?.contains(later.description) == true)
    }
}
