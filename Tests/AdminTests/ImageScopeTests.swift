// Tests that an account with an access scope neither chooses nor changes images outside of it, whatever the interface.
import Domain
import Operations
import Store
import TestSupport
import Testing

@Suite("Images and access scopes", .databases)
struct ImageScopeTests {
    private static let scope = AccessScope(types: ["article"], groups: [])

    /// A site with an account that works on articles only.
    private struct Site {
        let fixture: AdminFixture
        let actor: Actor

        init() async throws {
            fixture = try await AdminFixture.make()
            _ = try await fixture.test.actor(.administrator, name: "Unrestricted")
            let signedIn = try await fixture.test.actor(.editor, name: "Restricted", from: "192.0.2.7")
            let account = try #require(
                try await fixture.test.database.accounts.list().first { $0.id.uuid == signedIn.id })
            try await fixture.test.services.manageAccount.setScope(
                account, ImageScopeTests.scope, by: TestDatabase.administrator)
            actor = Actor(
                kind: .account, id: signedIn.id, name: signedIn.name, role: signedIn.role, scope: ImageScopeTests.scope,
                credential: signedIn.credential)
        }

        var database: Database { fixture.test.database }

        /// An image with a file of its own.
        func image(_ name: String, by actor: Actor = TestDatabase.administrator) async throws -> MediaRow {
            try await fixture.test.services.ingestImage(
                SmallImage.bytes + Array(name.utf8), name: "\(name).png", alt: "The \(name)", by: actor
            ).media
        }

        /// Saves a draft of an article with this image, by the account.
        @discardableResult
        func choose(_ image: MediaRow) async throws -> ID<Entry> {
            try await fixture.publish(
                "article", "With an image", ["image": shown(image)], publishTiming: .draft, by: actor)
        }

        func shown(_ image: MediaRow) -> JSONValue { .object(["media": .string(image.id.description)]) }
    }

    @Test("S15: an image that only entries outside the access scope use can't be chosen, in a field or by its path")
    func outside() async throws {
        let site = try await Site()
        let image = try await site.image("harbor")
        try await site.fixture.publish("video", "A film", ["image": site.shown(image)], publishTiming: .draft)
        let path = try #require(image.files.last?.path)
        let body: JSONValue = .string("<p>x<img src=\"/media/\(path)\" alt=\"\"></p>")
        // By the database alone, and on pages.
        for scope in [AccessScope.all, Self.scope] {
            await #expect(throws: Failure.unknownImage(at: "/fields/image/media")) {
                try await AccessScope.$current.withValue(scope) { _ = try await site.choose(image) }
            }
            await #expect(throws: Failure.unknownImage(at: "/fields/body")) {
                try await AccessScope.$current.withValue(scope) {
                    _ = try await site.fixture.publish(
                        "article", "By its path", ["body": body], publishTiming: .draft, by: site.actor)
                }
            }
        }
        let articles = try await site.fixture.test.client.query("select from curation.entry where type = 'article'")
        #expect(articles.isEmpty)
        // Others may.
        try await site.fixture.publish("article", "By others", ["image": site.shown(image)], publishTiming: .draft)
    }

    @Test("S15: the page of a form refuses an image outside the access scope at its field, and shows nothing of it")
    func form() async throws {
        let site = try await Site()
        let image = try await site.image("harbor")
        try await site.fixture.publish("video", "A film", ["image": site.shown(image)], publishTiming: .draft)
        let article = try await site.fixture.article("Ours", .draft)
        let (browser, form) = (site.fixture.browser(of: site.actor), "/entries/\(article)/revisions")
        let texts = ["", "", "", "", image.id.description].map { ("field.image", $0) }
        let page = try await browser.fill(try await browser.get(form), form, texts + [("action", "draft")])
        #expect(page.status == 422 && page.says("There is no such image in the media library."))
        #expect(!page.holds("harbor"))
        for file in image.files { #expect(!page.holds(file.path)) }
        #expect(try await site.database.revisions.newest(of: article)?.number == 1)
    }

    @Test("S15: an image that is unused, published, or also used in the access scope can be chosen")
    func inside() async throws {
        let site = try await Site()
        let own = try await site.image("own", by: site.actor)
        let unused = try await site.image("unused")
        let shared = try await site.image("shared")
        let published = try await site.image("published")
        for (image, timing) in [(shared, .draft), (published, .now)] as [(MediaRow, PublishTiming)] {
            try await site.fixture.publish("video", "A film", ["image": site.shown(image)], publishTiming: timing)
        }
        try await site.fixture.publish("article", "Ours", ["image": site.shown(shared)], publishTiming: .draft)
        for image in [own, unused, shared, published] {
            try await AccessScope.$current.withValue(Self.scope) { _ = try await site.choose(image) }
            // By the database alone, a second time.
            try await site.choose(image)
        }
    }

    @Test("S15: lists of submissions show no image outside the access scope, though a submission may name it")
    func thumbnails() async throws {
        let site = try await Site()
        let (outside, unused) = (try await site.image("harbor"), try await site.image("unused"))
        try await site.fixture.publish("video", "A film", ["image": site.shown(outside)], publishTiming: .draft)
        let naming = try await site.fixture.submit("Of others", fields: ["image": site.shown(outside)])
        let own = try await site.fixture.submit("Own", fields: ["image": site.shown(unused)])
        func illustrated(_ scope: AccessScope) async throws -> Set<ID<Submission>> {
            try await AccessScope.$current.withValue(scope) {
                Set(try await site.database.thumbnails.of(submissions: [naming, own]).keys)
            }
        }
        #expect(try await illustrated(.all) == [naming, own])
        #expect(try await illustrated(Self.scope) == [own])
        let queue = try await site.fixture.browser(of: site.actor).visit("/queue")
        #expect(queue.says("Of others") && queue.says("Own"))
        #expect(queue.html.split(separator: "class=\"row-thumbnail\" src=\"/media/").count == 2)
        // In the scope once an entry in it uses the image.
        try await site.fixture.publish("article", "Ours", ["image": site.shown(outside)], publishTiming: .draft)
        #expect(try await illustrated(Self.scope) == [naming, own])
    }

    @Test("S15: an image of an account that only others use by now is outside; nobody vouches for their own choice")
    func own() async throws {
        let site = try await Site()
        let image = try await site.image("own", by: site.actor)
        try await site.fixture.publish("video", "A film", ["image": site.shown(image)], publishTiming: .draft)
        await #expect(throws: Failure.unknownImage(at: "/fields/image/media")) { try await site.choose(image) }
        let contents = (0..<2).map { _ in
            Content(fields: [
                "title": "Twice", "body": "<p>x</p>", "categories": .entries([SeedEntry.unsorted]),
                "image": site.shown(image),
            ])
        }
        let type = try site.fixture.test.rules.type(named: "article")
        await #expect(throws: Failure.unknownImage(at: "/fields/image/media")) {
            try await site.database.transaction(by: site.actor, AuditEvent("entry.create", on: "entry")) {
                transaction in
                for content in contents {
                    _ = try await transaction.write(EntryDraft(type: type, content: content, texts: DerivedTexts()))
                }
            }
        }
    }

    @Test("S15: the database refuses changes of images outside the access scope, also without the checks of operations")
    func changes() async throws {
        let site = try await Site()
        let (outside, inside) = (try await site.image("outside"), try await site.image("inside"))
        try await site.fixture.publish("video", "A film", ["image": site.shown(outside)], publishTiming: .draft)
        func describe(_ image: MediaRow) async throws {
            try await site.database.transaction(by: site.actor, AuditEvent("media.update", on: "media")) {
                transaction in
                _ = try await transaction.media.update(image.id, alt: "Changed", focus: image.focus, tags: ["new"])
            }
        }
        try await describe(inside)
        let failure = await #expect(throws: Failure.self) { try await describe(outside) }
        guard case .forbidden(let message) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(message == "This media is outside the access scope of this account.")
        #expect(try await site.database.media.find(outside.id)?.alt == "The outside")
        #expect(try await site.database.media.find(inside.id)?.alt == "Changed")
    }

    @Test("S15: uploading the file of an image outside the access scope shows nothing of it")
    func upload() async throws {
        let site = try await Site()
        let image = try await site.image("harbor")
        #expect(try await site.image("harbor", by: site.actor).id == image.id)
        try await site.fixture.publish("video", "A film", ["image": site.shown(image)], publishTiming: .draft)
        let failure = await #expect(throws: Failure.self) { _ = try await site.image("harbor", by: site.actor) }
        guard case .invalid(let errors) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(errors.items.map(\.pointer) == ["/file"] && errors.items.map(\.code) == ["already_stored"])
        #expect(!errors.items.contains { $0.message.contains("harbor") })
    }
}
