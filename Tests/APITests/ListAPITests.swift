// Tests curated lists and catalogs over the API.
import API
import Domain
import FoundationEssentials
import Lists
import Store
import TestSupport
import Testing

@Suite("Lists and catalogs over the API", .databases, .packs(.lists))
struct ListAPITests {
    private func record(
        _ api: APIFixture, _ titles: [String], kind name: String = "movie", details: [String: JSONValue] = [:]
    ) async throws -> [ID<CatalogItem>] {
        let kinds = try CatalogKinds(folder: TestDatabase.packageRoot + "/Config/catalogs")
        let kind = try #require(kinds[name])
        let records = titles.compactMap { CatalogRecord(kind, externalID: $0, title: $0, details: details) }
        let event = AuditEvent("catalog.update", on: "catalog")
        return try await api.test.database.transaction(by: Actor(kind: .system, name: "system"), event) { transaction in
            try await transaction.catalogs.record(
                records, areComplete: true, kind: name, source: kind.source, by: transaction.actor)
        }
    }

    private func rows(_ ids: [ID<CatalogItem>]) -> JSONValue {
        .array(ids.map { .object(["item": .string($0.description)]) })
    }

    @Test("D10, D12, D13: lists are read by owner and by subject, page by page")
    func lists() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let films = try await record(api, ["A", "B"])
        for number in 1...23 {
            try await api.publish(
                "list", "List \(number)",
                [
                    "items": rows([films[0]]), "owner": .string(number % 2 == 0 ? "user-even" : "user-odd"),
                    "subject": number <= 3 ? .string(films[1].description) : .null,
                ], publishTiming: .approveOnly)
        }
        try await api.publishWaiting()
        let all = try await api.walk("/v1/lists", as: guest)
        #expect(Set(all.titles).count == 23 && all.titles.count == 23 && all.pages == 2)
        let even = try await api.walk("/v1/lists?owner=user-even", as: guest)
        #expect(even.titles.count == 11 && even.titles.allSatisfy { Int($0.dropFirst(5))?.isMultiple(of: 2) == true })
        let about = try await api.walk("/v1/lists?subject=\(films[1])", as: guest)
        #expect(Set(about.titles) == ["List 1", "List 2", "List 3"])
        #expect(try await api.get("/v1/lists?owner=nobody", as: guest).data.isEmpty)
        #expect(try await api.get("/v1/lists?subject=x", as: guest).status == 400)
    }

    @Test("D14: items in the curator's order, newest first, or by title in natural order; another order is 400")
    func sorts() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let titles = ["zebra", "Äpfel", "apple", "Ähre", "Banana", "banana", "École", "eclipse"]
        let films = try await record(api, titles)
        let list = try await api.publish("list", "Mixed", ["items": rows(Array(films[..<6]))])
        try await api.edit(list, ["items": rows([films[6]] + films[..<6] + [films[7]])])
        let order = ["École"] + titles[..<6] + ["eclipse"]
        #expect(try await api.walk("/v1/lists/\(list)/items", as: guest).titles == order)
        #expect(try await api.walk("/v1/lists/mixed/items?sort=position", as: guest).titles == order)
        let byTitle = try await api.walk("/v1/lists/\(list)/items?sort=title", as: guest).titles
        #expect(byTitle.prefix(3) == ["Ähre", "Äpfel", "apple"] || byTitle.prefix(3) == ["Ähre", "apple", "Äpfel"])
        #expect(byTitle.suffix(3) == ["eclipse", "École", "zebra"] && byTitle.count == 8)
        let byDate = try await api.walk("/v1/lists/\(list)/items?sort=date", as: guest).titles
        #expect(Set(byDate.prefix(2)) == ["École", "eclipse"] && Set(byDate.suffix(6)) == Set(titles[..<6]))
        for wrong in ["rating", "", "Title", "position,title"] {
            let reply = try await api.get("/v1/lists/\(list)/items?sort=\(wrong)", as: guest)
            #expect(reply.status == 400 && reply.pointers == ["/query/sort"])
        }
        #expect(try await api.get("/v1/lists/nowhere/items", as: guest).status == 404)
    }

    @Test("D14: pages of each order contain every item once, ties by id", arguments: ["position", "date", "title"])
    func pages(sort: String) async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        // Titles that are equal for longer than a cursor stores.
        let start = String(repeating: "Ω", count: 90)
        let films = try await record(api, (1...45).map { $0 % 3 == 0 ? "Film \($0)" : "\(start) \($0)" })
        let list = try await api.publish("list", "Long", ["items": rows(films)])
        let walk = try await api.walk("/v1/lists/\(list)/items?sort=\(sort)", as: guest)
        #expect(walk.pages == 3 && walk.titles.count == 45 && Set(walk.titles).count == 45)
        let first = try await api.get("/v1/lists/\(list)/items?sort=\(sort)", as: guest)
        let other = sort == "title" ? "date" : "title"
        let mixed = try await api.get(
            "/v1/lists/\(list)/items?sort=\(other)&cursor=\(first.next ?? "")", as: guest)
        #expect(mixed.status == 400)
    }

    @Test("D10, D28: a list as text: title and items, one line each, the same bytes for the same version")
    func text() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let films = try await record(api, ["Zwei\r\nZeilen", "Äpfel & <b>Birnen</b>", "映画"])
        let list = try await api.publish("list", "Für\u{7}  später", ["items": rows(films)])
        let reply = try await api.get("/v1/lists/\(list)/text", as: guest)
        #expect(reply["Content-Type"] == "text/plain; charset=utf-8" && reply.status == 200)
        #expect(reply.text == "Für  später\nZwei Zeilen\nÄpfel & <b>Birnen</b>\n映画\n")
        #expect(try await api.get("/v1/lists/\(list)?format=text", as: guest).bytes == reply.bytes)
        let byTitle = try await api.get("/v1/lists/\(list)/text?sort=title", as: guest)
        #expect(byTitle.text == "Für  später\nÄpfel & <b>Birnen</b>\nZwei Zeilen\n映画\n")
        let tag = try #require(reply["ETag"])
        #expect(try await api.get("/v1/lists/\(list)/text", as: guest, [("If-None-Match", tag)]).status == 304)
        // Other publications do not change a byte; a change of the list does, with its version.
        let version = try await api.get("/v1/lists/\(list)", as: guest).json["version"]
        try await api.publish("feed", "Other", ["tier": "free"])
        #expect(try await api.get("/v1/lists/\(list)/text", as: guest).bytes == reply.bytes)
        #expect(try await api.get("/v1/lists/\(list)", as: guest).json["version"] == version)
        try await api.edit(list, ["items": rows([films[2]])])
        #expect(try await api.get("/v1/lists/\(list)/text", as: guest).text == "Für  später\n映画\n")
        #expect(try await api.get("/v1/lists/\(list)", as: guest).json["version"] != version)
        #expect(try await api.get("/v1/lists/\(list)?sort=title", as: guest).status == 400)
    }

    @Test("D15, D24, D26, K7: an item of a list has its id, the source's id and details; checked is false")
    func items() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let films = try await record(api, ["A"], details: ["overview": "Long.", "odd": .array([.int(1)])])
        let list = try await api.publish("list", "One", ["items": rows(films)])
        let item = try #require(try await api.get("/v1/lists/\(list)/items", as: guest).data.first)
        #expect(item["item_id"] == "A" && item["checked"] == .bool(false))
        #expect(item["list"]?.stringValue == list.description && item["kind"] == "movie")
        #expect(item["details"]?["overview"] == "Long." && item["details"]?["odd"] == .array([.int(1)]))
        let found = try await api.get("/v1/search?q=one&type=list", as: guest)
        #expect(found.titles == ["One"])
    }

    @Test("D6, D7, D8, D11: each catalog is searched separately, without matches of another kind")
    func catalog() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let films = try await record(api, ["Café noir", "Night café", "Alone"])
        let places = try await record(api, ["Café Noir"], kind: "restaurant", details: ["city": "Port"])
        try await api.publish("list", "All", ["items": rows(films + places)])
        _ = try await record(api, ["Café of nobody"])
        #expect(try await api.get("/v1/catalog/movie?q=cafe", as: guest).titles == ["Café noir", "Night café"])
        #expect(try await api.get("/v1/catalog/restaurant?q=CAFÉ", as: guest).titles == ["Café Noir"])
        #expect(try await api.get("/v1/catalog/movie", as: guest).titles == ["Alone", "Café noir", "Night café"])
        #expect(try await api.get("/v1/catalog/book", as: guest).data.isEmpty)
        let one = try await api.get("/v1/catalog/restaurant/\(places[0])", as: guest)
        #expect(one.status == 200 && one.json["details"]?["city"] == "Port")
        #expect(one.json["fetched_at"]?.stringValue?.isEmpty == false && one.json["source"] == "yelp")
        #expect(try await api.get("/v1/catalog/movie/\(places[0])", as: guest).status == 404)
        #expect(try await api.get("/v1/catalog/movie/x", as: guest).status == 404)
    }

    @Test("D19, D25: a moved list redirects, an unpublished one is gone, and the change feed names it")
    func addresses() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let films = try await record(api, ["A"])
        let list = try await api.publish("list", "Old name", ["items": rows(films)])
        try await api.edit(list, ["slug": "new-name"])
        for rest in ["", "/items", "/text?sort=date", "?format=text"] {
            let moved = try await api.get("/v1/lists/old-name\(rest)", as: guest)
            #expect(moved.status == 308 && moved["Location"] == "/v1/lists/new-name\(rest)")
        }
        let resolved = try await api.get("/v1/resolve?kind=list&slug=old-name", as: guest)
        #expect(resolved.json["path"]?.stringValue == "/v1/lists/\(list)" || resolved.json["state"] == "moved")
        try await api.unpublish(list)
        #expect(try await api.get("/v1/lists/\(list)", as: guest).status == 410)
        #expect(try await api.get("/v1/lists/new-name/text", as: guest).status == 410)
        let changes = try await api.get("/v1/changes?since=0", as: guest).data
        #expect(
            changes.contains {
                $0["table"] == "list" && $0["key"]?.stringValue == list.description && $0["operation"] == "delete"
            })
    }

    @Test("D2: a list submitted by a reader is curated like any other content")
    func submitted() async throws {
        let (api, portal) = try await APIFixture.serving([.submit, .review])
        let films = try await record(api, ["A", "B"])
        let body =
            #"{"type":"list","contributor":"user-7","fields":{"title":"Mine","owner":"user-7","items":[{"item":"\#(films[0])"},{"item":"\#(films[1])","note":"twice a year"}]}}"#
        let reply = try await api.post("/v1/submissions", body, as: portal)
        #expect(reply.status == 201)
        let twice = body.replacing(films[1].description, with: films[0].description)
        let refused = try await api.post("/v1/submissions", twice, as: portal)
        #expect(refused.status == 422 || refused.status == 400)
        #expect(refused.pointers == ["/fields/items/1/item"])
    }
}
