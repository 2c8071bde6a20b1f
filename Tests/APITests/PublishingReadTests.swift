// Tests what readers see when something is published, renamed or unpublished.
import API
import Domain
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Reading while publishing", .databases)
struct PublishingReadTests {
    @Test("R34: a tag is valid until the next publication, then never again; another view has another tag")
    func entityTags() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let full = try await api.client([.readGuest, .readFull])
        let item = try await api.publish(
            "article", "One", ["body": "<p>x</p>", "categories": ids([SeedEntry.unsorted])])
        let target = "/v1/items/\(item)"
        let tag = try #require(try await api.get(target, as: guest)["ETag"])
        let same = try await api.get(target, as: guest, [("If-None-Match", tag)])
        #expect(same.status == 304)
        #expect(same.bytes.isEmpty)
        #expect(same["ETag"] == tag)
        #expect(try await api.get(target, as: guest, [("If-None-Match", "\"x\", W/\(tag)")]).status == 304)
        #expect(try await api.get(target, as: guest, [("If-None-Match", "*")]).status == 304)
        #expect(try await api.get("/v1/items/never", as: guest, [("If-None-Match", "*")]).status == 404)
        #expect(try await api.get(target, as: guest, [("If-None-Match", "\"x\"")]).status == 200)
        #expect(try await api.get(target + "?view=preview", as: guest)["ETag"] != tag)
        #expect(try await api.get(target, as: full, [("If-None-Match", tag)]).status == 200)

        try await api.edit(item, ["title": "Two"])
        try await until("the edit is known") { try await api.get(target, as: guest)["ETag"] != tag }
        let changed = try await api.get(target, as: guest, [("If-None-Match", tag)])
        #expect(changed.status == 200)
        #expect(changed.json["title"] == "Two")
        #expect(changed["ETag"] != tag)
    }

    @Test("A33: an old slug redirects to the new one, keeping the query string; the new one responds")
    func moved() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let feed = try await api.publish("feed", "Old", ["tier": "free", "slug": "old"])
        let item = try await api.publish(
            "article", "Old",
            ["body": "<p>x</p>", "slug": "old", "feeds": ids([feed]), "categories": ids([SeedEntry.unsorted])])
        try await api.edit(item, ["slug": "new-é"])
        try await api.edit(feed, ["slug": "new-feed"])
        let moved = try await api.get("/v1/items/old?view=preview", as: guest)
        #expect(moved.status == 308)
        #expect(moved["Location"] == "/v1/items/new-%C3%A9?view=preview")
        #expect(moved.json["moved_to"] == "/v1/items/new-%C3%A9?view=preview")
        #expect(try await api.get("/v1/items/new-%C3%A9", as: guest).status == 200)
        #expect(try await api.get("/v1/feeds/old", as: guest)["Location"] == "/v1/feeds/new-feed")
        #expect(
            try await api.get("/v1/feeds/old/items?type=article", as: guest)["Location"]
                == "/v1/feeds/new-feed/items?type=article")
        let resolved = try await api.get("/v1/resolve?kind=item&slug=old", as: guest).json
        #expect(resolved["state"] == "moved")
        #expect(resolved["slug"] == "new-é")
        #expect(resolved["id"] == .string(item.description))
    }

    @Test("A19: an unpublished entry is 410 by id and slug, and resolves as gone; an unknown one is 404")
    func gone() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest, .readFull])
        let item = try await api.publish(
            "video", "Film", ["hls_url": "https://v.example.org/a.m3u8", "categories": ids([SeedEntry.unsorted])])
        let live = try await api.get("/v1/resolve?id=\(item)", as: guest).json
        #expect(live["state"] == "live")
        #expect(live["path"] == .string("/v1/items/\(item)"))
        try await api.unpublish(item)
        for target in ["/v1/items/\(item)", "/v1/items/film", "/v1/videos/\(item)", "/v1/items/film?view=preview"] {
            let reply = try await api.get(target, as: guest)
            #expect(reply.status == 410)
            #expect(reply.code == "gone")
            #expect(reply.json["id"] == .string(item.description))
        }
        let gone = try await api.get("/v1/resolve?kind=item&slug=film", as: guest).json
        #expect(gone["state"] == "gone")
        #expect(gone["type"] == "video")
        #expect(try await api.get("/v1/resolve?id=0193b2a0-0000-7000-8000-000000000000", as: guest).status == 404)
        #expect(try await api.get("/v1/feeds/\(item)", as: guest).status == 404)
        #expect(
            try await api.get("/v1/feeds?ids=\(item)", as: guest).json["gone"] == .array([.string(item.description)]))
    }

    @Test("A19, A33: after a rename and an unpublishing every slug the entry ever had is 410, and 308 once it is back")
    func goneByOldSlug() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let item = try await api.publish(
            "article", "One", ["body": "<p>x</p>", "slug": "first", "categories": ids([SeedEntry.unsorted])])
        try await api.edit(item, ["slug": "second"])
        try await api.edit(item, ["slug": "third"])
        #expect(try await api.get("/v1/items/first", as: guest)["Location"] == "/v1/items/third")
        try await api.unpublish(item)
        for slug in ["first", "second", "third"] {
            let reply = try await api.get("/v1/items/\(slug)", as: guest)
            #expect(reply.status == 410 && reply.json["id"] == .string(item.description), "\(slug)")
            let resolved = try await api.get("/v1/resolve?kind=item&slug=\(slug)", as: guest).json
            #expect(resolved["state"] == "gone" && resolved["type"] == "article", "\(slug)")
            #expect(resolved["gone_at"]?.stringValue != nil && resolved["slug"] == "third")
        }
        #expect(try await api.get("/v1/items/fourth", as: guest).status == 404)
        #expect(try await api.test.database.publications.verify().isEmpty)
        try await api.edit(item, ["slug": "fourth"])
        for slug in ["first", "second", "third"] {
            #expect(try await api.get("/v1/items/\(slug)", as: guest)["Location"] == "/v1/items/fourth")
        }
        #expect(try await api.test.database.publications.verify().isEmpty)
    }

    @Test("R32: changes are returned without gaps and in order, in pages, with the number to continue from")
    func changes() async throws {
        let (api, reader) = try await APIFixture.serving([.readFull])
        for number in 1...90 {
            try await api.publish(
                "article", "Article \(number)", ["body": "<p>x</p>", "categories": ids([SeedEntry.unsorted])],
                publishTiming: .approveOnly)
        }
        try await api.publishWaiting()
        for number in 1...100 { try await api.publish("feed", "Feed \(number)", ["tier": "free"]) }
        var numbers: [Int64] = []
        var since = "0"
        var pages = 0
        while true {
            let reply = try await api.get("/v1/changes?since=\(since)", as: reader).json
            guard let next = reply["next"]?.stringValue, let data = reply["data"]?.arrayValue else {
                Issue.record("no page of changes")
                return
            }
            pages += 1
            numbers += data.compactMap { if case .int(let number) = $0["number"] { number } else { nil } }
            #expect(data.count <= 500)
            if data.isEmpty {
                #expect(next == since)
                #expect(next.hasPrefix("\(numbers.count)-102-"))
                #expect(reply["publication"] == .int(102))
                break
            }
            #expect(next.hasPrefix("\(numbers.last ?? 0)-"))
            since = next
        }
        #expect(numbers.count > 500)
        #expect(numbers == Array(1...Int64(numbers.count)))
        #expect(pages == numbers.count / 500 + 2)
    }

    @Test("R33: paging shows each stable item once while others are published and unpublished")
    func stableWalk() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        var items: [ID<Entry>] = []
        for number in 1...45 {
            items.append(
                try await api.publish(
                    "article", "Stable \(number)", ["body": "<p>x</p>", "categories": ids([SeedEntry.unsorted])]))
        }
        var titles: [String] = []
        var next: String?
        var page = 0
        repeat {
            let reply = try await api.get(next.map { "/v1/items?cursor=\($0)" } ?? "/v1/items", as: guest)
            titles += reply.titles
            next = reply.next
            page += 1
            // One is added at the top and the last one shown is removed.
            try await api.publish(
                "article", "New \(page)", ["body": "<p>x</p>", "categories": ids([SeedEntry.unsorted])])
            try await api.unpublish(items[45 - min(45, titles.count)])
        } while next != nil
        #expect(titles == (1...45).reversed().map { "Stable \($0)" })
    }
}
