// Tests that a feed document that is imported again and again adds every entry once.
import Domain
import Operations
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Imports of feeds", .databases)
struct FeedImportTests {
    private struct Item {
        var guid: String? = "g"
        var title: String
        var link: String? = nil
        var date: String? = nil
        var text = "<p>x</p>"

        var xml: String {
            func element(_ name: String, _ text: String?) -> String { text.map { "<\(name)>\($0)</\(name)>" } ?? "" }
            return "<item>" + element("guid", guid) + element("title", title) + element("link", link)
                + element("pubDate", date) + "<description><![CDATA[\(text)]]></description></item>"
        }
    }

    private struct Feed {
        let test: TestDatabase

        static func make() async throws -> Feed { Feed(test: try await TestDatabase.make()) }

        func read(_ items: [Item]) async throws -> FeedImport {
            try await read(
                "<rss version=\"2.0\"><channel><title>T</title>\(items.map(\.xml).joined())</channel></rss>")
        }

        func read(_ document: String) async throws -> FeedImport {
            try await test.services.importFeed(
                Array(document.utf8), origin: "feed.xml", by: Actor(kind: .system, name: "import"))
        }

        func titles() async throws -> [String] {
            try await test.client.query("select title from curation.submission order by title collate \"C\"").map {
                try $0("title")
            }
        }
    }

    @Test(
        "Entries that share a guid are imported once each, whatever their order and neighbors",
        arguments: ["BA CBA CBA", "A BA AB C", "A B C ABC", "ABC CA"])
    func sharedGuid(documents: String) async throws {
        let feed = try await Feed.make()
        var seen: Set<String> = []
        for titles in documents.split(separator: " ") {
            let items = titles.map { Item(title: String($0)) }
            let result = try await feed.read(items)
            let new = Set(items.map(\.title)).subtracting(seen)
            #expect(result.submissions == new.count && result.changed.isEmpty && result.refused.isEmpty)
            #expect(result.known == items.count - new.count)
            seen.formUnion(new)
        }
        #expect(try await feed.titles() == seen.sorted())
    }

    @Test("Entries without a guid that share a link are imported once each")
    func sharedLink() async throws {
        let feed = try await Feed.make()
        let items = ["A", "B", "C"].map { Item(guid: nil, title: $0, link: "https://a.example/") }
        #expect(try await feed.read([items[1], items[0]]).submissions == 2)
        let again = try await feed.read(items.reversed())
        #expect(again.submissions == 1 && again.known == 2)
        #expect(try await feed.titles() == ["A", "B", "C"])
    }

    @Test("Another text, or another title or date of an entry that is alone with its guid, is a change")
    func changed() async throws {
        let feed = try await Feed.make()
        let day = "Sun, 10 Mar 2024 17:15:00 GMT"
        let item = Item(title: "A", link: "https://a.example/1", date: day)
        #expect(try await feed.read([item]).submissions == 1)
        var (retold, renamed, moved, other) = (item, item, item, item)
        retold.text = "<p>y</p>"
        renamed.title = "A!"
        moved.date = "Mon, 11 Mar 2024 17:15:00 GMT"
        other.link = "https://a.example/2"
        for edited in [retold, renamed, moved] {
            let result = try await feed.read([edited])
            #expect(result.submissions == 0 && result.known == 1 && result.changed == ["g"])
        }
        let elsewhere = try await feed.read([other])
        #expect(elsewhere.submissions == 1 && elsewhere.changed.isEmpty)
        // Beside another entry with its guid, another title is another entry; another text is not.
        renamed.title = "A?"
        let beside = try await feed.read([renamed, retold])
        #expect(beside.submissions == 1 && beside.known == 1 && beside.changed.count == 1)
        #expect(try await feed.titles() == ["A", "A", "A?"])
    }

    @Test("Atom entries with one id, but other URLs and titles, are imported once each")
    func atom() async throws {
        let feed = try await Feed.make()
        func entry(_ title: String) -> String {
            "<entry><id>a</id><title>\(title)</title><link href=\"https://a.example/\(title)\"/>"
                + "<content type=\"html\">x</content></entry>"
        }
        func document(_ titles: String...) -> String {
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title>\(titles.map(entry).joined())</feed>"
        }
        #expect(try await feed.read(document("A")).submissions == 1)
        #expect(try await feed.read(document("B", "A")).submissions == 1)
        #expect(try await feed.read(document("A", "C", "B")).submissions == 1)
        #expect(try await feed.titles() == ["A", "B", "C"])
    }

    @Test("An entry that is too long is refused by its ID, and the others are imported")
    func tooLong() async throws {
        let feed = try await Feed.make()
        let long = Item(guid: "long", title: "Long", text: String(repeating: "x", count: (1 << 20) + 1))
        let result = try await feed.read([long, Item(guid: "short", title: "Short")])
        #expect(result.submissions == 1 && result.refused.map(\.entry) == ["long"])
        #expect(result.refused.first?.reason == "The text of the entry is larger than 1 MiB.")
        #expect(try await feed.titles() == ["Short"])
    }

    @Test("Random parts of a feed in random order are imported once each", arguments: TestScale.seeds(3))
    func random(seed: UInt64) async throws {
        let feed = try await Feed.make()
        var random = SeededGenerator(seed: seed)
        let all = (0..<6).map { number in
            Item(
                guid: ["g", "h", nil].randomElement(using: &random) ?? nil, title: "Title \(number)",
                link: Bool.random(using: &random) ? "https://a.example/\(number % 2)" : nil)
        }
        var seen: Set<String> = []
        for _ in 0..<4 {
            let items = all.shuffled(using: &random).prefix(Int.random(in: 1...6, using: &random))
            seen.formUnion(items.map(\.title))
            _ = try await feed.read(Array(items))
            #expect(try await feed.titles() == seen.sorted())
        }
    }
}
