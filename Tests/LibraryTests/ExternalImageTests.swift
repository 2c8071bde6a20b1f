// Tests that external images of approved content come into the media library, and that publications never wait for them.
import Domain
import Fetch
import FoundationEssentials
import HTTP
import Lists
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("External images", .databases)
struct ExternalImageTests {
    private static let actor = TestDatabase.administrator
    private static let category: JSONValue = "00000000-0000-7000-8000-000000000013"

    /// A database, a server of images, and the background work.
    private struct World {
        let test: TestDatabase
        let server: ImageServer
        let base: String
        let fetch: FetchExternalImages

        func publish(
            _ title: String, _ fields: [String: JSONValue], type: String = "article", at timing: PublishTiming = .now
        ) async throws -> ID<Entry> {
            var all: [String: JSONValue] = ["title": .string(title), "body": "<p>b</p>"]
            if type == "article" { all["categories"] = .array([ExternalImageTests.category]) }
            if type == "feed" { all = ["title": .string(title), "tier": "premium"] }
            return try await test.write.create(
                type: type, fields: all.merging(fields) { $1 }, publishTiming: timing, by: ExternalImageTests.actor
            ).entry
        }

        /// The fields of an item as members see it.
        func shown(_ id: ID<Entry>) async throws -> JSONValue {
            try await test.reader.one("select document ->> 'fields' as f from api_v1.item_full where id = \(id)")("f")
        }

        func manifest(_ feed: ID<Entry>) async throws -> JSONValue {
            try await test.reader.one(
                "select document as d from api_v1.offline_manifest where feed_id = \(feed)")("d")
        }

        func images(_ state: String? = nil) async throws -> [ExternalImageRow] {
            try await test.database.externalImages.page(state: state, cursor: nil, limit: 100).items
        }
    }

    private func withWorld(
        excludedHosts: [String] = [], excludedSources: Set<String> = [], budget: Int = 1 << 30,
        isReachable: Bool = true, _ body: (World) async throws -> Void
    ) async throws {
        let test = try await TestDatabase.make()
        let server = ImageServer()
        let port = try server.start()
        let rules = try ExternalImageRules(
            Settings.Media.Fetch(
                excludedHosts: excludedHosts,
                allowPrivate: isReachable ? ["127.0.0.1:\(port)", "localhost:\(port)"] : []),
            excludedSources: excludedSources)
        let library = MediaLibrary(
            processor: test.library.processor, files: test.library.files, baseURL: test.library.baseURL,
            fetchBudgetBytes: budget)
        let fetch = FetchExternalImages(
            database: test.database, library: library, rules: rules, content: test.rules,
            client: FetchClient(policy: rules.policy, threads: 2), log: Logger(level: .error))
        do {
            try await body(World(test: test, server: server, base: "http://127.0.0.1:\(port)", fetch: fetch))
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    private func external(_ url: String, alt: String? = nil) -> JSONValue {
        var members: [String: JSONValue] = ["url": .string(url)]
        members["alt"] = alt.map(JSONValue.string)
        return .object(members)
    }

    @Test("A30, A41: images of a published item are fetched; until then the manifest excludes them")
    func fetched() async throws {
        try await withWorld { world in
            world.server.serve("/one.png", Samples.png(width: 400, height: 300, grey: 1))
            let feed = try await world.publish("Harbors", [:], type: "feed")
            let feeds: JSONValue = .array([.string(feed.description)])
            let body = "<p>b<img src=\"\(world.base)/one.png\" alt=\"in the text\"></p>"
            let item = try await world.publish("Dusk", ["feeds": feeds, "body": .string(body)])
            #expect(try await world.manifest(feed)["excluded_images"] == .int(1))
            #expect(try await world.manifest(feed)["files"] == .int(0))
            let empty = try await world.manifest(feed)["version"]
            #expect(try await world.images("waiting").map(\.title) == ["Dusk"])
            #expect(try await world.test.database.publications.verify().isEmpty)
            let before: JSONValue = try await world.test.reader.one(
                "select document as d from api_v1.item where id = \(item)")("d")

            #expect(try await world.fetch() == 1)
            let shown = try #require(try await world.shown(item)["body"]?.stringValue)
            #expect(!shown.contains("127.0.0.1") && shown.contains(#" alt="in the text">"#))
            let media = try #require(
                try await world.test.database.media.page(MediaFilter(), cursor: nil, limit: 2).items.first)
            #expect(media.alt == "Dusk" && media.name == "one.png" && media.isLive)
            #expect(shown.contains("<img src=\"\(try #require(media.files.last?.path))\""))
            let manifest = try await world.manifest(feed)
            #expect(manifest["excluded_images"] == .int(0) && manifest["files"] == .int(2))
            #expect(manifest["version"] != empty)
            // Neither date of the item changes: it is the same content.
            let after: JSONValue = try await world.test.reader.one(
                "select document as d from api_v1.item where id = \(item)")("d")
            #expect(after["published_at"] == before["published_at"] && after["updated_at"] == before["updated_at"])
            let newest = try #require(try await world.test.database.revisions.newest(of: item))
            #expect(newest.number == 2 && newest.isApproved && newest.author != "operator")
            #expect(try await world.fetch() == 0)
            // The next item with the image shows the library's at once, and nothing is fetched again.
            let next = try await world.publish("Dawn", ["body": .string(body)])
            #expect(try await world.shown(next)["body"]?.stringValue == shown)
            let url = "https://elsewhere.example/one.png"
            try await world.test.writeUnchecked(
                "insert into ops.external_image (url, state, media_id) values (\(url), 'stored', \(media.id))")
            let field = try await world.publish("Noon", ["image": external(url, alt: "its own")])
            #expect(try await world.shown(field)["image"]?["alt"] == "its own")
            #expect(try await world.shown(field)["image"]?["path"]?.stringValue == media.files.last?.path)
            #expect(world.server.requests == ["/one.png"])
            #expect(try await world.test.database.publications.verify().isEmpty)
        }
    }

    @Test("An image that fields of several entries show has the alternative text of each, and none in the library")
    func shared() async throws {
        try await withWorld { world in
            world.server.serve("/logo.png", Samples.png(width: 400, height: 300))
            _ = try await world.publish(
                "Text", ["body": .string("<p>b<img src=\"\(world.base)/logo.png\" alt=\"\"></p>")])
            #expect(try await world.fetch() == 1)
            let media = try #require(
                try await world.test.database.media.page(MediaFilter(), cursor: nil, limit: 2).items.first)
            let url = "https://elsewhere.example/logo.png"
            func alt() async throws -> String? { try await world.images().first { $0.url == url }?.alt }
            _ = try await world.publish("Dusk", ["image": external(url)])
            #expect(try await alt() == "Dusk")
            _ = try await world.publish("Dawn", ["image": external(url)])
            #expect(try await alt() == "")
            try await world.test.writeUnchecked(
                "update ops.external_image set state = 'stored', media_id = \(media.id) where url = \(url)")
            for (title, own, shown) in [("Late", nil, "Late"), ("Noon", "A logo", "A logo")]
                as [(String, String?, String)]
            {
                let entry = try await world.publish(title, ["image": external(url, alt: own)])
                let image = try await world.shown(entry)["image"]
                #expect(image?["alt"]?.stringValue == shown && image?["media"] != nil, "\(title)")
            }
            #expect(try await world.test.database.publications.verify().isEmpty)
        }
    }

    @Test("A30: a busy server is asked again later, for none of its images before")
    func busy() async throws {
        try await withWorld { world in
            world.server.serve("/busy.png") { Response.status(503) }
            let busy: JSONValue = .string("<p><img src=\"\(world.base)/busy.png\" alt=\"\">b</p>")
            _ = try await world.publish("Dusk", ["body": busy])
            #expect(try await world.fetch() == 1)
            let image = try #require(try await world.images("waiting").first)
            #expect(image.lastError == "The server returned status 503." && image.attempts == 1)
            let other: JSONValue = .string("<p><img src=\"\(world.base)/other.png\" alt=\"\">b</p>")
            _ = try await world.publish("Dawn", ["body": other])
            try await world.test.database.externalImages.postponeHost(of: image.id, seconds: 60)
            #expect(try await world.fetch() == 0 && world.server.requests == ["/busy.png"])
            // The last attempt fails for good.
            try await world.test.client.execute(
                "update ops.external_image set attempts = 4, next_at = now() where id = \(image.id)")
            #expect(try await world.fetch() == 1)
            #expect(try await world.test.database.externalImages.find(image.id)?.state == "failed")
        }
    }

    @Test("A30, S34: failures are recorded with a reason, and a redirect is followed")
    func failures() async throws {
        try await withWorld { world in
            world.server.serve("/page", Array("<!doctype html><p>not an image".utf8), type: "image/png")
            world.server.serve("/large.png", [UInt8](repeating: 0, count: (10 << 20) + 1))
            world.server.serve("/moved.png") { Response.redirect(302, to: "/new.png") }
            world.server.serve("/away.png") { Response.status(302).with("Location", "http://10.0.0.1/secret.png") }
            world.server.serve("/new.png", Samples.png(width: 40, height: 30))
            for path in ["/\u{E9}.png", "/%c3%a9.png"] { world.server.serve(path, Samples.png(width: 42, height: 30)) }
            let names = ["\u{E9}.png", "page", "large.png", "moved.png", "away.png", "none.png"]
            let body = names.map { "<img src=\"\(world.base)/\($0)\" alt=\"\">" }.joined()
            let item = try await world.publish("Dusk", ["body": .string("<p>b\(body)</p>")])
            #expect(try await world.fetch() == 6)
            let found = Dictionary(
                uniqueKeysWithValues: try await world.images().map {
                    ($0.url.split(separator: "/").last.map(String.init) ?? "", $0)
                })
            #expect(found["\u{E9}.png"]?.state == "stored")
            #expect(found["moved.png"]?.state == "stored" && found["moved.png"]?.lastError == nil)
            #expect(
                found["none.png"]?.state == "failed"
                    && found["none.png"]?.lastError == "The server returned status 404.")
            #expect(
                found["page"]?.state == "failed" && found["page"]?.lastError?.contains("not a supported image") == true)
            #expect(
                found["large.png"]?.state == "failed"
                    && found["large.png"]?.lastError?.contains("larger than 10485760") == true)
            #expect(
                found["away.png"]?.state == "failed"
                    && found["away.png"]?.lastError?.contains("isn't a public internet address") == true)
            // What could be stored is shown; the others stay as they are.
            let shown = try #require(try await world.shown(item)["body"]?.stringValue)
            #expect(!shown.contains("moved.png") && shown.contains("large.png") && shown.contains("none.png"))
            // Nothing is due until its time; a retry makes a failed one due.
            #expect(try await world.fetch() == 0)
            world.server.serve("/none.png", Samples.png(width: 41, height: 30))
            let failed = try #require(found["none.png"])
            let editor = try await world.test.actor(.editor)
            try await world.test.services.retryExternalImage(failed.id, by: editor)
            await #expect(throws: Failure.self) {
                try await world.test.services.retryExternalImage(failed.id, by: editor)
            }
            #expect(try await world.fetch() == 1)
            #expect(try await world.shown(item)["body"]?.stringValue?.contains("none.png") == false)
            #expect(try await world.test.database.publications.verify().isEmpty)
        }
    }

    @Test("S33: an internal server is never asked")
    func unreachable() async throws {
        try await withWorld(isReachable: false) { world in
            _ = try await world.publish("Dusk", ["body": .string("<p><img src=\"\(world.base)/a.png\" alt=\"\">b</p>")])
            #expect(try await world.fetch() == 1)
            #expect(try await world.images("failed").count == 1 && world.server.requests.isEmpty)
        }
    }

    @Test("A41: images stay external if their host is excluded, the budget is used up, or nothing is approved")
    func excluded() async throws {
        try await withWorld(excludedHosts: ["0.0.1"], budget: 0) { world in
            _ = try await world.publish("Dusk", ["body": .string("<p><img src=\"\(world.base)/a.png\" alt=\"\">b</p>")])
            #expect(try await world.fetch() == 0 && world.server.requests.isEmpty)
            #expect(try await world.images("waiting").count == 1)
        }
        try await withWorld(excludedHosts: ["0.0.1"]) { world in
            let body: JSONValue = .string("<p><img src=\"\(world.base)/a.png\" alt=\"\">b</p>")
            _ = try await world.publish("Draft", ["body": body], at: .draft)
            #expect(try await world.images().isEmpty)
            #expect(try await world.fetch() == 0)
            _ = try await world.publish("Dusk", ["body": body], at: .approveOnly)
            #expect(try await world.fetch() == 1 && world.server.requests.isEmpty)
            #expect(try await world.images("external").map(\.lastError) == ["media.fetch_except excludes 0.0.1."])
        }
    }

    @Test("A41: an excluded host is not asked, however the URL and the setting write it, nor after a redirect")
    func excludedSpellings() async throws {
        let rules = try ExternalImageRules(
            Settings.Media.Fetch(excludedHosts: ["Images.example.", "b\u{FC}cher.example", "xn--caf-dma.example"]))
        for (url, isExcluded) in [
            ("https://images.example/a.png", true), ("http://a.Images.example:80/", true),
            ("https://images.example./a.png", true), ("https://%69mages.example/a.png", true),
            ("https://b%C3%BCcher.example/a.png", true), ("https://xn--bcher-kva.example/a.png", true),
            ("https://caf%C3%A9.example/a.png", true),
            ("https://other-images.example/", false), ("https://images.example.org/", false),
        ] {
            let target = try FetchTarget(url, policy: rules.policy)
            #expect((rules.reason(against: target) != nil) == isExcluded, "\(url)")
        }
        try await withWorld(excludedHosts: ["localhost"]) { world in
            let there = world.base.replacing("127.0.0.1", with: "localhost") + "/new.png"
            world.server.serve("/moved.png") { Response(status: 302).with("Location", there) }
            world.server.serve("/new.png", Samples.png(width: 40, height: 30))
            let body: JSONValue = .string("<p><img src=\"\(world.base)/moved.png\" alt=\"\">b</p>")
            _ = try await world.publish("Dusk", ["body": body])
            #expect(try await world.fetch() == 1 && world.server.requests.count == 1)
            #expect(try await world.images("external").map(\.lastError) == ["media.fetch_except excludes localhost."])
        }
    }

    @Test("A41: a newer draft is not overtaken; it shows the stored image when it is saved")
    func drafts() async throws {
        try await withWorld { world in
            world.server.serve("/a.png", Samples.png(width: 40, height: 30))
            let body: JSONValue = .string("<p><img src=\"\(world.base)/a.png\" alt=\"\">b</p>")
            let item = try await world.publish("Dusk", ["body": body])
            let write = world.test.write
            var fields = try #require(try await world.test.database.revisions.newest(of: item)).content.fields
            fields["title"] = "Dawn"
            _ = try await write.edit(item, fields: fields, base: 1, publishTiming: .approveOnly, by: Self.actor)
            #expect(try await world.fetch() == 1)
            #expect(try await world.shown(item)["body"] == body)
            // It was saved before the image was stored: published, it is updated in turn.
            _ = try await world.test.services.publishRelease.waiting(by: Self.actor)
            #expect(try await world.shown(item)["body"] == body)
            #expect(try await world.fetch() == 0)
            #expect(try await world.shown(item)["body"]?.stringValue?.contains(world.base) == false)
            #expect(try await world.shown(item)["title"] == "Dawn")
            // The image is in use: it can't be deleted.
            let media = try #require(
                try await world.test.database.media.page(MediaFilter(), cursor: nil, limit: 2).items.first)
            await #expect(throws: Failure.self) {
                try await world.test.services.deleteMedia(media.id, by: Self.actor)
            }
        }
    }

    @Test("A41: an image that 2,115 entries show takes few publications, and everything else of them stays the same")
    func shownByMany() async throws {
        try await withWorld { world in
            let test = world.test
            world.server.serve("/one.png", Samples.png(width: 400, height: 300))
            let type = try #require(test.rules.types["article"])
            var drafts: [ImportedDraft] = []
            for number in 1...2115 {
                let checked = try await test.rules.checked(
                    [
                        "title": .string("Harbor \(number)"), "categories": .array([Self.category]),
                        "body": .string("<p>b<img src=\"\(world.base)/one.png\" alt=\"Harbor \(number) at dusk\"></p>"),
                    ], as: type, for: .revision)
                drafts.append(
                    ImportedDraft(
                        entry: ID(UUIDv7.make()), revision: ID(UUIDv7.make()), base: 0, content: checked.content,
                        texts: checked.texts, isApproved: true))
            }
            let imported = drafts
            _ = try await test.database.transaction(by: Self.actor, AuditEvent("entry.import", on: "entry")) {
                transaction in
                try await transaction.write(imported, type: type, source: nil, note: "imported")
                return try await transaction.publications.publish(
                    .listed(imported.map { LiveChange(entry: $0.entry, revision: $0.revision) }), note: "imported",
                    by: Self.actor)
            }
            let times: SQL =
                "select md5(string_agg(document ->> 'updated_at', ' ' order by id)) as d from api_v1.item"
            let before: String = try await test.reader.one(times)("d")

            #expect(try await world.fetch() == 1)
            let numbers = try await test.client.one(
                """
                select count(*)::integer as publications, (
                    select count(*)::integer from curation.live l join curation.media_use u on u.revision_id = l.revision_id
                    where u.external_id is not null) as external, (
                    select count(*)::integer from ops.audit_event where action = 'entry.update') as events
                from curation.publication where note like 'External images%'
                """)
            #expect(try numbers("external") as Int == 0)
            #expect(try numbers("events") as Int == 2115)
            // At least 50 entries each, also on a slow machine.
            let publications: Int = try numbers("publications")
            #expect(publications > 0 && publications <= 43)
            let after: String = try await test.reader.one(times)("d")
            #expect(after == before)
            let last = try #require(imported.last)
            let body = try await world.shown(last.entry)["body"]?.stringValue ?? ""
            #expect(body.contains("alt=\"Harbor 2115 at dusk\"") && !body.contains(world.base))
            #expect(try await test.isVerified())
        }
    }

    @Test(
        "A41: the image of a listed catalog item is fetched unless its source forbids it, and is part of its row",
        .packs(.lists))
    func catalogs() async throws {
        try await withWorld(excludedSources: ["yelp"]) { world in
            world.server.serve("/poster.png", Samples.png(width: 400, height: 600))
            let client = world.test.client
            let ids: [ID<CatalogItem>] = try await client.transaction { transaction in
                try await transaction.execute(
                    """
                    insert into ops.audit_event (actor_id, action, object_type)
                    values ('00000000-0000-7000-8000-000000000001', 'catalog.update', 'catalog')
                    """)
                let details: [JSONValue] = [
                    .object(["title": "Heat", "poster": .string("\(world.base)/poster.png")]),
                    .object(["title": "Ronin", "poster": "/relative.png"]),
                ]
                let row = try await transaction.one(
                    """
                    select curation.record_catalog('movie', 'tmdb', array['1', '2'], array['Heat', 'Ronin'],
                        \(details)::jsonb[], true, '00000000-0000-7000-8000-000000000001') as ids
                    """)
                let yelp: [JSONValue] = [.object(["title": "Café", "image": .string("\(world.base)/cafe.png")])]
                let other = try await transaction.one(
                    """
                    select curation.record_catalog('restaurant', 'yelp', array['3'], array['Café'],
                        \(yelp)::jsonb[], true, '00000000-0000-7000-8000-000000000001') as ids
                    """)
                let (movies, restaurants): ([ID<CatalogItem>], [ID<CatalogItem>]) = (try row("ids"), try other("ids"))
                return movies + restaurants
            }
            #expect(try await world.images().isEmpty)
            _ = try await world.test.database.transaction(
                by: Self.actor, AuditEvent("catalog.relist", on: "catalog")
            ) { try await $0.catalogs.setListed(ids, true, by: Self.actor) }
            #expect(try await world.images("waiting").count == 2)
            #expect(try await world.fetch() == 2)
            #expect(world.server.requests == ["/poster.png"])
            #expect(try await world.images("external").map(\.source) == ["yelp"])
            let row: JSONValue = try await world.test.reader.one(
                "select document as d from api_v1.catalog_item where id = \(ids[0])")("d")
            #expect(row["image"]?["alt"] == "Heat" && row["image"]?["width"] == .int(400))
            #expect(row["image"]?["renditions"]?.arrayValue?.count == 2)
            let none: JSONValue = try await world.test.reader.one(
                "select document as d from api_v1.catalog_item where id = \(ids[1])")("d")
            #expect(none["image"] == .null)
            #expect(try await world.test.database.publications.verify().isEmpty)
            let media = try #require(
                try await world.test.database.media.page(MediaFilter(), cursor: nil, limit: 2).items.first)
            await #expect(throws: Failure.self) {
                try await world.test.services.deleteMedia(media.id, by: Self.actor)
            }
        }
    }
}
