// Tests the filters and orders of lists of items, and the names of categories in the reader's language.
import API
import Domain
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Lists of items", .databases)
struct ItemListTests {
    private struct Item {
        let title: String
        let type: String
        let locale: String?
        let tier: String
        let isTea: Bool
    }

    /// 90 items of two types, in four languages or none, with titles that only a language's order sorts, some of them equal.
    private static let items: [Item] = (0..<90).map { number in
        Item(
            title: ["Zoo", "ähre", "Apfel", "École", "eagle", "Ort"][number % 6]
                + (number % 4 == 0 ? "" : " \(number)"),
            type: number % 7 == 0 ? "video" : "article",
            locale: ["de", "de-AT", nil, "en", "den"][number % 5], tier: number % 3 == 0 ? "premium" : "free",
            isTea: number % 2 == 0)
    }

    private struct Library {
        let api: APIFixture
        let guest: APIFixture.Client
        let tea: ID<Entry>
        let ids: [ID<Entry>]
    }

    private static let shared = Task.detached { try await make() }

    private static func make() async throws -> Library {
        let api = try await APIFixture.make(trust: .seconds(60))
        let names: JSONValue = .array([.object(["locale": "de", "name": "Tee"])])
        let tea = try await api.publish(
            "category", "Tea", ["names": names, "slug": "tea"], publishTiming: .approveOnly)
        var ids: [ID<Entry>] = []
        for item in items {
            let categories: JSONValue = .entries(item.isTea ? [tea] : [SeedEntry.unsorted])
            var fields: [String: JSONValue] = ["categories": categories, "tier": .string(item.tier)]
            fields["locale"] = item.locale.map(JSONValue.string)
            ids.append(try await api.publish(item.type, item.title, fields, publishTiming: .approveOnly))
        }
        try await api.publishWaiting()
        return Library(api: api, guest: try await api.client([.readGuest]), tea: tea, ids: ids)
    }

    /// The numbers of the items on all pages.
    private func walk(_ query: String, _ path: String = "/v1/items") async throws -> [Int] {
        let library = try await Self.shared.value
        var numbers: [Int] = []
        var next: String? = path + "?" + query
        while let url = next {
            let page = try await library.api.get(url, as: library.guest)
            #expect(page.status == 200 && (1...20).contains(page.data.count), "\(url): \(page.text.prefix(300))")
            numbers += page.data.compactMap { item in
                library.ids.firstIndex { $0.description == item["id"]?.stringValue }
            }
            next = page["Link"].map { String($0.dropFirst().prefix { $0 != ">" }) }
        }
        return numbers
    }

    private static let filters: [(query: String, matches: @Sendable (Int) -> Bool)] = [
        ("", { _ in true }), ("&type=video", { items[$0].type == "video" }),
        ("&type=article&tier=free", { items[$0].type == "article" && items[$0].tier == "free" }),
        ("&locale=de", { isFor(["de", "de-AT"], $0) }), ("&locale=fr", { isFor([], $0) }),
        ("&locale=de-AT&type=article", { isFor(["de-AT"], $0) && items[$0].type == "article" }),
        ("&locale=den&tier=premium", { isFor(["den"], $0) && items[$0].tier == "premium" }),
        ("&category=tea", { items[$0].isTea }),
        ("&category=tea,unsorted&type=video", { items[$0].type == "video" }),
        (
            "&category=tea&has_video=true&locale=en",
            { items[$0].isTea && items[$0].type == "video" && isFor(["en"], $0) }
        ),
    ]

    /// Whether readers of a language see the item; `forms` are the forms of this language. Items without one are for all.
    private static func isFor(_ forms: [String], _ number: Int) -> Bool {
        items[number].locale.map(forms.contains) ?? true
    }

    @Test(
        "A24, A25: all items that match are listed once, in every order and with every filter",
        arguments: ["newest", "oldest", "title"])
    func orders(sort: String) async throws {
        let library = try await Self.shared.value
        let all: [String] = try await library.api.test.client.query(
            """
            select id::text as id from api_v1.item
            order by \(raw: sort == "title" ? "left(title, 80) collate \"und-x-icu\", id" : sort == "oldest" ? "age desc, id desc" : "age, id")
            """
        ).map { try $0("id") }
        let expected = all.compactMap { id in library.ids.firstIndex { $0.description == id } }
        #expect(expected.count == Self.items.count)
        for (query, matches) in Self.filters {
            #expect(try await walk("sort=\(sort)\(query)") == expected.filter(matches), "\(sort) \(query)")
        }
        let tea = try await walk("sort=\(sort)&category=unsorted,tea&type=video", "/v1/categories/tea/items")
        #expect(tea == expected.filter { Self.items[$0].isTea && Self.items[$0].type == "video" })
        #expect(
            try await walk("sort=\(sort)&locale=de", "/v1/categories/tea/items")
                == expected.filter { Self.items[$0].isTea && Self.isFor(["de", "de-AT"], $0) })
    }

    @Test("A25: categories with many members are read in another way, with the same result")
    func manyMembers() async throws {
        let library = try await Self.shared.value
        let items = library.api.site.context.reads.rows(as: .guest).items
        var filter = ItemReadFilter()
        filter.categories = [.slug("tea")]
        filter.sort = .title
        filter.type = "article"
        let members = Self.items.filter(\.isTea).count
        var pages: [[String?]] = []
        for limit in [members, members - 1, 0] {
            filter.maxCompared = limit
            let first = try await items.page(filter, ReadLanguage(nil), cursor: nil)
            let second = try await items.page(filter, ReadLanguage(nil), cursor: first.next)
            pages.append([first, second].map { String(decoding: $0.documents, as: UTF8.self) })
            #expect(first.count == 20 && second.count > 0)
        }
        #expect(pages[0] == pages[1] && pages[1] == pages[2])
    }

    @Test("A24: titles are ordered as people expect: neither accents nor capitals separate them")
    func byTitle() async throws {
        let titles = try await walk("sort=title").map { Self.items[$0].title.prefix(3).lowercased() }
        #expect(titles.first == "ähr" && titles.last == "zoo")
        #expect(try #require(titles.firstIndex(of: "éco")) < (try #require(titles.firstIndex(of: "ort"))))
    }

    @Test("A21: a set of items has its order, and what is missing is named")
    func set() async throws {
        let library = try await Self.shared.value
        let chosen = [library.ids[7], library.ids[3], library.ids[50]].map(\.description)
        let never = "0193b2a0-0000-7000-8000-000000000000"
        let page = try await library.api.get(
            "/v1/items?ids=\(chosen[0]),\(never),\(chosen[1]),\(chosen[2])", as: library.guest)
        #expect(page.data.compactMap { $0["id"]?.stringValue } == chosen)
        #expect(page.json["gone"] == .array([.string(never)]) && page.next == nil)
        let mixed = try await library.api.get("/v1/items?ids=\(never)&type=article", as: library.guest)
        #expect(mixed.status == 400 && mixed.pointers == ["/query/ids"])
        #expect(mixed.text.contains("ids can be combined with locale only."))
    }

    @Test("A24: an item has its language as a field, and moves to the lists of its new language or of all")
    func otherLanguage() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let tea = try await api.publish(
            "category", "Tea", ["slug": "tea", "names": .array([.object(["locale": "de", "name": "Tee"])])])
        let item = try await api.publish("article", "One", ["categories": ids([tea]), "locale": "de-at"])
        func lists(_ locale: String) async throws -> [String] {
            var names: [String] = []
            for url in ["/v1/items?locale=\(locale)", "/v1/categories/tea/items?sort=title&locale=\(locale)"] {
                names += try await api.get(url, as: guest).data.map {
                    $0["categories"]?.arrayValue?.first?["name"]?.stringValue ?? ""
                }
            }
            return names
        }
        #expect(try await api.get("/v1/items/\(item)", as: guest).json["fields"]?["locale"] == "de-AT")
        #expect(try await lists("de") == ["Tee", "Tee"])
        #expect(try await lists("en").isEmpty)
        try await api.edit(item, ["locale": "en"])
        #expect(try await lists("de").isEmpty)
        #expect(try await lists("en") == ["Tea", "Tea"])
        try await api.edit(item, ["locale": .null])
        #expect(try await lists("de") == ["Tee", "Tee"])
        #expect(try await lists("en") == ["Tea", "Tea"])
        #expect(try await api.isVerified())
    }

    @Test(
        "An invalid type, language or order is refused at its parameter",
        arguments: [
            ("type=nosuch", "type"), ("type=feed", "type"), ("type=", "type"), ("locale=german!", "locale"),
            ("sort=rating", "sort"), ("sort=", "sort"), ("ids=1", "ids"), ("category=nosuch&sort=title", "category"),
        ])
    func refused(query: String, parameter: String) async throws {
        let library = try await Self.shared.value
        let reply = try await library.api.get("/v1/items?\(query)", as: library.guest)
        #expect([400, 404].contains(reply.status) && reply.pointers == ["/query/\(parameter)"], "\(reply.text)")
        let newest = try await library.api.get("/v1/items", as: library.guest).next
        let other = try await library.api.get(
            "/v1/items?sort=title&cursor=\(try #require(newest))", as: library.guest)
        #expect(other.status == 400 && other.pointers == ["/query/cursor"])
    }

    @Test("A23: rows have the names of their categories in all languages, and in the one that the reader asks for")
    func categoryNames() async throws {
        let library = try await Self.shared.value
        let (api, guest) = (library.api, library.guest)
        let item = library.ids[0]
        func categories(_ url: String, _ client: APIFixture.Client? = nil) async throws -> [JSONValue] {
            let reply = try await api.get(url, as: client ?? guest)
            return (reply.data.first ?? reply.json)["categories"]?.arrayValue ?? []
        }
        let plain = try await categories("/v1/items/\(item)")
        #expect(plain.first?["name"] == "Tea" && plain.first?["names"] == .object(["de": "Tee"]))
        let full = try await api.client([.readFull])
        let slug = try #require(try await api.get("/v1/items/\(item)", as: guest).json["slug"]?.stringValue)
        for (locale, name) in [("de", "Tee"), ("de-AT", "Tee"), ("fr", "Tea")] {
            for url in [
                "/v1/items/\(item)?locale=\(locale)", "/v1/items/\(slug)?locale=\(locale)",
                "/v1/items?ids=\(item)&locale=\(locale)",
            ] {
                #expect(try await categories(url).first?["name"]?.stringValue == name, "\(url)")
                #expect(try await categories(url, full).first?["name"]?.stringValue == name, "\(url)")
            }
        }
        let german = try await categories("/v1/items?locale=de&category=tea")
        #expect(german.first?["name"] == "Tee" && german.first?["slug"] == "tea")
        let copied = try await api.get("/v1/tables/item", as: guest).data.first {
            $0["key"]?.stringValue == item.description
        }
        #expect(copied?["row"]?["categories"]?.arrayValue?.first?["names"] == .object(["de": "Tee"]))
    }

    @Test("A23: rows follow the names of their categories, and verification finds no difference")
    func renamed() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest])
        let tea = try await api.publish("category", "Tea", publishTiming: .approveOnly)
        let feed = try await api.publish("feed", "City", ["categories": ids([tea])], publishTiming: .approveOnly)
        let item = try await api.publish(
            "article", "One", ["categories": ids([tea]), "feeds": ids([feed])], publishTiming: .approveOnly)
        try await api.publishWaiting()
        try await api.edit(tea, ["names": .array([.object(["locale": "de", "name": "Tee"])])])
        for url in [
            "/v1/items/\(item)?locale=de", "/v1/feeds/\(feed)?locale=de", "/v1/feeds?locale=de",
            "/v1/feeds/\(feed)/items?locale=de", "/v1/categories/tea/feeds?locale=de",
            "/v1/feeds?ids=\(feed)&locale=de",
        ] {
            let reply = try await api.get(url, as: guest)
            let row = reply.data.first ?? reply.json
            #expect(row["categories"]?.arrayValue?.first?["name"] == "Tee", "\(url): \(reply.text.prefix(300))")
        }
        #expect(try await api.isVerified())
    }
}
