// Sources that are down, slow, angry or lying: the last answer is served, and nothing waits or leaks.
import Catalogs
import Domain
import Fetch
import FoundationEssentials
import HTTP
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Sources that fail", .databases)
struct SourceFaultTests {
    private static func films(_ titles: String...) -> String {
        let results = titles.enumerated().map { #"{"id": \#($0 + 1), "title": "\#($1)", "overview": "Of \#($1)."}"# }
        return #"{"page": 1, "results": [\#(results.joined(separator: ","))]}"#
    }

    @Test("D29, D33: the identical question within its time asks nobody; another one, and an older one, asks")
    func memory() async throws {
        try await SourceWorld.with { world in
            world.source.answer(Self.films("A", "B"))
            let found1 = try await world.find("movie", "latest")
            #expect(found1.standing == .asked)
            let found2 = try await world.find("movie", "latest", ["language": "  "])
            #expect(found2.standing == .remembered)
            #expect(world.source.asked.count == 1)
            let found3 = try await world.find("movie", "latest", ["page": "2"])
            #expect(found3.standing == .asked)
            let found4 = try await world.find("tv", "latest")
            #expect(found4.standing == .asked)
            #expect(world.source.asked.count == 3)
            try await age(world, seconds: 3600)
            let found5 = try await world.find("movie", "latest")
            #expect(found5.standing == .asked)
            try await age(world, seconds: 3590)
            let found6 = try await world.find("movie", "latest")
            #expect(found6.standing == .remembered)
        }
    }

    private func age(_ world: SourceWorld, seconds: Int) async throws {
        _ = try await world.shelf.test.client.query(
            "update ops.catalog_query set fetched_at = clock_timestamp() - make_interval(secs => \(seconds)::integer)"
        )
    }

    @Test(
        "D33: whatever a source answers wrongly, the last answer is served with its age",
        arguments: [
            (500, "oops"), (503, ""), (429, "slow down"), (401, "{}"), (302, ""), (200, ""), (200, "null"), (200, "[]"),
            (200, #"{"page":1,"results":["#), (200, #"{"results": {"id": 1}}"#), (200, #"{"results": 7}"#),
            (200, "<html>sign in</html>"), (200, String(repeating: "[", count: 5000)),
        ])
    func wrong(status: Int, body: String) async throws {
        try await SourceWorld.with(fresh: .seconds(60)) { world in
            world.source.answer(Self.films("A", "B"))
            let before = try await world.find("movie", "latest")
            try await age(world, seconds: 61)
            world.source.answer(body, status: status)
            let finding = try await world.find("movie", "latest")
            guard case .stale(let problem) = finding.standing else {
                Issue.record("\(finding.standing)")
                return
            }
            #expect(!problem.isEmpty && finding.items.map(\.title) == ["A", "B"])
            #expect(finding.items.map(\.id) == before.items.map(\.id))
            #expect((finding.fetchedAt ?? Date()).timeIntervalSinceNow < -60)
            world.source.answer(Self.films("A", "C"))
        }
    }

    @Test("D33: members of the wrong type are left out, and things without an id or title")
    func types() async throws {
        try await SourceWorld.with { world in
            world.source.answer(
                """
                {"results": [{"id": 1, "title": "A", "overview": 7, "vote_average": "high", "vote_count": -3, "odd": [1]},
                    {"id": 2, "title": 9}, {"id": null, "title": "B"}, {"title": "C"}, 7, null, {"id": 3, "title": "  "},
                    {"id": "x4", "title": "D\\nE", "release_date": "a date that is far too long"}, {"id": 1, "title": "A"}]}
                """)
            let finding = try await world.find("movie", "latest")
            #expect(finding.items.map(\.title) == ["A", "D E"])
            #expect(finding.items[0].details == .object(["title": "A", "odd": .array([.int(1)])]))
            let schema = try #require(world.shelf.kinds["movie"]).details
            #expect(finding.items.allSatisfy { schema.check($0.details).isEmpty })
        }
    }

    @Test("D33: an answer that is too long is not used; one of exactly the limit is")
    func size() async throws {
        let body = Self.films("A")
        for (limit, isUsed) in [(body.utf8.count, true), (body.utf8.count - 1, false)] {
            try await SourceWorld.with(answerBytes: limit) { world in
                world.source.answer(body)
                let found7 = try await world.find("movie", "latest")
                #expect(found7.items.isEmpty != isUsed)
            }
        }
    }

    @Test("D33: a source that is slow is left at the deadline, and left alone for a while after it")
    func slow() async throws {
        try await SourceWorld.with(fresh: .seconds(60), deadline: .milliseconds(300)) { world in
            world.source.answer(Self.films("A"))
            _ = try await world.find("movie", "latest")
            try await age(world, seconds: 61)
            world.source.answer { _ in
                try? await Task.sleep(for: .seconds(3))
                return SourceServer.response([])
            }
            let found8 = try await world.find("movie", "latest")
            #expect(found8.problem?.contains("does not answer") == true)
            let asked = world.source.asked.count
            let found9 = try await world.find("movie", "latest")
            #expect(found9.problem?.contains("left alone") == true)
            #expect(world.source.asked.count == asked)
            // Others are asked as before.
            world.source.answer(#"{"kind": "books#volumes"}"#)
            let found10 = try await world.find("book", "title", ["text": "x"])
            #expect(found10.standing == .asked)
        }
    }

    @Test("D33: nobody listens: what is kept and has the words in its title is shown")
    func down() async throws {
        try await SourceWorld.with(port: 1) { world in
            try await world.shelf.films(["The Long Walk", "Short walks", "Heat"])
            let finding = try await world.find("movie", "title", ["text": "walk"])
            guard case .kept = finding.standing else {
                Issue.record("\(finding.standing)")
                return
            }
            #expect(Set(finding.items.map(\.title)) == ["The Long Walk", "Short walks"])
        }
    }

    @Test("S33, D33: a private address is not asked unless the configuration allows it")
    func inside() async throws {
        try await SourceWorld.with(reachable: false) { world in
            world.source.answer(Self.films("A"))
            let found11 = try await world.find("movie", "latest")
            #expect(found11.problem != nil)
            #expect(world.source.asked.isEmpty)
            // On the usual ports, too.
            for address in ["http://127.0.0.1/", "https://10.0.0.1/x", "http://[::1]/", "https://169.254.169.254/"] {
                #expect(throws: FetchRefusal.self) { try FetchTarget(address, policy: world.rules.policy) }
            }
            #expect(throws: Never.self) { try FetchTarget("http://93.184.216.34/", policy: world.rules.policy) }
        }
    }

    @Test("D33: each source is asked so often in a minute and no more", arguments: [1, 3])
    func rate(perMinute: Int) async throws {
        try await SourceWorld.with(perMinute: perMinute) { world in
            world.source.answer(Self.films("A"))
            for page in 1...(perMinute + 2) { _ = try await world.find("movie", "latest", ["page": "\(page)"]) }
            #expect(world.source.asked.count == perMinute)
            _ = try await world.shelf.test.client.query(
                "update ops.catalog_source set minute_at = minute_at - interval '1 minute'")
            _ = try await world.find("movie", "latest", ["page": "99"])
            #expect(world.source.asked.count == perMinute + 1)
        }
    }

    @Test("D33: a source that says when it wants to be asked again is not asked before")
    func retryAfter() async throws {
        try await SourceWorld.with { world in
            world.source.answer { _ in Response.status(429).with("Retry-After", "17") }
            _ = try await world.find("movie", "latest")
            let seconds: Double = try await world.shelf.test.client.one(
                "select extract(epoch from hold_until - clock_timestamp())::float8 as s from ops.catalog_source")("s")
            #expect(seconds > 10 && seconds <= 17)
            let found12 = try await world.find("movie", "latest", ["page": "2"])
            #expect(found12.problem?.contains("left alone") == true)
            #expect(world.source.asked.count == 1)
        }
    }

    @Test("D30, D33: a key is in no table, log, error or message, even when the source sends it back")
    func canary() async throws {
        let key = SourceWorld.key
        let echo =
            #"{"results": [{"id": 1, "title": "A", "homepage": "https://x.example/?api_key=\#(key)", "deep": {"a": ["\#(key)"], "\#(key)": 1}}, {"id": 2, "title": "\#(key)"}, {"id": 3, "title": "C", "url": "https://x.example/canary%2F9f2c%2BKEY%3D%3D"}]}"#
        try await SourceWorld.with(fresh: .seconds(60)) { world in
            world.source.answer(echo)
            let finding = try await world.find("movie", "latest")
            #expect(finding.items.map(\.title) == ["A", "C"])
            #expect(world.source.asked.first?.query["api_key"] == key)
            try await world.shelf.list("Leaks", finding.items.map(\.id))
            var problems: [String] = []
            for (status, body) in [(401, key), (500, key), (200, key)] {
                try await age(world, seconds: 61)
                _ = try await world.shelf.test.client.query("update ops.catalog_source set hold_until = null")
                world.source.answer(body, status: status)
                problems.append(try await world.find("movie", "latest").problem ?? "")
            }
            #expect(problems.allSatisfy { !$0.isEmpty && !$0.contains("canary") })
            #expect(!world.logged.contains("canary") && !world.logged.isEmpty)
            let held = try await world.shelf.test.tables(holding: "canary")
            #expect(held.isEmpty, "\(held)")
        }
    }

    @Test("D31: what is asked is checked first, every mistake at once, ends included")
    func questions() async throws {
        try await SourceWorld.with { world in
            world.source.answer(#"{"businesses": []}"#)
            for (lat, lon) in [("90", "180"), ("-90", "-180"), ("+1.5", ".5")] {
                let found13 = try await world.find("restaurant", "near", ["lat": lat, "lon": lon])
                #expect(found13.standing == .asked)
            }
            let asked = world.source.asked.count
            for (lat, lon) in [("90.01", "180.01"), ("nan", "1e2"), ("", "x"), ("--1", "0x1")] {
                let refusal = try await #require(throws: Failure.self) {
                    _ = try await world.find("restaurant", "near", ["lat": lat, "lon": lon])
                }
                guard case .invalid(let errors) = refusal else { throw refusal }
                #expect(errors.items.map(\.pointer) == ["/lookup/lat", "/lookup/lon"])
            }
            for values in [["page": "0"], ["page": "501"], ["language": "english"], ["text": "x"]] {
                await #expect(throws: Failure.self) { _ = try await world.find("movie", "latest", values) }
            }
            let found14 = try await world.find("movie", "latest", ["page": "500", "language": "en-GB"])
            #expect(found14.problem != nil)
            await #expect(throws: Failure.self) { _ = try await world.find("film", "latest") }
            await #expect(throws: Failure.self) { _ = try await world.find("movie", "near") }
            #expect(world.source.asked.count == asked + 1)
        }
    }

    @Test("D30: without a key a source that wants one is not asked, and the page says so")
    func noKey() async throws {
        try await SourceWorld.with(hasKey: false) { world in
            let found15 = try await world.find("movie", "latest")
            #expect(found15.problem?.contains("catalogs.tmdb.key") == true)
            #expect(world.source.asked.isEmpty)
            world.source.answer(#"{"kind": "books#volumes"}"#)
            let found16 = try await world.find("book", "title", ["text": "x"])
            #expect(found16.standing == .asked)
        }
    }

    @Test("D33: what readers see is looked at again in its time; what is gone at the source stays as it was")
    func refreshed() async throws {
        try await SourceWorld.with { world in
            let films = try await world.shelf.films(["A", "B", "C"], ids: ["1", "2", "3"])
            let list = try await world.shelf.list("Two", [films[0], films[1]])
            #expect(try await world.refresh.due().isEmpty)
            let owner = try await world.shelf.test.superuser()
            try await owner.run(
                script: """
                    begin; insert into ops.audit_event (actor_id, action, object_type)
                    values ('00000000-0000-7000-8000-000000000001', 'test.age', 'test');
                    update curation.catalog_item set checked_at = checked_at - interval '25 hours'; commit
                    """)
            await owner.close()
            world.source.answer { question in
                question.path.hasSuffix("/1")
                    ? SourceServer.response(Array(#"{"id": 1, "title": "A2", "budget": 5}"#.utf8))
                    : Response.status(404)
            }
            let outcomes = try await world.refresh.due()
            #expect(Set(outcomes.map(\.item.id)) == [films[0], films[1]])
            #expect(try await world.shelf.items(list).map(\.title) == ["A2", "B"])
            #expect(try await world.refresh.due().isEmpty)
            #expect(try await world.shelf.isVerified())
        }
    }
}
