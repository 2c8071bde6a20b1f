// Tests failing sources: down, slow, rate limiting or malformed. Cached results are served and nothing leaks.
import Domain
import Fetch
import FoundationEssentials
import HTTP
import Lists
import Platform
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Failing sources", .databases, .packs(.lists))
struct SourceFaultTests {
    private static func films(_ titles: String...) -> String {
        let results = titles.enumerated().map { #"{"id": \#($0 + 1), "title": "\#($1)", "overview": "Of \#($1)."}"# }
        return #"{"page": 1, "results": [\#(results.joined(separator: ","))]}"#
    }

    @Test("D29, D33: an identical query is cached until it expires; other queries are sent")
    func cache() async throws {
        try await SourceWorld.with { world in
            world.source.respond(Self.films("A", "B"))
            let found1 = try await world.find("movie", "latest")
            #expect(found1.status == .fetched)
            let found2 = try await world.find("movie", "latest", ["language": "  "])
            #expect(found2.status == .cached)
            #expect(world.source.requests.count == 1)
            let found3 = try await world.find("movie", "latest", ["page": "2"])
            #expect(found3.status == .fetched)
            let found4 = try await world.find("tv", "latest")
            #expect(found4.status == .fetched)
            #expect(world.source.requests.count == 3)
            try await age(world, seconds: 3600)
            let found5 = try await world.find("movie", "latest")
            #expect(found5.status == .fetched)
            try await age(world, seconds: 3590)
            let found6 = try await world.find("movie", "latest")
            #expect(found6.status == .cached)
        }
    }

    private func age(_ world: SourceWorld, seconds: Int) async throws {
        _ = try await world.fixture.test.client.query(
            "update ops.catalog_query set fetched_at = clock_timestamp() - make_interval(secs => \(seconds)::integer)"
        )
    }

    @Test(
        "D33: after any malformed response the cached results are served with their age",
        arguments: [
            (500, "oops"), (503, ""), (429, "slow down"), (401, "{}"), (302, ""), (200, ""), (200, "null"), (200, "[]"),
            (200, #"{"page":1,"results":["#), (200, #"{"results": {"id": 1}}"#), (200, #"{"results": 7}"#),
            (200, "<html>sign in</html>"), (200, String(repeating: "[", count: 5000)),
        ])
    func wrong(status: Int, body: String) async throws {
        try await SourceWorld.with(fresh: .seconds(60)) { world in
            world.source.respond(Self.films("A", "B"))
            let before = try await world.find("movie", "latest")
            try await age(world, seconds: 61)
            world.source.respond(body, status: status)
            let result = try await world.find("movie", "latest")
            guard case .stale(let problem) = result.status else {
                Issue.record("\(result.status)")
                return
            }
            #expect(!problem.isEmpty && result.items.map(\.title) == ["A", "B"])
            #expect(result.items.map(\.id) == before.items.map(\.id))
            #expect((result.fetchedAt ?? Date()).timeIntervalSinceNow < -60)
            world.source.respond(Self.films("A", "C"))
        }
    }

    @Test("D33: members of the wrong type and items without an id or title are dropped")
    func types() async throws {
        try await SourceWorld.with { world in
            world.source.respond(
                """
                {"results": [{"id": 1, "title": "A", "overview": 7, "vote_average": "high", "vote_count": -3, "odd": [1]},
                    {"id": 2, "title": 9}, {"id": null, "title": "B"}, {"title": "C"}, 7, null, {"id": 3, "title": "  "},
                    {"id": "x4", "title": "D\\nE", "release_date": "a date that is far too long"}, {"id": 1, "title": "A"}]}
                """)
            let result = try await world.find("movie", "latest")
            #expect(result.items.map(\.title) == ["A", "D E"])
            #expect(result.items[0].details == .object(["title": "A", "odd": .array([.int(1)])]))
            let schema = try #require(world.fixture.kinds["movie"]).details
            #expect(result.items.allSatisfy { schema.check($0.details).isEmpty })
        }
    }

    @Test("D33: a response over the size limit is not used; one of exactly the limit is")
    func size() async throws {
        let body = Self.films("A")
        for (limit, isUsed) in [(body.utf8.count, true), (body.utf8.count - 1, false)] {
            try await SourceWorld.with(maxResponseBytes: limit) { world in
                world.source.respond(body)
                let found7 = try await world.find("movie", "latest")
                #expect(found7.items.isEmpty != isUsed)
            }
        }
    }

    @Test("D33: a slow source times out, and requests to it are paused")
    func slow() async throws {
        try await SourceWorld.with(fresh: .seconds(60), deadline: .milliseconds(300 * Patience.factor)) { world in
            world.source.respond(Self.films("A"))
            _ = try await world.find("movie", "latest")
            try await age(world, seconds: 61)
            world.source.respond { _ in
                // Longer than the deadline.
                try? await Task.sleep(for: Patience.seconds(3))
                return SourceServer.response([])
            }
            let found8 = try await world.find("movie", "latest")
            #expect(found8.problem?.contains("did not respond") == true)
            let sent = world.source.requests.count
            let found9 = try await world.find("movie", "latest")
            #expect(found9.problem?.contains("are paused") == true)
            #expect(world.source.requests.count == sent)
            // Other sources are not affected.
            world.source.respond(#"{"kind": "books#volumes"}"#)
            let found10 = try await world.find("book", "title", ["text": "x"])
            #expect(found10.status == .fetched)
        }
    }

    @Test("D33: when the source is down, saved items with a matching title are shown; without words, all")
    func down() async throws {
        try await SourceWorld.with(port: 1) { world in
            try await world.fixture.films(["The Long Walk", "Short walks", "Heat"])
            let result = try await world.find("movie", "title", ["text": "walk"])
            guard case .saved = result.status else {
                Issue.record("\(result.status)")
                return
            }
            #expect(Set(result.items.map(\.title)) == ["The Long Walk", "Short walks"])
            let latest = try await world.find("movie", "latest")
            #expect(Set(latest.items.map(\.title)) == ["The Long Walk", "Short walks", "Heat"])
        }
    }

    @Test("S33, D33: a private address is refused unless the configuration allows it")
    func inside() async throws {
        try await SourceWorld.with(reachable: false) { world in
            world.source.respond(Self.films("A"))
            let found11 = try await world.find("movie", "latest")
            #expect(found11.problem != nil)
            #expect(world.source.requests.isEmpty)
            // Also on the default ports.
            for url in ["http://127.0.0.1/", "https://10.0.0.1/x", "http://[::1]/", "https://169.254.169.254/"] {
                #expect(throws: FetchRefusal.self) { try FetchTarget(url, policy: world.rules.policy) }
            }
            #expect(throws: Never.self) { try FetchTarget("http://93.184.216.34/", policy: world.rules.policy) }
        }
    }

    @Test("D33: the requests to each source are limited per minute", arguments: [1, 3])
    func rate(perMinute: Int) async throws {
        try await SourceWorld.with(perMinute: perMinute) { world in
            world.source.respond(Self.films("A"))
            for page in 1...(perMinute + 2) { _ = try await world.find("movie", "latest", ["page": "\(page)"]) }
            #expect(world.source.requests.count == perMinute)
            _ = try await world.fixture.test.client.query(
                "update ops.catalog_source set minute_at = minute_at - interval '1 minute'")
            _ = try await world.find("movie", "latest", ["page": "99"])
            #expect(world.source.requests.count == perMinute + 1)
        }
    }

    @Test("D33: Retry-After is honored")
    func retryAfter() async throws {
        try await SourceWorld.with { world in
            world.source.respond { _ in Response.status(429).with("Retry-After", "17") }
            _ = try await world.find("movie", "latest")
            let seconds: Double = try await world.fixture.test.client.one(
                "select extract(epoch from paused_until - clock_timestamp())::float8 as s from ops.catalog_source")("s")
            #expect(seconds > 10 && seconds <= 17)
            let found12 = try await world.find("movie", "latest", ["page": "2"])
            #expect(found12.problem?.contains("are paused") == true)
            #expect(world.source.requests.count == 1)
        }
    }

    @Test("D30, D33: a key is in no table, log, error or message, even if the source returns it")
    func canary() async throws {
        let key = SourceWorld.key
        let echo =
            #"{"results": [{"id": 1, "title": "A", "homepage": "https://x.example/?api_key=\#(key)", "deep": {"a": ["\#(key)"], "\#(key)": 1}}, {"id": 2, "title": "\#(key)"}, {"id": 3, "title": "C", "url": "https://x.example/canary%2F9f2c%2BKEY%3D%3D"}]}"#
        try await SourceWorld.with(fresh: .seconds(60)) { world in
            world.source.respond(echo)
            let result = try await world.find("movie", "latest")
            #expect(result.items.map(\.title) == ["A", "C"])
            #expect(world.source.requests.first?.query["api_key"] == key)
            try await world.fixture.list("Leaks", result.items.map(\.id))
            var problems: [String] = []
            for (status, body) in [(401, key), (500, key), (200, key)] {
                try await age(world, seconds: 61)
                _ = try await world.fixture.test.client.query("update ops.catalog_source set paused_until = null")
                world.source.respond(body, status: status)
                problems.append(try await world.find("movie", "latest").problem ?? "")
            }
            #expect(problems.allSatisfy { !$0.isEmpty && !$0.contains("canary") })
            #expect(!world.logged.contains("canary") && !world.logged.isEmpty)
            let tables = try await world.fixture.test.tables(holding: "canary")
            #expect(tables.isEmpty, "\(tables)")
        }
    }

    @Test("D31: a query is checked before it is sent; all errors are reported, limits are inclusive")
    func validation() async throws {
        try await SourceWorld.with { world in
            world.source.respond(#"{"businesses": []}"#)
            for (lat, lon) in [("90", "180"), ("-90", "-180"), ("+1.5", ".5")] {
                let found13 = try await world.find("restaurant", "near", ["lat": lat, "lon": lon])
                #expect(found13.status == .fetched)
            }
            let sent = world.source.requests.count
            for (lat, lon) in [("90.01", "180.01"), ("nan", "1e2"), ("", "x"), ("--1", "0x1")] {
                let refusal = try await #require(throws: Failure.self) {
                    _ = try await world.find("restaurant", "near", ["lat": lat, "lon": lon])
                }
                guard case .invalid(let errors) = refusal else { throw refusal }
                #expect(errors.items.map(\.pointer) == ["/search/lat", "/search/lon"])
            }
            for values in [["page": "0"], ["page": "501"], ["language": "english"], ["text": "x"]] {
                await #expect(throws: Failure.self) { _ = try await world.find("movie", "latest", values) }
            }
            let found14 = try await world.find("movie", "latest", ["page": "500", "language": "en-GB"])
            #expect(found14.problem != nil)
            await #expect(throws: Failure.self) { _ = try await world.find("film", "latest") }
            await #expect(throws: Failure.self) { _ = try await world.find("movie", "near") }
            #expect(world.source.requests.count == sent + 1)
        }
    }

    @Test("D30: a source without its required key is not queried, and the error says so")
    func noKey() async throws {
        try await SourceWorld.with(hasKey: false) { world in
            let found15 = try await world.find("movie", "latest")
            #expect(found15.problem?.contains("catalogs.tmdb.key") == true)
            #expect(world.source.requests.isEmpty)
            world.source.respond(#"{"kind": "books#volumes"}"#)
            let found16 = try await world.find("book", "title", ["text": "x"])
            #expect(found16.status == .fetched)
        }
    }

    @Test("D33: published items are refreshed when due; an item missing at the source stays unchanged")
    func refreshed() async throws {
        try await SourceWorld.with { world in
            let films = try await world.fixture.films(["A", "B", "C"], ids: ["1", "2", "3"])
            let list = try await world.fixture.list("Two", [films[0], films[1]])
            #expect(try await world.refresh.due().isEmpty)
            try await world.fixture.test.client.run(
                script: """
                    begin; insert into ops.audit_event (actor_id, action, object_type)
                    values ('00000000-0000-7000-8000-000000000001', 'test.age', 'test');
                    update curation.catalog_item set checked_at = checked_at - interval '25 hours'; commit
                    """)
            world.source.respond { request in
                request.path.hasSuffix("/1")
                    ? SourceServer.response(Array(#"{"id": 1, "title": "A2", "budget": 5}"#.utf8))
                    : Response.status(404)
            }
            let outcomes = try await world.refresh.due()
            #expect(Set(outcomes.map(\.item.id)) == [films[0], films[1]])
            #expect(try await world.fixture.items(list).map(\.title) == ["A2", "B"])
            #expect(try await world.refresh.due().isEmpty)
            #expect(try await world.fixture.isVerified())
        }
    }
}
