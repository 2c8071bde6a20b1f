// Tests what the delivery API returns for published content, to guests and to clients with full access.
import API
import Domain
import TestSupport
import Testing

@Suite("Delivery", .databases)
struct DeliveryTests {
    @Test("A14, A16, A28: a guest reads the preview of an item and nothing beyond it, full access reads all")
    func itemViews() async throws {
        let world = try await PublishedWorld.shared.value
        let preview = try await world.api.get("/v1/items/\(world.article)", as: world.guest)
        #expect(preview.status == 200)
        #expect(preview.json["title"] == "Article 23")
        #expect(!preview.text.contains("zanzibar"))
        #expect(preview["Cache-Control"] == "public, max-age=0, must-revalidate")
        let full = try await world.api.get("/v1/items/\(world.article)", as: world.full)
        #expect(full.text.contains("zanzibar"))
        #expect(full["Cache-Control"]?.hasPrefix("private") == true)
        let asked = try await world.api.get("/v1/items/\(world.article)?view=preview", as: world.full)
        #expect(asked.bytes == preview.bytes)
        let refused = try await world.api.get("/v1/items/\(world.article)?view=full", as: world.guest)
        #expect(refused.status == 403)
        #expect(refused.code == "needs_full_access")
    }

    @Test("A33: an item is also found by its slug, in both views")
    func bySlug() async throws {
        let world = try await PublishedWorld.shared.value
        for client in [world.guest, world.full] {
            let byID = try await world.api.get("/v1/items/\(world.article)", as: client)
            let bySlug = try await world.api.get("/v1/items/article-23", as: client)
            #expect(bySlug.bytes == byID.bytes)
            #expect(bySlug.status == 200)
        }
        #expect(try await world.api.get("/v1/feeds/city", as: world.guest).json["count"] == .int(23))
        #expect(try await world.api.get("/v1/feeds/films", as: world.full).text.contains("zanzibar"))
        #expect(try await !world.api.get("/v1/feeds/films", as: world.guest).text.contains("zanzibar"))
        #expect(try await world.api.get("/v1/categories/airport", as: world.guest).json["count"] == .int(12))
    }

    @Test("A37, A38: full access plays a video; a guest gets the reason why not, and still reads its preview")
    func videos() async throws {
        let world = try await PublishedWorld.shared.value
        let refused = try await world.api.get("/v1/videos/\(world.videos[0])", as: world.guest)
        #expect(refused.status == 403)
        #expect(refused.code == "needs_full_access")
        let preview = try await world.api.get("/v1/items/\(world.videos[0])", as: world.guest)
        #expect(preview.status == 200)
        #expect(!preview.text.contains("ref-1"))
        let video = try await world.api.get("/v1/videos/\(world.videos[0])", as: world.full)
        #expect(video.json["provider_ref"] == "ref-1")
        #expect(try await world.api.get("/v1/videos/video-1", as: world.full).bytes == video.bytes)
        #expect(try await world.api.get("/v1/videos/\(world.article)", as: world.full).status == 404)
    }

    @Test("A31, A36: the videos of a feed have consecutive positions across all pages")
    func positions() async throws {
        let world = try await PublishedWorld.shared.value
        let first = try await world.api.get("/v1/feeds/\(world.premium)/videos", as: world.full)
        let next = try #require(first.next)
        let second = try await world.api.get("/v1/feeds/\(world.premium)/videos?cursor=\(next)", as: world.full)
        let positions = (first.data + second.data).compactMap { $0["position"] }
        #expect(positions == (1...22).map { .int($0) })
        #expect(second.next == nil)
        #expect(Set((first.titles + second.titles)).count == 22)
        #expect(try await world.api.get("/v1/feeds/\(world.premium)/videos", as: world.guest).status == 403)
    }

    @Test(
        "A25: pages of 20 add up to the whole list, each row once, also under a filter",
        arguments: [
            ("/v1/items", 45), ("/v1/feeds/city/items", 23), ("/v1/feeds/films/items?type=video", 22),
            ("/v1/items?tier=free", 23), ("/v1/items?has_video=true", 22), ("/v1/feeds/city/items?type=video", 0),
            ("/v1/search?q=article", 23), ("/v1/discover", 2), ("/v1/feeds", 2),
        ])
    func pages(target: String, count: Int) async throws {
        let world = try await PublishedWorld.shared.value
        let walk = try await world.api.walk(target, as: world.guest)
        #expect(walk.titles.count == count)
        #expect(Set(walk.titles).count == count)
        #expect(walk.pages == max(1, (count + 19) / 20))
    }

    @Test("A25: a page names the next one in a Link header as well, with the same filters")
    func links() async throws {
        let world = try await PublishedWorld.shared.value
        let page = try await world.api.get("/v1/items?tier=free", as: world.guest)
        let next = try #require(page.next)
        #expect(page.data.count == 20)
        #expect(page["Link"] == "</v1/items?tier=free&cursor=\(next)>; rel=\"next\"")
        let last = try await world.api.get("/v1/items?tier=free&cursor=\(next)", as: world.guest)
        #expect(last["Link"] == nil)
        #expect(last.json["next"] == .null)
    }

    @Test("A7: items are sorted newest approval first, feeds and Discover by rank")
    func orders() async throws {
        let world = try await PublishedWorld.shared.value
        #expect(try await world.api.get("/v1/items", as: world.guest).titles.first == "Video 22")
        #expect(try await world.api.get("/v1/feeds", as: world.guest).titles == ["Films", "City"])
        #expect(try await world.api.get("/v1/discover", as: world.guest).titles == ["Films", "City"])
        let feed = try await world.api.walk("/v1/feeds/city/items", as: world.guest).titles
        #expect(feed == (1...23).reversed().map { "Article \($0)" })
    }

    @Test("B32: categories filter by OR across both groups, each item once; B33: no category is no filter")
    func orCombined() async throws {
        let world = try await PublishedWorld.shared.value
        let both = "/v1/items?category=\(world.airport),\(world.indian)"
        let titles = try await world.api.walk(both, as: world.guest).titles
        #expect(Set(titles) == Set((1...12).map { "Article \($0)" }))
        #expect(titles.count == 12)
        #expect(
            try await world.api.walk("/v1/items?category=airport,\(world.indian)", as: world.guest).titles == titles)
        #expect(try await world.api.walk("/v1/items?category=indian", as: world.guest).titles.count == 3)
        #expect(try await world.api.get("/v1/items?category=nowhere", as: world.guest).status == 404)
        #expect(try await world.api.walk("/v1/items", as: world.guest).titles.count == 45)
    }

    @Test("A24, A26: a category lists its feeds and items, filtered further by tier, video and other categories")
    func ofCategory() async throws {
        let world = try await PublishedWorld.shared.value
        let guest = world.guest
        #expect(try await world.api.get("/v1/categories/airport/feeds", as: guest).titles == ["Films", "City"])
        #expect(try await world.api.get("/v1/categories/airport/feeds?tier=free", as: guest).titles == ["City"])
        #expect(try await world.api.get("/v1/categories/airport/feeds?has_video=true", as: guest).titles == ["Films"])
        #expect(try await world.api.get("/v1/categories/airport/feeds?offline=true", as: guest).titles == [])
        #expect(try await world.api.get("/v1/categories/\(world.airport)/items", as: guest).data.count == 10)
        let both = "/v1/categories/airport/items?category=indian"
        #expect(try await world.api.get(both, as: guest).titles == ["Article 10"])
    }

    @Test("A23, B31: the categories are in two groups, and none is without a live member")
    func categories() async throws {
        let world = try await PublishedWorld.shared.value
        let groups = try await world.api.get("/v1/categories", as: world.guest).data
        #expect(groups.compactMap { $0["number"] } == [.int(1), .int(2)])
        let names = groups.flatMap { $0["categories"]?.arrayValue ?? [] }.compactMap { $0["name"]?.stringValue }
        #expect(Set(names) == ["Airport", "Indian", "Unsorted"])
        #expect(try await world.api.get("/v1/categories/\(world.unused)", as: world.guest).status == 404)
        #expect(try await world.api.get("/v1/categories/\(world.unused)/items", as: world.guest).status == 404)
    }

    @Test("A21: feeds are returned by ids in the given order, and missing ones are listed")
    func byIDs() async throws {
        let world = try await PublishedWorld.shared.value
        let reply = try await world.api.get(
            "/v1/feeds?ids=\(world.city),\(world.article),\(world.premium)", as: world.guest)
        #expect(reply.titles == ["City", "Films"])
        #expect(reply.json["gone"] == .array([.string(world.article.description)]))
        #expect(try await world.api.get("/v1/feeds?ids=\(world.city)&tier=free", as: world.guest).status == 400)
        #expect(try await world.api.get("/v1/feeds?ids=\(world.city),x", as: world.guest).status == 400)
        let many = Array(repeating: world.city.description, count: 101).joined(separator: ",")
        #expect(try await world.api.get("/v1/feeds?ids=\(many)", as: world.guest).status == 400)
        #expect(try await world.api.get("/v1/feeds?ids=\(many.dropLast(37))", as: world.guest).data.count == 100)
    }

    @Test(
        "A26, S17, S50: an unknown, repeated, empty or wrong parameter is rejected by name",
        arguments: [
            ("/v1/items?color=red", "/query/color"), ("/v1/items?tier=free&tier=free", "/query/tier"),
            ("/v1/items?tier=gold", "/query/tier"), ("/v1/feeds?has_video=yes", "/query/has_video"),
            ("/v1/feeds?offline=", "/query/offline"), ("/v1/items?category=", "/query/category"),
            ("/v1/items?category=a,,b", "/query/category"), ("/v1/items?cursor=x", "/query/cursor"),
            ("/v1/items?cursor=", "/query/cursor"), ("/v1/feeds/city/items?type=poem", "/query/type"),
            ("/v1/changes?since=-1", "/query/since"), ("/v1/changes?since=7", "/query/since"),
            ("/v1/changes?since=1.5", "/query/since"), ("/v1/search", "/query/q"), ("/v1/search?q=", "/query/q"),
            ("/v1/search?q=%20%20", "/query/q"), ("/v1/items/x?page=2", "/query/page"), ("/v1/resolve", "/query/id"),
            ("/v1/resolve?kind=tree&slug=x", "/query/kind"), ("/v1/items?limit=1000000000", "/query/limit"),
        ])
    func badParameters(target: String, pointer: String) async throws {
        let world = try await PublishedWorld.shared.value
        let reply = try await world.api.get(target, as: world.guest)
        #expect(reply.status == 400)
        #expect(reply.code == "bad_request")
        #expect(reply.pointers == [pointer])
    }

    @Test(
        "A25: a cursor of another list, or a forged one, is rejected or is a position in this list",
        arguments: [
            "bm9uc2Vuc2U", "LTE", "YR8gHw", "MR8wMTkz",
            "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OR8wMDAwMDAwMC0wMDAwLTcwMDAtODAwMC0wMDAwMDAwMDAwMTE",
        ])
    func badCursors(cursor: String) async throws {
        let world = try await PublishedWorld.shared.value
        for list in ["/v1/items", "/v1/feeds", "/v1/discover", "/v1/feeds/city/items", "/v1/search?q=article"] {
            let mark = list.contains("?") ? "&" : "?"
            let reply = try await world.api.get("\(list)\(mark)cursor=\(cursor)", as: world.guest)
            #expect(reply.status == 400)
        }
    }

    @Test("A27: a search matches the preview regardless of case and accents, and never the text beyond it")
    func search() async throws {
        let world = try await PublishedWorld.shared.value
        let hits = try await world.api.get("/v1/search?q=CAFE", as: world.guest)
        #expect(hits.data.count == 20)
        #expect(hits.data.allSatisfy { $0["kind"] == "item" && $0["type"] == "video" })
        #expect(try await world.api.get("/v1/search?q=lodz", as: world.guest).data.count == 20)
        #expect(try await world.api.get("/v1/search?q=zanzibar", as: world.guest).data.isEmpty)
        let members = try await world.api.get("/v1/search?q=zanzibar", as: world.full)
        #expect(members.data.count == 20, "23 articles and a feed say it")
        #expect(members.text.contains("<em>zanzibar</em>") && members["Cache-Control"]?.hasPrefix("private") == true)
        let preview = "/v1/search?q=zanzibar&view=preview"
        #expect(try await world.api.get(preview, as: world.full).data.isEmpty)
        #expect(try await world.api.get("/v1/search?q=zanzibar&view=full", as: world.guest).status == 403)
        #expect(try await world.api.get("/v1/search?q=zanzibar&type=feed", as: world.full).titles == ["Films"])
        #expect(try await world.api.get("/v1/search?q=city&type=feed", as: world.guest).titles == ["City"])
        #expect(try await world.api.get("/v1/search?q=city&type=video", as: world.guest).data.isEmpty)
        for words in ["%22", "!!!", "-", "a+%26+%7C+b", "%27%3B--", "or", "%5C"] {
            #expect(try await world.api.get("/v1/search?q=\(words)", as: world.guest).status == 200)
        }
    }

    @Test("A27: a query may have 200 characters, not 201")
    func longSearch() async throws {
        let world = try await PublishedWorld.shared.value
        let words = String(repeating: "%C3%A9", count: 200)
        #expect(try await world.api.get("/v1/search?q=\(words)", as: world.guest).status == 200)
        #expect(try await world.api.get("/v1/search?q=\(words)e", as: world.guest).status == 400)
    }

    @Test("A13: the publication has its number, and an unknown URL is 404 JSON")
    func publication() async throws {
        let world = try await PublishedWorld.shared.value
        #expect(try await world.api.get("/v1/publication", as: world.guest).json["number"] == .int(2))
        for path in ["items", "feeds", "categories"] {
            for address in ["never-was", "0193b2a0-0000-7000-8000-000000000000", "caf%C3%A9"] {
                let reply = try await world.api.get("/v1/\(path)/\(address)", as: world.guest)
                #expect(reply.status == 404)
                #expect(reply.code == "not_found")
            }
        }
        #expect(try await world.api.get("/v1/feeds/never-was/items", as: world.guest).status == 404)
        #expect(try await world.api.get("/v1/feeds/\(world.article)/items", as: world.guest).status == 404)
    }

    @Test("A10: every endpoint of the delivery API supports HEAD like GET")
    func head() async throws {
        let world = try await PublishedWorld.shared.value
        for target in ["/v1/items/\(world.article)", "/v1/feeds", "/v1/categories"] {
            let reply = try await world.api.send("HEAD", target, as: world.guest)
            #expect(reply.status == 200)
            #expect(reply["ETag"] != nil)
        }
    }
}
