// Tests the checks of video streams: results are recorded, and invalid streams are not published.
import Domain
import Fetch
import HTTP
import Operations
import Store
import TestSupport
import Testing

@Suite("Playlist checks", .databases)
struct PlaylistCheckTests {
    private static let actor = TestDatabase.administrator
    private static let good = Array("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n".utf8)
    private static let streamURL = "https://films.example/a.m3u8"

    private func video(
        _ test: TestDatabase, _ fields: [String: JSONValue], title: String = "A film",
        publishTiming: PublishTiming = .draft
    ) async throws -> ID<Entry> {
        let all = fields.merging([
            "title": .string(title), "categories": .array(["00000000-0000-7000-8000-000000000013"]),
        ]) { first, _ in first }
        return try await test.write.create(
            type: "video", fields: all, publishTiming: publishTiming, by: Self.actor
        ).entry
    }

    private func publish(_ test: TestDatabase, _ id: ID<Entry>) async throws {
        _ = try await test.write.approve(
            id, number: 1, publishTiming: .now, by: Self.actor)
    }

    private func check(_ test: TestDatabase, _ id: ID<Entry>, _ pasted: [UInt8], by actor: Actor = actor)
        async throws -> PlaylistFinding
    {
        try await VerifyPlaylist(database: test.database, client: test.library.streams)(id, pasted: pasted, by: actor)
    }

    private func refusal(_ body: () async throws -> Void) async -> Failure? {
        do {
            try await body()
            return nil
        } catch {
            return error as? Failure
        }
    }

    @Test("A38: a video with an invalid playlist is not published until a check finds a valid one")
    func malformed() async throws {
        let test = try await TestDatabase.make()
        let id = try await video(test, ["hls_url": .string(Self.streamURL)])
        let found = try await check(test, id, Array("<html>Not found</html>".utf8))
        #expect(found == .malformed("line 1: The first line must be #EXTM3U."))
        let refused = await refusal { try await publish(test, id) }
        #expect(
            refused?.isBlocked(
                "playlist",
                "The stream of \"A film\" is not an HLS playlist: line 1: The first line must be #EXTM3U.") == true)
        // Another entry with the same URL is refused too; one with another URL is not.
        let twin = try await video(test, ["hls_url": .string(Self.streamURL)], title: "Twin")
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
        let row = try #require(try await test.database.playlists.newest(of: Self.streamURL))
        #expect(row.isPasted && row.finding == .media(1) && row.checkedBy == "operator")
        #expect(try await test.database.publications.verify().isEmpty)
    }

    @Test("A38: a published video can't change to an invalid stream; an unreachable stream is allowed")
    func edits() async throws {
        let test = try await TestDatabase.make()
        let write = test.write
        let id = try await video(test, ["hls_url": .string(Self.streamURL)], publishTiming: .now)
        let bad = try await video(test, ["hls_url": "https://films.example/bad.m3u8"], title: "Bad")
        _ = try await check(test, bad, [])
        var fields = try #require(try await test.database.revisions.newest(of: id)).content.fields
        fields["hls_url"] = "https://films.example/bad.m3u8"
        #expect(
            await refusal {
                _ = try await write.edit(id, fields: fields, base: 1, publishTiming: .now, by: Self.actor)
            } != nil)
        let url: String = try await test.client.one("select hls_url from api_v1.video")("hls_url")
        #expect(url == Self.streamURL)

        // An unreachable stream can be published, and an earlier result still counts.
        try await note(test, .unreachable("no"), "https://films.example/new.m3u8")
        _ = try await video(test, ["hls_url": "https://films.example/new.m3u8"], title: "New", publishTiming: .now)
        try await note(test, .unreachable("no"), "https://films.example/bad.m3u8")
        #expect(await refusal { try await publish(test, bad) } != nil)
    }

    private func note(_ test: TestDatabase, _ finding: PlaylistFinding, _ streamURL: String) async throws {
        try await test.database.transaction(by: Self.actor, AuditEvent("video.verify", on: "entry")) { transaction in
            try await transaction.playlists.record(finding, of: streamURL, isPasted: false, by: Self.actor)
        }
    }

    @Test(
        "A38: the read table refuses a video without provider and stream, with an incomplete provider, or without https",
        arguments: [
            ("{}", "A video needs a provider ID or an HLS URL before it can be published."),
            (
                #"{"provider": "p", "provider_ref": "1"}"#,
                "Enter the provider, the account and the video ID, or none of them."
            ),
            (
                #"{"provider": "p", "account": "a", "hls_url": "https://a.b/c"}"#,
                "Enter the provider, the account and the video ID, or none of them."
            ),
            (#"{"hls_url": "http://a.b/c"}"#, "Enter an HLS URL that starts with https://."),
        ])
    func constraints(fields: String, message: String) async throws {
        let test = try await TestDatabase.make()
        let id = try await video(test, ["hls_url": .string(Self.streamURL)])
        // Bypasses all checks, like a bug or an older content type.
        try await test.client.run(
            script: """
                begin; set local session_replication_role = replica;
                update curation.revision set content = content - 'hls_url' || '\(fields)'::jsonb where entry_id = '\(id)';
                commit;
                """)
        let failure = await refusal { try await publish(test, id) }
        #expect(failure?.isBlocked("rule", message) == true)
    }

    @Test("A38: provider, account and id are enough without a stream, and the row contains them")
    func provider() async throws {
        let test = try await TestDatabase.make()
        _ = try await video(
            test, ["provider": "brightcove", "account": "12", "provider_ref": "34"], title: "Held", publishTiming: .now)
        let row = try await test.reader.one("select * from api_v1.video")
        #expect(try row("provider") as String == "brightcove" && row("account") as String == "12")
        #expect(try row("provider_ref") as String == "34")
        #expect(try row("hls_url") as String? == nil)
    }

    @Test("S15: only editors can verify streams; an entry without a stream is refused")
    func refused() async throws {
        let test = try await TestDatabase.make()
        let id = try await video(test, ["provider": "p", "account": "a", "provider_ref": "1"])
        #expect(
            await refusal { _ = try await check(test, id, Self.good) }
                == .refused(code: "no_stream", message: "The newest version has no stream URL. Add one and save."))
        let curator = try await test.actor(.curator)
        #expect(await refusal { _ = try await check(test, id, Self.good, by: curator) } != nil)
        #expect(try await test.database.playlists.unchecked(limit: 10).isEmpty)
        let other = try await video(test, ["hls_url": .string(Self.streamURL)])
        #expect(try await test.database.playlists.unchecked(limit: 10) == [other])
        _ = try await check(test, other, Self.good)
        #expect(try await test.database.playlists.unchecked(limit: 10).isEmpty)
    }

    @Test("A fetched stream is classified by its content; redirects, errors and private addresses are unreachable")
    func fetched() async throws {
        let test = try await TestDatabase.make()
        let server = LocalServer("films")
        let port = try server.start { request in
            switch request.path {
            case "/good": return .bytes(Self.good, type: "application/vnd.apple.mpegurl")
            case "/page": return .bytes(Array("<html>".utf8), type: "text/html")
            case "/long": return .bytes([UInt8](repeating: 0x23, count: 2 << 20), type: "text/plain")
            case "/moved": return .redirect(302, to: "/good")
            default: return .status(404)
            }
        }
        let exception = try #require(FetchPolicy.Exception("127.0.0.1:\(port)"))
        let local = FetchClient(
            policy: FetchPolicy(allowsHTTP: true, ports: [port], exceptions: [exception]), threads: 1)
        let check = VerifyPlaylist(database: test.database, client: local)
        let base = "http://127.0.0.1:\(port)"
        #expect(await check.fetch(base + "/good") == .media(1))
        #expect(await check.fetch(base + "/page") == .malformed("line 1: The first line must be #EXTM3U."))
        #expect(await check.fetch(base + "/long") == .malformed("The file is larger than 1 MB; a playlist is smaller."))
        #expect(
            await check.fetch(base + "/moved")
                == .unreachable("The URL redirects (302). Enter the final URL."))
        #expect(await check.fetch(base + "/none") == .unreachable("The server returned status 404."))
        // The daemon's client only connects to public addresses with TLS.
        let daemon = VerifyPlaylist(database: test.database, client: test.library.streams)
        for url in [base + "/good", "https://127.0.0.1/a.m3u8", "https://[::1]/a.m3u8", "https://10.0.0.1/a"] {
            guard case .unreachable = await daemon.fetch(url) else {
                Issue.record("\(url) was fetched")
                continue
            }
        }
        await server.stop()
    }
}
