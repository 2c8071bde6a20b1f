// Tests that kept responses equal those of the database at the publication that they name.
import Domain
import Operations
import Postgres
import Store
import Synchronization
import TestBasics
import TestSupport
import Testing

@testable import API

@Suite("Kept responses", .databases)
struct ResponseCacheTests {
    private func make(on test: TestDatabase? = nil, bytes: Int = 1 << 20) async throws -> APIFixture {
        try await APIFixture.make(trust: .seconds(60), on: test) { $0.cacheBytes = bytes }
    }

    private func newest(_ test: TestDatabase) async throws -> Int64 {
        let number: Int64? = try await test.reader.one("select max(number) as n from api_v1.publication")("n")
        return number ?? 0
    }

    /// As the server does, at the newest publication.
    private func read(
        _ api: APIFixture, _ target: String, as client: APIFixture.Client, _ headers: [(String, String)] = []
    ) async throws -> APIReply {
        let number = try await newest(api.test)
        let request = try api.request(
            "GET", target, as: client, headers: [("Vitrine-Publication", "\(number)")] + headers)
        if let response = api.site.fastPath(request) { return APIReply(response: response) }
        return APIReply(response: await api.site.respond(request))
    }

    private func misses(_ api: APIFixture) throws -> Int { try #require(api.site.cacheCounts).misses }

    @Test("R34: a kept response equals a computed one, on both paths, for GET and HEAD, compressed and plain")
    func same() async throws {
        let api = try await make()
        let plain = try await APIFixture.make(trust: .seconds(60), on: try api.test.anotherDaemon())
        let guest = try await api.client([.readGuest])
        for number in 1...30 { try await api.article("A walk number \(number)", .approveOnly) }
        try await api.publishWaiting()
        for target in ["/v1/items", "/v1/items?sort=title", "/v1/categories", "/v1/settings"] {
            for coding in ["identity", "gzip", "br"] {
                let fields = [("Accept-Encoding", coding)]
                let computed = try await read(plain, target, as: guest, fields)
                for _ in 1...2 { _ = try await read(api, target, as: guest, fields) }
                for method in ["GET", "HEAD"] {
                    let request = try api.request(method, target, as: guest, headers: fields)
                    let atOnce = APIReply(response: try #require(api.site.fastPath(request), "\(target) \(coding)"))
                    let slow = APIReply(response: await api.site.respond(request))
                    for reply in [atOnce, slow] {
                        #expect(reply.status == 200 && reply.bytes == computed.bytes, "\(target) \(coding)")
                        for name in [
                            "ETag", "Content-Type", "Content-Encoding", "Cache-Control", "Vary", "Link",
                            "Vitrine-Publication",
                        ] { #expect(reply[name] == computed[name], "\(target) \(coding) \(name)") }
                    }
                }
            }
        }
        #expect(plain.site.cacheCounts == nil)
        #expect(try misses(api) == 4, "one for each URL")
    }

    @Test("R34: each kind of change is seen, and what a publication did not change stays in memory")
    func changes() async throws {
        let api = try await make()
        let guest = try await api.client([.readGuest])
        let feed = try await api.publish("feed", "City")
        let category = try await api.category("Walks")
        let fields: [String: JSONValue] = ["feeds": .entries([feed]), "categories": .entries([category])]
        let article = try await api.publish("article", "Tea", fields)
        let other = try await api.publish("article", "Rain", fields)
        let setting = try await api.publish(
            "setting", "Logo", ["key": "app.logo", "section": "App", "kind": "text", "value": "x"])
        func text(_ target: String) async throws -> String {
            let reply = try await read(api, target, as: guest)
            #expect(reply.status == 200, "\(target)")
            #expect(reply["Vitrine-Publication"] == "\(try await newest(api.test))", "\(target)")
            return reply.text
        }
        let targets = [
            "/v1/items/\(article)", "/v1/items/\(other)", "/v1/items", "/v1/feeds/\(feed)/items", "/v1/categories",
            "/v1/categories/\(category)", "/v1/settings",
        ]
        for target in targets { _ = try await text(target) }
        let first = try misses(api)
        for target in targets { _ = try await text(target) }
        #expect(try misses(api) == first)

        try await api.edit(article, ["title": "Ferry"])
        for target in ["/v1/items/\(article)", "/v1/items", "/v1/feeds/\(feed)/items"] {
            let found = try await text(target)
            #expect(found.contains("Ferry") && !found.contains("Tea"), "\(target)")
        }
        let second = try misses(api)
        #expect(second == first + 3)
        for target in ["/v1/items/\(other)", "/v1/settings"] { _ = try await text(target) }
        #expect(try misses(api) == second, "not changed")

        try await api.edit(category, ["title": "Tours"])
        for target in ["/v1/items/\(other)", "/v1/items", "/v1/categories", "/v1/categories/\(category)"] {
            #expect(try await text(target).contains("Tours"), "\(target)")
        }
        try await api.edit(setting, ["value": "new-logo"])
        #expect(try await text("/v1/settings").contains("new-logo"))
        try await api.unpublish(other)
        #expect(try await text("/v1/feeds/\(feed)/items").contains("Rain") == false)
        #expect(try await read(api, "/v1/items/\(other)", as: guest).status == 410)
    }

    @Test("R34: a restore, after which a publication has another tag, makes all kept responses outdated")
    func restored() async throws {
        let api = try await make()
        let guest = try await api.client([.readGuest])
        let article = try await api.article("Tea")
        for _ in 1...2 { #expect(try await read(api, "/v1/items/\(article)", as: guest).text.contains("Tea")) }
        try await api.test.client.run(
            script: """
                update api_v1.publication set tag = '000000000001'
                where number = (select max(number) from api_v1.publication);
                update api_v1.item set document = replace(document::text, 'Tea', 'Rain')::json;
                """)
        api.clock.advance(by: .seconds(2))
        #expect(try await read(api, "/v1/items/\(article)", as: guest).text.contains("Rain"))
    }

    @Test(
        "A28, S42, S47: guests and members have their own responses, and limits, scopes and problems stay as they are")
    func callers() async throws {
        let api = try await make()
        let (guest, full) = (try await api.client([.readGuest]), try await api.client([.readFull]))
        let long = String(repeating: "word ", count: 100) + "zanzibar"
        let article = try await api.publish("article", "Tea", ["body": .string("<p>\(long)</p>")])
        let target = "/v1/items/\(article)"
        for _ in 1...2 {
            #expect(try await read(api, target, as: full).text.contains("zanzibar"))
            #expect(try await read(api, target, as: guest).text.contains("zanzibar") == false)
            #expect(try await read(api, target + "?view=preview", as: full).text.contains("zanzibar") == false)
        }
        let portal = try await api.client([.submit])
        #expect(try await read(api, target, as: portal).status == 403)
        let limited = try await api.client([.readGuest])
        try await api.test.services.manageClient.setLimit(
            limited.id, perMinute: 2, by: TestDatabase.administrator)
        for status in [200, 200, 429] { #expect(try await read(api, target, as: limited).status == status) }
        let kept = try #require(api.site.cacheCounts).responses
        for _ in 1...3 { #expect(try await read(api, "/v1/items/never", as: guest).status == 404) }
        for target in ["/v1/search?q=tea", "/v1/items?category=never"] { _ = try await read(api, target, as: guest) }
        #expect(api.site.cacheCounts?.responses == kept)
    }

    @Test("R34: a response is never older than the publication that the client names, and says which it is of")
    func seen() async throws {
        let api = try await make()
        let other = try await make(on: try api.test.anotherDaemon())
        let guest = try await api.client([.readGuest])
        let article = try await api.article("Tea")
        for daemon in [api, other] { _ = try await read(daemon, "/v1/items/\(article)", as: guest) }
        for title in ["Rain", "Ferry", "Stairs"] {
            try await api.edit(article, ["title": .string(title)])
            let number = try await newest(api.test)
            for daemon in [other, api] {
                let reply = try await daemon.get(
                    "/v1/items/\(article)", as: guest, [("Vitrine-Publication", "\(number)")])
                #expect(reply.text.contains(title) && reply["Vitrine-Publication"] == "\(number)")
            }
        }
        let target = "/v1/items/\(article)"
        let number = try await newest(api.test)
        let ahead = try await api.get(target, as: guest, [("Vitrine-Publication", "\(number + 1)")])
        #expect(ahead.status == 410 && ahead.code == "history_changed")
        for wrong in ["", "x", "-1", "1.5", "1234567890123456789"] {
            let reply = try await api.get(target, as: guest, [("Vitrine-Publication", wrong)])
            #expect(reply.status == 400 && reply.pointers == ["/headers/Vitrine-Publication"], "\(wrong)")
        }
        let tag = try #require(try await api.get(target, as: guest)["ETag"])
        let unchanged = try await api.get(target, as: guest, [("If-None-Match", tag)])
        #expect(unchanged.status == 304 && unchanged["Vitrine-Publication"] == "\(number)")

        // A replica may receive it in a moment.
        try await api.test.client.run(
            script: """
                insert into pg_subscription_rel (srsubid, srrelid, srsubstate)
                values (1, 'api_v1.publication'::regclass, 'r')
                """)
        let behind = try await api.get(target, as: guest, [("Vitrine-Publication", "\(number + 1)")])
        #expect(behind.status == 503 && behind.code == "replica_behind" && behind["Retry-After"] == "1")
    }

    @Test("Kept responses depend on read tables that exist, and rows are named by the path")
    func tables() {
        let known = Set(TestDatabase.packs.readTables.map(\.name))
        for endpoint in APISite.endpoints(TestDatabase.packs) {
            switch endpoint.keeping {
            case .never: break
            case .untilChange(let names): #expect(known.isSuperset(of: names), "\(endpoint.pattern)")
            case .untilChangeOfRow(let names):
                #expect(known.isSuperset(of: names), "\(endpoint.pattern)")
                #expect(endpoint.pattern.hasSuffix("/{id_or_slug}"), "\(endpoint.pattern)")
            }
            if case .none = endpoint.moments { continue }
            #expect(!endpoint.isKept, "\(endpoint.pattern)")
        }
    }

    // MARK: Publications and reads at the same time

    private struct Observation: Sendable {
        let name: String
        /// The publication that the response names, and the newest that the client had seen.
        let number: Int64
        let seen: Int64
        /// Of the body: many bodies would take much memory.
        let hash: Int
    }

    private final class Record: Sendable {
        let isOver = Atomic(false)
        /// By client and URL, and then by publication: what the database gave.
        let given = Mutex<[String: [Int64: Int]]>([:])
        let observations = Mutex<[Observation]>([])
    }

    private struct Content: Sendable {
        let feed: ID<Entry>
        let category: ID<Entry>
        let setting: ID<Entry>
        var articles: [ID<Entry>]

        var targets: [String] {
            [
                "/v1/items", "/v1/items?category=\(category)", "/v1/items/\(articles[0])", "/v1/feeds/\(feed)",
                "/v1/feeds/\(feed)/items", "/v1/categories", "/v1/categories/\(category)",
                "/v1/categories/\(category)/items", "/v1/settings", "/v1/changes?since=0", "/v1/publication",
            ]
        }

        mutating func publish(_ api: APIFixture, _ random: inout SeededGenerator) async throws {
            let word = JSONValue.string("Word \(UInt32.random(in: 0...UInt32.max, using: &random))")
            switch Int.random(in: 0...9, using: &random) {
            case 0...1: articles.append(try await Self.article(api, feed, category))
            case 2...3: try await api.edit(category, ["title": word])
            case 4: try await api.edit(setting, ["value": word])
            case 5: try await api.edit(feed, ["title": word])
            case 6 where articles.count > 2: try await api.unpublish(articles.removeLast())
            default:
                try await api.edit(articles[Int.random(in: 0..<articles.count, using: &random)], ["title": word])
            }
        }

        static func article(_ api: APIFixture, _ feed: ID<Entry>, _ category: ID<Entry>) async throws -> ID<Entry> {
            try await api.publish(
                "article", "Tea", ["feeds": .entries([feed]), "categories": .entries([category])])
        }
    }

    @Test(
        "R34: during publications, two daemons give what the database gave, and nothing older than a client has seen",
        arguments: TestScale.seeds(7, 8))
    func interleaved(seed: UInt64) async throws {
        let test = try await TestDatabase.make()
        let plain = try await APIFixture.make(trust: .seconds(60), on: test)
        // Not enough for all responses, so that some are replaced.
        let daemons = [
            try await make(on: try test.anotherDaemon(), bytes: 96 << 10),
            try await make(on: try test.anotherDaemon(), bytes: 96 << 10),
        ]
        let clients = [try await plain.client([.readGuest]), try await plain.client([.readFull])]
        let feed = try await plain.publish("feed", "City")
        let category = try await plain.category("Walks")
        let setting = try await plain.publish(
            "setting", "Logo", ["key": "app.logo", "section": "App", "kind": "text", "value": "x"])
        var articles: [ID<Entry>] = []
        for _ in 1...3 { articles.append(try await Content.article(plain, feed, category)) }
        let content = Content(feed: feed, category: category, setting: setting, articles: articles)
        let record = Record()

        @Sendable func note() async throws {
            let number = try await newest(test)
            for (index, client) in clients.enumerated() {
                for target in content.targets {
                    let reply = try await plain.get(target, as: client)
                    #expect(reply.status == 200, "\(target)")
                    record.given.withLock { $0["\(index) \(target)", default: [:]][number] = reply.bytes.hashValue }
                }
            }
        }
        try await note()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for reader in 0..<4 {
                group.addTask {
                    var random = SeededGenerator(seed: seed &+ UInt64(reader) &+ 1)
                    var seen: Int64 = 0
                    while !record.isOver.load(ordering: .relaxed) {
                        let (index, api) = (reader % 2, daemons[Int.random(in: 0...1, using: &random)])
                        let target = content.targets[Int.random(in: 0..<content.targets.count, using: &random)]
                        let request = try api.request(
                            "GET", target, as: clients[index], headers: [("Vitrine-Publication", "\(seen)")])
                        var response = api.site.fastPath(request)
                        if response == nil { response = await api.site.respond(request) }
                        let reply = APIReply(response: try #require(response))
                        let number = Int64(reply["Vitrine-Publication"] ?? "") ?? -1
                        let found = Observation(
                            name: "\(index) \(target)", number: number, seen: seen, hash: reply.bytes.hashValue)
                        record.observations.withLock { $0.append(found) }
                        seen = max(seen, number)
                        // What is tested is the order of events, in which publications need their turns.
                        try await Task.sleep(for: .microseconds(200))
                    }
                }
            }
            group.addTask {
                defer { record.isOver.store(true, ordering: .relaxed) }
                var random = SeededGenerator(seed: seed)
                var changing = content
                for _ in 1...TestScale.count(200) {
                    try await changing.publish(plain, &random)
                    try await note()
                }
            }
            try await group.waitForAll()
        }
        let given = record.given.withLock { $0 }
        let observations = record.observations.withLock { $0 }
        let outdated = observations.filter { $0.number < $0.seen }
        #expect(outdated.isEmpty, "\(outdated.first.map { "\($0.name) \($0.number) \($0.seen)" } ?? "")")
        let invented = observations.filter { observation in
            !(given[observation.name] ?? [:]).contains {
                $0.key >= observation.number && $0.value == observation.hash
            }
        }
        #expect(invented.isEmpty, "\(invented.first.map { "\($0.name) \($0.number)" } ?? "")")
        for daemon in daemons {
            let counts = try #require(daemon.site.cacheCounts)
            #expect(counts.hits > 0 && counts.misses > 0 && counts.bytes <= 96 << 10)
        }
    }
}
