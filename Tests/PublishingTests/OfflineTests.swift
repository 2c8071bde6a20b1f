// Tests offline manifests: files listed once, one version, and access for members only.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Offline manifests", .databases)
struct OfflineTests {
    @Test("A30, A34, A39: a manifest has path, type, size and checksum of every file, and one version for the whole")
    func manifest() async throws {
        let world = try await FeedWorld.make()
        let feed = try await world.publish("feed", "Harbours", ["tier": "premium"])
        let (one, two) = (try await world.image(1), try await world.image(2))
        try await world.publish("article", "A", ["feeds": FeedWorld.list(feed), "image": FeedWorld.shows(one)])
        try await world.publish("article", "B", ["feeds": FeedWorld.list(feed), "image": FeedWorld.shows(one)])
        try await world.publish(
            "video", "C",
            [
                "feeds": FeedWorld.list(feed), "image": FeedWorld.shows(two), "poster": FeedWorld.shows(two),
            ])
        let manifest = try #require(try await world.row("offline_manifest", feed, key: "feed_id"))
        #expect(try manifest("file_count") as Int == 4)
        #expect(try manifest("bytes") as Int == 1001 + 1002 + 2001 + 2002)
        #expect(try manifest("requires") as String == "premium")
        let document: JSONValue = try manifest("document")
        #expect(document["excluded_streams"] == .int(1))
        #expect(document["version"]?.stringValue?.utf8.count == 64)
        let files = try await world.test.reader.query("select * from api_v1.offline_file order by bytes")
        #expect(try files.map { try $0("bytes") as Int } == [1001, 1002, 2001, 2002])
        #expect(
            try files.allSatisfy { try $0("requires") as String == "premium" && $0("mime") as String == "image/jpeg" })
        let row = try #require(files.first)
        let file: JSONValue = try row("document")
        #expect(
            Set(file.objectValue?.keys.map { $0 } ?? []) == [
                "image", "path", "mime", "bytes", "sha256", "width", "height",
            ])
        #expect(try await world.differences() == 0)
    }

    @Test("A30: the version changes exactly when a file is added, removed or changed, and is restored with it")
    func version() async throws {
        let world = try await FeedWorld.make()
        let feed = try await world.publish("feed", "Harbours")
        let empty = try await world.version(of: feed)
        let (one, two) = (try await world.image(1), try await world.image(2))
        let a = try await world.publish("article", "A", ["feeds": FeedWorld.list(feed), "image": FeedWorld.shows(one)])
        let first = try await world.version(of: feed)
        #expect(first != empty)
        // The same file in another place, another title, another description: no file is another.
        let b = try await world.publish("article", "B", ["feeds": FeedWorld.list(feed), "image": FeedWorld.shows(one)])
        try await world.edit(a, ["title": "A2"])
        try await world.edit(feed, ["title": "Ports", "tier": "premium"])
        #expect(try await world.version(of: feed) == first)
        let here = try await world.test.database.publications.current()

        try await world.edit(b, ["image": FeedWorld.shows(two)])
        let both = try await world.version(of: feed)
        #expect(both != first)
        try await world.edit(a, ["image": .null])
        let second = try await world.version(of: feed)
        #expect(second != first && second != both)
        try await world.unpublish(b)
        #expect(try await world.version(of: feed) == empty)
        #expect(try await world.files(of: feed).isEmpty)
        #expect(try await world.differences() == 0)

        try await world.rollBack(to: here)
        #expect(try await world.version(of: feed) == first)
        #expect(try await world.differences() == 0)
    }

    @Test("A30: a moved item's files move along; an unpublished feed has no manifest until it is published again")
    func moves() async throws {
        let world = try await FeedWorld.make()
        let (from, to) = (try await world.publish("feed", "From"), try await world.publish("feed", "To"))
        let image = try await world.image(3)
        let item = try await world.publish(
            "article", "A", ["feeds": FeedWorld.list(from), "image": FeedWorld.shows(image)])
        let (files, version) = (try await world.files(of: from), try await world.version(of: from))
        #expect(files.count == 2)
        #expect(try await world.row("feed", from).map { try $0("offline") as Bool } == true)
        try await world.edit(item, ["feeds": FeedWorld.list(to)])
        #expect(try await world.files(of: from).isEmpty)
        #expect(try await world.files(of: to) == files)
        #expect(try await world.version(of: to) == version)
        #expect(try await world.row("feed", from).map { try $0("offline") as Bool } == false)
        try await world.unpublish(to)
        #expect(try await world.files(of: to).isEmpty)
        #expect(try await world.version(of: to) == nil)
        try await world.edit(to, ["title": "To again"])
        #expect(try await world.files(of: to) == files)
        #expect(try await world.version(of: to) == version)
        #expect(try await world.differences() == 0)
    }

    @Test("A40: nothing is published with a lost file, and no manifest lists one that was lost later")
    func lost() async throws {
        let world = try await FeedWorld.make()
        let image = try await world.image(4)
        let feed = try await world.publish("feed", "Harbours")
        let fields = ["feeds": FeedWorld.list(feed), "image": FeedWorld.shows(image)]
        try await world.publish("article", "A", fields)
        try await world.unpublish(feed)
        try await world.test.database.transaction(by: FeedWorld.actor, AuditEvent("media.verify", on: "media")) {
            transaction in
            _ = try await transaction.media.setState(image, .missing)
        }
        let refused = await #expect(throws: Failure.self) { try await world.edit(feed, ["title": "Again"]) }
        #expect(
            refused
                == .refused(
                    code: "media_file", message: "The image \"p4.jpg\" of this feed is missing from media storage."))
        await #expect(throws: Failure.self) { try await world.publish("article", "B", fields) }
        #expect(try await world.row("feed", feed) == nil)
    }

    @Test("A39: guests can't read a manifest, and no guest row contains the URL of one or of a file")
    func access() async throws {
        let world = try await FeedWorld.make()
        let feed = try await world.publish("feed", "Harbours", ["tier": "premium", "featured": .int(1)])
        let image = try await world.image(5)
        try await world.publish("article", "A", ["feeds": FeedWorld.list(feed), "image": FeedWorld.shows(image)])
        for table in ["offline_manifest", "offline_file"] {
            await #expect(throws: PostgresError.self) {
                _ = try await world.test.guest.query("select * from api_v1.\(raw: table)")
            }
        }
        for table in ["feed", "feed_full", "discover"] {
            let rows = try await world.test.reader.query("select document::text as text from api_v1.\(raw: table)")
            let texts: [String] = try rows.map { try $0("text") }
            #expect(texts.count == 1 && !texts[0].contains("sha256") && !texts[0].contains("version"))
        }
        let wrong: [SQL] = [
            "update api_v1.offline_manifest set requires = 'free'", "update api_v1.offline_manifest set version = 'x'",
            "update api_v1.offline_file set path = 'https://elsewhere.example/a.jpg'",
            "update api_v1.offline_file set bytes = 0", "update api_v1.offline_file set sha256 = ''",
            "update api_v1.offline_file set requires = 'free'",
        ]
        for statement in wrong {
            await #expect(throws: PostgresError.self) { _ = try await world.test.client.query(statement) }
        }
    }

    @Test("A wrong count of images is found by verify and fixed by repair")
    func rebuild() async throws {
        let world = try await FeedWorld.make()
        let feed = try await world.publish("feed", "Harbours")
        let image = try await world.image(6)
        try await world.publish("article", "A", ["feeds": FeedWorld.list(feed), "image": FeedWorld.shows(image)])
        let version = try await world.version(of: feed)
        _ = try await world.test.client.query("delete from curation.media_count where field = 'feeds'")
        _ = try await world.test.client.query("update curation.media_total set files = files + 1")
        let tables = Set(try await world.test.database.publications.verify().map(\.table))
        #expect(tables == ["media_count", "media_total", "offline_file", "offline_manifest"])
        try await world.test.repair()
        #expect(try await world.differences() == 0)
        #expect(try await world.version(of: feed) == version)
    }

    @Test("A32, A37: the id of a video survives edits, another feed, unpublishing, rollback and repair")
    func videoIDs() async throws {
        let world = try await FeedWorld.make()
        let (from, to) = (try await world.publish("feed", "From"), try await world.publish("feed", "To"))
        let id = try await world.publish("video", "A film", ["feeds": FeedWorld.list(from)])
        let here = try await world.test.database.publications.current()
        func shown() async throws -> [String] {
            try await world.test.reader.query(
                "select v.id, v.title from api_v1.video v join api_v1.item i on i.id = v.id"
            )
            .map { "\(try $0("id") as ID<Entry>) \(try $0("title") as String)" }
        }
        #expect(try await shown() == ["\(id) A film"])
        try await world.edit(id, ["title": "Another title", "hls_url": "https://films.example/b.m3u8"])
        #expect(try await shown() == ["\(id) Another title"])
        try await world.edit(id, ["feeds": FeedWorld.list(to)])
        #expect(try await world.titles(of: from).isEmpty)
        #expect(try await world.titles(of: to) == ["Another title"])
        try await world.unpublish(id)
        #expect(try await shown().isEmpty)
        try await world.edit(id, ["title": "Back again"])
        #expect(try await shown() == ["\(id) Back again"])
        try await world.rollBack(to: here)
        #expect(try await shown() == ["\(id) A film"])
        let owner = world.test.superuser()
        for table in ["video", "item", "item_full"] { _ = try await owner.query("delete from api_v1.\(raw: table)") }
        try await world.test.repair()
        #expect(try await shown() == ["\(id) A film"])
        #expect(try await world.titles(of: from) == ["A film"])
    }
}
