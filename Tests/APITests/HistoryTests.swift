// Tests what clients are told after a restore or a failover: their tags and positions belong to another history.
import API
import Domain
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("The identity of history", .databases)
struct HistoryTests {
    private let api: APIFixture
    private let client: APIFixture.Client
    private let feed: ID<Entry>

    init() async throws {
        api = try await APIFixture.make(trust: .seconds(60))
        client = try await api.client([.readFull])
        feed = try await api.publish("feed", "City", ["tier": "free"])
        try await publish("One")
    }

    private func publish(_ title: String) async throws {
        try await api.publish(
            "article", title, ["body": "<p>x</p>", "feeds": ids([feed]), "categories": ids([SeedEntry.unsorted])])
    }

    private func asOwner(_ script: String) async throws {
        try await api.test.client.run(script: script)
    }

    /// What a restore does with the newest publication and event: their numbers are used again.
    private func replaceTags() async throws {
        try await asOwner(
            """
            update api_v1.publication set tag = '000000000001' where number = (select max(number) from api_v1.publication);
            update api_v1.event set tag = '000000000001' where number = (select max(number) from api_v1.event);
            """)
    }

    /// What an asynchronous failover does with them: they are gone.
    private func loseNewest() async throws {
        try await asOwner(
            """
            delete from api_v1.change where publication = (select max(number) from api_v1.publication);
            delete from api_v1.publication where number = (select max(number) from api_v1.publication);
            delete from api_v1.event where number = (select max(number) from api_v1.event);
            """)
    }

    /// Makes the database look like a logical replica of the read tables.
    private func becomeReplica() async throws {
        try await asOwner(
            """
            insert into pg_subscription_rel (srsubid, srrelid, srsubstate)
            values (1, 'api_v1.publication'::regclass, 'r')
            """)
    }

    /// The positions that a client stores: of changes, of events, and of a copy that has just begun.
    private func positions() async throws -> [String] {
        let changes = try await api.get("/v1/changes?since=0", as: client).next
        let events = try await api.get("/v1/events?since=0", as: client).next
        let table = try await api.get("/v1/tables/item", as: client).json["change"]?.stringValue
        return [
            "/v1/changes?since=\(try #require(changes))", "/v1/events?since=\(try #require(events))",
            "/v1/tables/feed?since=\(try #require(table))",
        ]
    }

    private func statuses(_ targets: [String]) async throws -> [Int] {
        var statuses: [Int] = []
        for target in targets { statuses.append(try await api.get(target, as: client).status) }
        return statuses
    }

    @Test("R32: a publication and an event have a tag of their own, and positions carry number and tag")
    func tags() async throws {
        let first = try await api.get("/v1/publication", as: client).json
        let tag = try #require(first["tag"]?.stringValue)
        #expect(tag.count == 12 && first["number"] == .int(3))
        let changes = try await api.get("/v1/changes?since=0", as: client)
        #expect(changes.json["publication_tag"] == .string(tag))
        let last = try #require(changes.data.last?["number"]?.integerValue)
        #expect(changes.next == "\(last)-3-\(tag)")
        let events = try await api.get("/v1/events?since=0", as: client)
        let event = try #require(events.data.last)
        #expect(event["publication_tag"] == .string(tag) && event["publication"] == .int(3))
        #expect(events.next == "1-\(try #require(event["tag"]?.stringValue))")
        try await publish("Two")
        let second = try await api.get("/v1/publication", as: client).json
        #expect(second["number"] == .int(4) && second["tag"] != first["tag"])
        // All of it is still part of the history.
        #expect(try await statuses(try await positions()) == [200, 200, 200])
        let stored = "/v1/changes?since=\(last)-3-\(tag)"
        #expect(try await api.get(stored, as: client).data.isEmpty == false)
    }

    @Test("R32: a position whose number is held with another tag is 410, and says how to start over")
    func replaced() async throws {
        let positions = try await positions()
        try await replaceTags()
        for target in positions {
            let reply = try await api.get(target, as: client)
            #expect(reply.status == 410 && reply.code == "history_changed", "\(target)")
            let start = try #require(reply.json["next_url"]?.stringValue, "\(target)")
            #expect(reply["Link"] == "<\(start)>; rel=\"next\"")
            #expect(try await api.get(start, as: client).status == 200, "\(target)")
        }
        #expect(try await api.get("/problems/history_changed", as: nil).text.contains("read the tables again"))
        #expect(try await statuses(try await self.positions()) == [200, 200, 200])
    }

    @Test("R32: a position that doesn't exist is 410 on a primary, and 503 with Retry-After on a replica")
    func missing() async throws {
        let positions = try await positions()
        try await loseNewest()
        #expect(try await statuses(positions) == [410, 410, 410])
        #expect(try await statuses(["/v1/changes?since=99999999-99999999-0123456789ab"]) == [410])
        try await becomeReplica()
        for target in positions {
            let reply = try await api.get(target, as: client)
            #expect(reply.status == 503 && reply.code == "replica_behind", "\(target)")
            #expect(reply["Retry-After"] == "1", "\(target)")
        }
        // Older positions are served by a replica, and a number that it holds with another tag is 410 there, too.
        #expect(try await statuses(try await self.positions()) == [200, 200, 200])
        #expect(try await statuses(["/v1/changes?since=1-1-0123456789ab"]) == [410])
    }

    @Test(
        "R34: after a restore the same number has other entity tags, and a lower number is noticed within two seconds")
    func entityTags() async throws {
        let known = try await knownTag("/v1/items")
        try await replaceTags()
        api.clock.advance(by: .seconds(2))
        #expect(try await api.get("/v1/items", as: client, known).status == 200)
        #expect(
            api.site.fastPath(try api.request("GET", "/v1/items", as: client, headers: known)) == nil)
        try await loseNewest()
        api.clock.advance(by: .seconds(2))
        #expect(try await api.get("/v1/items", as: client)["ETag"]?.hasPrefix("\"1-2-") == true)
    }

    /// The condition with the current tag. The clock may hear of the last publication only after the first response.
    private func knownTag(_ target: String) async throws -> [(String, String)] {
        var known: [(String, String)] = []
        try await until("the tag of the last publication is known") {
            known = [("If-None-Match", try await api.get(target, as: client)["ETag"] ?? "")]
            return try await api.get(target, as: client, known).status == 304
        }
        return known
    }

    @Test("B12, R34: an event that time causes changes the entity tag of the events")
    func eventsByTime() async throws {
        let known = try await knownTag("/v1/events?since=0")
        let before = try await api.get("/v1/events?since=0", as: client)
        try await asOwner(
            """
            select curation.add_events(3, array['promotion.started'], array['x'], array[now()], array['{}'::json]);
            """)
        let after = try await api.get("/v1/events?since=0", as: client, known)
        #expect(after.status == 200 && after.data.count == before.data.count + 1)
    }

    @Test(
        "S17: anything that is not a position is 400 at /query/since",
        arguments: [
            "1", "-", "00", "1-2", "1-2-xyz", "1-0-0123456789ab", "1-2-0123456789AB", "1-2-0123456789abc",
            "01-2-0123456789ab", "9223372036854775808-1-0123456789ab", "1-2-3-0123456789ab",
        ])
    func malformed(position: String) async throws {
        for target in ["/v1/changes", "/v1/events", "/v1/tables/item"] {
            let reply = try await api.get("\(target)?since=\(position)", as: client)
            #expect(reply.status == 400 && reply.pointers == ["/query/since"], "\(target)?since=\(position)")
        }
    }
}
