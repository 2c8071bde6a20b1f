// Tests the search: unfinished words, misspelled words, and highlights.
import Domain
import Platform
import TestBasics
import TestSupport
import Testing

@testable import API
@testable import Store

@Suite("Search", .databases)
struct SearchTests {
    private static func world(_ quotas: Quotas? = nil) async throws -> (api: APIFixture, guest: APIFixture.Client) {
        let api = try await APIFixture.make(trust: .seconds(60), quotas: quotas)
        for (title, summary) in [
            ("Harbour café", "Coffee by the water & <b>boats</b>"),
            ("The lighthouse keeper", "A walk to the harbour wall"),
            ("Harbourmaster", "Who decides about boats"),
        ] {
            try await api.publish(
                "article", title,
                ["body": "<p>x</p>", "summary": .string(summary), "categories": ids([SeedEntry.unsorted])],
                publishTiming: .approveOnly)
        }
        try await api.publishWaiting()
        try await train(api)
        return (api, try await api.client([.readGuest]))
    }

    private static func train(_ api: APIFixture) async throws {
        try await api.test.database.transaction(by: TestDatabase.administrator, AuditEvent("test.learn", on: "word")) {
            transaction in
            while try await transaction.searchTerms.index(limit: 50) > 0 {}
        }
    }

    @Test("A27: the last word may be unfinished from three letters on; a whole word ranks higher")
    func unfinished() async throws {
        let (api, guest) = try await Self.world()
        let found = try await api.get("/v1/search?q=harbour", as: guest)
        #expect(found.titles.count == 3)
        #expect(found.titles.first == "Harbour café")
        #expect(try await api.get("/v1/search?q=har", as: guest).data.count == 3)
        #expect(try await api.get("/v1/search?q=ha", as: guest).data.isEmpty)
        #expect(try await api.get("/v1/search?q=har%20", as: guest).data.isEmpty)
        #expect(try await api.get("/v1/search?q=lighth%20keep", as: guest).data.isEmpty)
        #expect(try await api.get("/v1/search?q=lighthouse%20keep", as: guest).titles == ["The lighthouse keeper"])
    }

    @Test(
        "A27: a misspelled word is replaced by the closest published term, and the response has the corrected query",
        arguments: [
            ("lihgthouse", "lighthouse"), ("lightouse", "lighthouse"), ("coffe boads", "coffee boats"),
            ("LIGHTHOUZE", "lighthouse"),
        ])
    func corrected(query: String, correctedQuery: String) async throws {
        let (api, guest) = try await Self.world()
        let found = try await api.get("/v1/search?q=\(query.replacing(" ", with: "%20"))", as: guest)
        if query == "coffe boads" {
            // The first word is a prefix of a published one, but not the last word of the query.
            #expect(found.titles == ["Harbour café"])
        } else {
            #expect(found.titles == ["The lighthouse keeper"])
        }
        #expect(found.json["searched"]?.stringValue == correctedQuery)
        #expect(try await api.get("/v1/search?q=harbour", as: guest).json["searched"] == .null)
    }

    @Test("A27: members search full texts; guests can't find out what these say, not by a correction either")
    func fullText() async throws {
        let api = try await APIFixture.make(trust: .seconds(60))
        let (guest, member) = (try await api.client([.readGuest]), try await api.client([.readFull]))
        let body = "<p>" + String(repeating: "word ", count: 100) + "the <b>Quicksilver</b> vault</p>"
        let id = try await api.publish(
            "article", "Plain", ["body": .string(body), "categories": ids([SeedEntry.unsorted])])
        try await Self.train(api)
        func titles(_ query: String, _ client: APIFixture.Client) async throws -> [String] {
            try await api.get("/v1/search?q=\(query)", as: client).titles
        }
        #expect(try await titles("quicksilver", member) == ["Plain"])
        #expect(try await titles("QUICKS", member) == ["Plain"], "an unfinished word")
        #expect(try await titles("%22quicksilver%20vault%22", member) == ["Plain"])
        for query in ["quicksilver", "quicks", "%22quicksilver%20vault%22", "plain%20quicksilver"] {
            let reply = try await api.get("/v1/search?q=\(query)", as: guest)
            #expect(reply.data.isEmpty && reply.json["searched"] == .null, "\(query)")
        }
        // A misspelled word of a full text is corrected for nobody: the response would tell guests the word.
        for client in [guest, member] {
            let reply = try await api.get("/v1/search?q=quicksilber", as: client)
            #expect(reply.data.isEmpty && reply.json["searched"] == .null)
        }
        #expect(try await titles("plain%20-quicksilver", guest) == ["Plain"], "an exclusion tells nothing either")
        #expect(try await titles("plain%20-quicksilver", member).isEmpty)
        let table = try await api.get("/v1/tables/search_full", as: guest)
        #expect(table.status == 403)
        await #expect(throws: (any Error).self) {
            _ = try await api.test.guest.query("select id from api_v1.search_full")
        }
        try await api.unpublish(id)
        #expect(try await titles("quicksilver", member).isEmpty)
        #expect(try await api.test.database.publications.verify().isEmpty)
    }

    @Test("A27: members search the full descriptions of promotions, guests don't", .packs(.places))
    func descriptions() async throws {
        let api = try await APIFixture.make(trust: .seconds(60))
        let (guest, member) = (try await api.client([.readGuest]), try await api.client([.readFull]))
        let city = try await api.city("Bath", 51.38, -2.36)
        let place = try await api.place("Pump", in: city, 51.38, -2.36, [SeedEntry.unsorted])
        let long = String(repeating: "word ", count: 100) + "Marmalade"
        try await api.promotion("Tea", of: place, from: -60, to: 600, ["description": .string(long)])
        try await api.publishWaiting()
        try await Self.train(api)
        #expect(try await api.get("/v1/search?q=marmalade", as: member).titles == ["Tea"])
        let reply = try await api.get("/v1/search?q=marmalade", as: guest)
        #expect(reply.data.isEmpty && reply.json["searched"] == .null)
    }

    @Test("A27: a text of the maximum length is indexed for members, however many words it has")
    func longest() async throws {
        let (api, member) = try await APIFixture.serving([.readFull], trust: .seconds(60))
        // 200,000 characters of four bytes: each word is another one.
        let letters = (0..<300).compactMap { Unicode.Scalar(0x10400 + $0 % 80).map(String.init) }
        var body = ""
        for number in 0..<66_000 {
            body += letters[number % 80] + letters[number / 80 % 80] + String(number, radix: 36) + " "
        }
        try await api.publish(
            "article", "Long",
            ["body": .string("<p>first \(body.prefix(190_000))</p>"), "categories": ids([SeedEntry.unsorted])])
        #expect(try await api.get("/v1/search?q=first", as: member).titles == ["Long"])
    }

    @Test("A27: unpublished content is never found, not even by a corrected word; phrases are not corrected")
    func notLive() async throws {
        let (api, guest) = try await Self.world()
        #expect(try await api.get("/v1/search?q=zzzzzz", as: guest).data.isEmpty)
        #expect(try await api.get("/v1/search?q=%22lihgthouse%22", as: guest).data.isEmpty)
        let id = try await api.publish(
            "article", "Quokka", ["body": "<p>x</p>", "categories": ids([SeedEntry.unsorted])])
        try await Self.train(api)
        #expect(try await api.get("/v1/search?q=quoka", as: guest).titles == ["Quokka"])
        try await api.unpublish(id)
        let gone = try await api.get("/v1/search?q=quoka", as: guest)
        #expect(gone.data.isEmpty)
        #expect(gone.json["searched"] == .null)
        // Its terms are finally removed.
        let forgotten = try await api.test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("test.forget", on: "word")
        ) { try await $0.searchTerms.removeUnused(limit: 10_000) }
        #expect(forgotten == 1)
    }

    @Test("A27: matches are highlighted regardless of accents, and no text is treated as markup")
    func marked() async throws {
        let (api, guest) = try await Self.world()
        let hit = try #require(try await api.get("/v1/search?q=cafe%20boats", as: guest).data.first)
        #expect(hit["highlights"]?["title"] == "Harbour <em>café</em>")
        let preview = try #require(hit["highlights"]?["preview"]?.stringValue)
        #expect(preview.contains("water &amp;") && preview.contains("<em>boats</em>") && !preview.contains("<b>"))
        let other = try #require(try await api.get("/v1/search?q=keeper", as: guest).data.first)
        #expect(other["highlights"]?["preview"] == .null)
    }

    @Test("A25: further pages of a corrected search use the corrected query")
    func pages() async throws {
        let api = try await APIFixture.make(trust: .seconds(60))
        for number in 1...21 {
            try await api.publish(
                "article", "Windmill \(number)", ["body": "<p>x</p>", "categories": ids([SeedEntry.unsorted])],
                publishTiming: .approveOnly)
        }
        try await api.publishWaiting()
        try await Self.train(api)
        let guest = try await api.client([.readGuest])
        let first = try await api.get("/v1/search?q=windmil%20", as: guest)
        #expect(first.data.count == 20)
        let next = try #require(first.next)
        let second = try await api.get("/v1/search?q=windmil%20&cursor=\(next)", as: guest)
        #expect(second.data.count == 1)
        #expect(second.json["searched"] == "windmill")
        #expect(Set(first.titles + second.titles).count == 21)
    }

    @Test(
        "S47: a query, or an alternative, that only excludes is refused: it would match nearly everything",
        arguments: ["-zz", "%22a%20word%22%20or%20-x", "-zz%20or%20boats", "-%22a%20phrase%22%20-b"])
    func exclusionsOnly(query: String) async throws {
        let (api, guest) = try await Self.world()
        let reply = try await api.get("/v1/search?q=\(query)", as: guest)
        #expect(reply.status == 400 && reply.code == "bad_request")
        #expect(reply.pointers == ["/query/q"])
        #expect(reply.json["errors"]?.arrayValue?.first?["code"] == "term_required")
    }

    @Test("A27: an exclusion beside a word to find, and a query without usable terms, are no errors")
    func exclusions() async throws {
        let (api, guest) = try await Self.world()
        #expect(try await api.get("/v1/search?q=boats%20-cafe", as: guest).titles == ["Harbourmaster"])
        #expect(try await api.get("/v1/search?q=%22%22", as: guest).status == 200)
        #expect(try await api.get("/v1/search?q=zzz%20-cafe", as: guest).data.isEmpty)
    }

    @Test("A27: no query is a server error, whatever its characters")
    func characters() async throws {
        let (api, _) = try await Self.world()
        let client = try await api.client([.readGuest, .review])
        let paths: [String] =
            ["/v1/search", "/v1/queue"] + TestPack.lists.ifEnabled(["/v1/catalog/movie"])
            + TestPack.places.ifEnabled(["/v1/cities"])
        let queries: [String] = [
            String(repeating: "-", count: 33) + "a", String(repeating: "-", count: 200), "- boats", "boats -", "--",
            "-boats", "&", "|", "!", "!!!!boats", ":*", "boats:*", "((", "boats)", "<->", "boats <2> cafe", "'",
            "''boats", "boats' | 'x", "\\", "boats\\", "\"", "\"boats", "boats\"", "or", "or or or", "boats or", "%",
            "_", "$1", "{0}", "*", "\u{200D}", "\u{FEFF}", "\u{301}", "🎏", "é:*", String(repeating: "'", count: 200),
            String(repeating: "(", count: 200), String(repeating: "-a ", count: 66),
            String(repeating: "a-", count: 100),
        ]
        for query in queries {
            for path in paths {
                let reply = try await api.get("\(path)?q=\(PathText.segment(query))", as: client)
                #expect(reply.status < 500, "\(path): \(query)")
            }
        }
        let dashes = PathText.segment("boats " + String(repeating: "-", count: 40) + "cafe")
        #expect(try await api.get("/v1/search?q=\(dashes)", as: client).titles == ["Harbourmaster"])
    }

    @Test("S47: of more matches than are ranked the newest are found, best first")
    func candidates() async throws {
        let (api, guest) = try await Self.world()
        for (count, age) in [(SearchReads.candidates - 5, Int64.min), (10, 0)] {
            try await api.test.client.execute(
                """
                insert into api_v1.search (id, kind, type, age, terms, document)
                select id, 'item', 'article', \(age)::bigint + n, 'boats:1A'::tsvector,
                    json_build_object('kind', 'item', 'type', 'article', 'id', id, 'slug', 'boats-' || n, 'title', 'Boats', 'preview', '')
                from generate_series(1, \(count)) n cross join lateral (select gen_random_uuid() as id where n > 0) x
                """)
        }
        let pages = try await api.walk("/v1/search?q=boats%20", as: guest)
        #expect(pages.titles.count == SearchReads.candidates, "2,000 of 2,007 matches")
        #expect(pages.titles.last == "Harbour café" || pages.titles.last == "Harbourmaster")
        #expect(try await api.get("/v1/search?q=boats%20&type=video", as: guest).data.isEmpty)
        #expect(try await api.get("/v1/search?q=boats%20-cafe%20harbourmaster", as: guest).data.count == 1)
    }

    @Test("S47: while searches fill their lane, other reads are answered, and another client's search is next")
    func lane() async throws {
        let (api, guest) = try await Self.world(Quotas(longestWait: .seconds(600)))
        let other = try await api.client([.readGuest])
        let searches = api.site.context.quotas.searches
        let gates = (0..<2).map { _ in AsyncStream.makeStream(of: Void.self) }
        let holders = gates.map { gate in Task { try await searches.run { for await _ in gate.stream {} } } }
        let callers = Array(repeating: guest, count: 8) + [other]
        var replies: [Task<APIReply, any Error>] = []
        for (place, client) in callers.enumerated() {
            replies.append(Task { try await api.get("/v1/search?q=boats", as: client) })
            await until("the search waits") { searches.waitingCount == place + 1 }
        }
        // The second turn of the other client.
        let waiting = Task {
            try await Caller.$current.withValue(.client(other.id.uuid)) {
                try await searches.run { searches.waitingCount }
            }
        }
        await until("all searches wait") { searches.waitingCount == 10 }
        #expect(try await api.get("/v1/categories", as: guest).status == 200)
        #expect(try await api.get("/v1/items", as: guest).status == 200)
        #expect(searches.waitingCount == 10)
        // Of one free place, so that only the order of turns matters.
        gates[0].continuation.finish()
        #expect(try await waiting.value == 6, "busy, other, busy, other: six of the busy client still wait")
        for reply in replies { #expect(try await reply.value.status == 200) }
        gates[1].continuation.finish()
        for holder in holders { try await holder.value }
    }
}
