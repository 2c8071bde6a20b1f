// The streams of videos: looked at, remembered, and not published when they are known to be none.
import Domain
import Editorial
import EventLoop
import Fetch
import HTTP
import Library
import Store
import TestSupport
import Testing

@Suite("Streams of videos", .databases)
struct PlaylistCheckTests {
    private static let actor = TestDatabase.administrator
    private static let good = Array("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n".utf8)
    private static let address = "https://films.example/a.m3u8"

    private func video(
        _ test: TestDatabase, _ fields: [String: JSONValue], title: String = "A film", publishTiming: PublishTiming? = nil
    ) async throws -> ID<Entry> {
        let all = fields.merging([
            "title": .string(title), "categories": .array(["00000000-0000-7000-8000-000000000013"]),
        ]) { first, _ in first }
        return try await WriteEntry(database: test.database, rules: test.rules).create(
            type: "video", fields: all, publishTiming: publishTiming, by: Self.actor
        ).entry
    }

    private func publish(_ test: TestDatabase, _ id: ID<Entry>) async throws {
        _ = try await WriteEntry(database: test.database, rules: test.rules).approve(
            id, number: 1, publishTiming: .now, by: Self.actor)
    }

    private func check(_ test: TestDatabase, _ id: ID<Entry>, _ pasted: [UInt8], by actor: Actor = actor)
        async throws -> PlaylistFinding
    {
        try await CheckPlaylist(database: test.database, client: test.library.streams)(id, pasted: pasted, by: actor)
    }

    private func refusal(_ body: () async throws -> Void) async -> Failure? {
        do {
            try await body()
            return nil
        } catch {
            return error as? Failure
        }
    }

    @Test("A38: a video whose playlist is known to be none is not published, until it is found to be one")
    func malformed() async throws {
        let test = try await TestDatabase.make()
        let id = try await video(test, ["hls_url": .string(Self.address)])
        let found = try await check(test, id, Array("<html>Not found</html>".utf8))
        #expect(found == .malformed("line 1: A playlist begins with the line #EXTM3U."))
        let refused = await refusal { try await publish(test, id) }
        #expect(
            refused
                == .refused(
                    code: "playlist",
                    message: "The stream of \"A film\" is no HLS playlist: line 1: A playlist begins with the line "
                        + "#EXTM3U."))
        // Another entry with the same address is refused too; one with another address is not.
        let twin = try await video(test, ["hls_url": .string(Self.address)], title: "Twin")
        #expect(await refusal { try await publish(test, twin) } != nil)
        let other = try await video(test, ["hls_url": "https://films.example/b.m3u8"], title: "Other")
        try await publish(test, other)

        #expect(try await check(test, id, Self.good) == .media(1))
        try await publish(test, id)
        let rows: Int = try await test.client.one("select count(*) as n from api_v1.video")("n")
        #expect(rows == 2)
        let events: Int = try await test.client.one(
            "select count(*) as n from ops.audit_event where action = 'video.verify'")("n")
        #expect(events == 2)
        let row = try #require(try await test.database.playlists.newest(at: Self.address))
        #expect(row.isPasted && row.finding == .media(1) && row.checkedBy == "operator")
        #expect(try await test.database.publications.verify().isEmpty)
    }

    @Test("A38: a live video cannot move to an address that is known to be none; that nothing answered refuses nothing")
    func edits() async throws {
        let test = try await TestDatabase.make()
        let write = WriteEntry(database: test.database, rules: test.rules)
        let id = try await video(test, ["hls_url": .string(Self.address)], publishTiming: .now)
        let bad = try await video(test, ["hls_url": "https://films.example/bad.m3u8"], title: "Bad")
        _ = try await check(test, bad, [])
        var fields = try #require(try await test.database.revisions.newest(of: id)).content.fields
        fields["hls_url"] = "https://films.example/bad.m3u8"
        #expect(
            await refusal {
                _ = try await write.edit(id, fields: fields, base: 1, publishTiming: .now, by: Self.actor)
            } != nil)
        let url: String = try await test.client.one("select hls_url from api_v1.video")("hls_url")
        #expect(url == Self.address)

        // An address that does not answer: publication goes on, and what was found before still counts.
        try await note(test, .unanswered("no"), "https://films.example/new.m3u8")
        _ = try await video(test, ["hls_url": "https://films.example/new.m3u8"], title: "New", publishTiming: .now)
        try await note(test, .unanswered("no"), "https://films.example/bad.m3u8")
        #expect(await refusal { try await publish(test, bad) } != nil)
    }

    private func note(_ test: TestDatabase, _ finding: PlaylistFinding, _ address: String) async throws {
        try await test.database.change(by: Self.actor, AuditEvent("video.verify", on: "entry")) { change in
            try await change.playlists.note(finding, of: address, isPasted: false, by: Self.actor)
        }
    }

    @Test(
        "A38: the read table itself refuses a video without provider and stream, with half a provider, or without https",
        arguments: [
            ("{}", "A video needs a provider's id or an HLS address before it can be published."),
            (
                #"{"provider": "p", "provider_ref": "1"}"#,
                "A video that a provider holds needs the provider, the account there and the id there, all three."
            ),
            (
                #"{"provider": "p", "account": "a", "hls_url": "https://a.b/c"}"#,
                "A video that a provider holds needs the provider, the account there and the id there, all three."
            ),
            (#"{"hls_url": "http://a.b/c"}"#, "A video's HLS address must begin with https://."),
        ])
    func constraints(fields: String, sentence: String) async throws {
        let test = try await TestDatabase.make()
        let id = try await video(test, ["hls_url": .string(Self.address)])
        let owner = try await test.superuser()
        // Past every check of ours, as an accident or an older content type would leave it.
        try await owner.run(
            script: """
                begin; set local session_replication_role = replica;
                update curation.revision set content = content - 'hls_url' || '\(fields)'::jsonb where entry_id = '\(id)';
                commit;
                """)
        let failure = await refusal { try await publish(test, id) }
        #expect(failure == .refused(code: "rule", message: sentence))
        await owner.close()
    }

    @Test("A38: provider, account and id without a stream are enough, and the row shows them")
    func provider() async throws {
        let test = try await TestDatabase.make()
        _ = try await video(
            test, ["provider": "brightcove", "account": "12", "provider_ref": "34"], title: "Held", publishTiming: .now)
        let row = try await test.reader.one("select * from api_v1.video")
        #expect(try row("provider") as String == "brightcove" && row("account") as String == "12")
        #expect(try row("provider_ref") as String == "34")
        #expect(try row("hls_url") as String? == nil)
    }

    @Test("Who may not edit may not look; an entry without a stream says so")
    func refused() async throws {
        let test = try await TestDatabase.make()
        let id = try await video(test, ["provider": "p", "account": "a", "provider_ref": "1"])
        #expect(
            await refusal { _ = try await check(test, id, Self.good) }
                == .refused(code: "no_stream", message: "Its newest version has no HLS address to look at."))
        let curator = try await test.actor(.curator)
        #expect(await refusal { _ = try await check(test, id, Self.good, by: curator) } != nil)
        #expect(try await test.database.playlists.unchecked(limit: 10).isEmpty)
        let other = try await video(test, ["hls_url": .string(Self.address)])
        #expect(try await test.database.playlists.unchecked(limit: 10) == [other])
        _ = try await check(test, other, Self.good)
        #expect(try await test.database.playlists.unchecked(limit: 10).isEmpty)
    }

    @Test("A fetched address is what its server answers; redirects, errors and addresses inside say nothing")
    func fetched() async throws {
        let test = try await TestDatabase.make()
        let loop = EventLoop(name: "films")
        loop.start()
        let server = Server(configuration: ServerConfiguration(), loops: [loop]) { request in
            switch request.path {
            case "/good": return .bytes(Self.good, type: "application/vnd.apple.mpegurl")
            case "/page": return .bytes(Array("<html>".utf8), type: "text/html")
            case "/long": return .bytes([UInt8](repeating: 0x23, count: 2 << 20), type: "text/plain")
            case "/moved": return .redirect(302, to: "/good")
            default: return .status(404)
            }
        }
        try server.start()
        let exception = try #require(FetchPolicy.Exception("127.0.0.1:\(server.port)"))
        let near = FetchClient(
            policy: FetchPolicy(allowsHTTP: true, ports: [server.port], exceptions: [exception]), threads: 1)
        let check = CheckPlaylist(database: test.database, client: near)
        let place = "http://127.0.0.1:\(server.port)"
        #expect(await check.look(at: place + "/good") == .media(1))
        #expect(await check.look(at: place + "/page") == .malformed("line 1: A playlist begins with the line #EXTM3U."))
        #expect(await check.look(at: place + "/long") == .malformed("It is larger than 1 MB, and playlists are not."))
        #expect(
            await check.look(at: place + "/moved")
                == .unanswered("The address leads to another one (302); write that one."))
        #expect(await check.look(at: place + "/none") == .unanswered("The server answered 404."))
        // The client that the daemon has goes to the public internet only, and to nothing without TLS.
        let ours = CheckPlaylist(database: test.database, client: test.library.streams)
        for address in [place + "/good", "https://127.0.0.1/a.m3u8", "https://[::1]/a.m3u8", "https://10.0.0.1/a"] {
            guard case .unanswered = await ours.look(at: address) else {
                Issue.record("\(address) was asked")
                continue
            }
        }
        await server.drain(grace: .zero)
        loop.stop()
    }
}
