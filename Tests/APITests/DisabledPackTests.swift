// Tests that readers see nothing of packs that are off, and everything again once they are on.
import Domain
import Postgres
import Store
import TestSupport
import Testing

@Suite("Packs that are off", .databases)
struct DisabledPackTests {
    private func migrate(_ test: TestDatabase, _ packs: PackSet) async throws {
        let folder = TestDatabase.packageRoot + "/Config/content-types"
        try await Schema(client: test.client, roles: try #require(TestDatabase.roles), packs: packs).migrate(
            types: try ContentTypes(folder: folder, packs: packs), version: "test")
    }

    /// The tables of all changes.
    private func changed(_ api: APIFixture, _ client: APIFixture.Client) async throws -> Set<String> {
        var tables: Set<String> = []
        var since = "0"
        while true {
            let page = try await api.get("/v1/changes?since=\(since)&rows=true", as: client)
            #expect(page.status == 200)
            tables.formUnion(page.data.compactMap { $0["table"]?.stringValue })
            guard let next = page.next, page.json["up_to_date"] != .bool(true) else { return tables }
            since = next
        }
    }

    private func keys(_ api: APIFixture, _ path: String, _ client: APIFixture.Client) async throws -> Set<String> {
        Set(try await api.get(path, as: client).data.compactMap { $0["key"]?.stringValue })
    }

    @Test("Settings, texts and changes of a pack are there for readers only while it is on", .allPacks)
    func traces() async throws {
        let on = try await APIFixture.make()
        try await on.publish("city", "Bath", ["center": .object(["lat": .double(51.38), "lon": .double(-2.36)])])
        try await on.publish("setting", "Logo", ["key": "app.logo", "section": "App", "kind": "text", "value": "x"])
        let ofPacks = Set(
            try TestDatabase.allPacks.all.dropFirst().flatMap {
                try JSONValue(parsing: $0.defaults).arrayValue ?? []
            }.compactMap { $0["fields"]?["key"]?.stringValue })
        #expect(ofPacks.contains("closest.count") && ofPacks.contains("places.no_match"))
        let clients = [try await on.client([.readGuest]), try await on.client([.readFull])]
        for client in clients {
            #expect(try await keys(on, "/v1/settings", client).contains("closest.count"))
            #expect(try await keys(on, "/v1/texts", client).contains("places.no_match"))
            #expect(try await changed(on, client).contains("city"))
        }

        try await migrate(on.test, .none)
        let off = try await APIFixture.make(packs: .none, on: on.test)
        for (client, scope) in zip(clients, [ReadScope.guest, .reader]) {
            let settings = try await keys(off, "/v1/settings", client)
            #expect(settings.isSuperset(of: ["premium.trial_days", "app.logo"]))
            #expect(settings.intersection(ofPacks) == [])
            let texts = try await keys(off, "/v1/texts", client)
            #expect(texts.contains("paywall.title") && texts.intersection(ofPacks) == [])
            #expect(try await off.get("/v1/settings/closest.count", as: client).status == 404)
            #expect(try await off.get("/v1/texts/places.no_match", as: client).status == 404)
            let tables = try await changed(off, client)
            let visible = Set(PackSet.none.readTables(visibleTo: scope).map(\.name))
            #expect(tables.contains("setting") && tables.isSubset(of: visible), "\(tables.subtracting(visible))")
        }

        try await migrate(on.test, TestDatabase.packs)
        let again = try await APIFixture.make(on: on.test)
        for client in clients {
            #expect(try await keys(again, "/v1/settings", client).contains("closest.count"))
            #expect(try await keys(again, "/v1/texts", client).contains("places.no_match"))
            #expect(try await changed(again, client).contains("city"))
        }
    }
}
