// Tests submission forms: their settings in the admin, and what people send with them.
@testable import Admin
@testable import Operations
import Domain
import FoundationEssentials
import HTTP
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Submission forms", .databases)
struct SubmitPagesTests {
    private struct World {
        let fixture: AdminFixture
        let form: FormRow

        /// A form that is on, for articles.
        static func make(
            settings: [String: String] = [:], _ change: (inout FormDefinition) -> Void = { _ in }
        ) async throws -> World {
            let fixture = try await AdminFixture.make(settings: settings)
            var definition = FormDefinition(name: "stories", type: "article", title: "Your stories")
            definition.isOn = true
            change(&definition)
            _ = try await fixture.test.services.manageSubmissionForm.create(
                definition, by: TestDatabase.administrator)
            return World(
                fixture: fixture, form: try #require(try await fixture.test.database.submissionForms.find("stories")))
        }

        /// The number of a page that was opened some seconds ago.
        func pass(seconds: Double = 60) throws -> String {
            FormPass(form.id, key: try #require(AdminFixture.statusKey), openedAt: Date(timeIntervalSinceNow: -seconds))
                .text
        }

        func input(_ changed: [String: String] = [:]) throws -> [(String, String)] {
            var fields = [
                "csrf": try pass(), "website": "", "contributor": "Carl", "contributor_email": "",
                "field.title": "Ten cafés", "field.body": "<p>By the harbor.</p>",
            ]
            fields.merge(changed) { $1 }
            return fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }

        func send(_ changed: [String: String] = [:], uploads: [Upload] = []) async throws -> BrowserPage {
            try await fixture.stranger.send(
                "POST", "/submit/stories", try input(changed), headers: ["Sec-Fetch-Site": "cross-site"],
                uploads: uploads)
        }

        func submissions() async throws -> [SubmissionRow] {
            let ids = try await fixture.test.client.query("select id from curation.submission order by id")
            return try await fixture.test.database.submissions.find(
                try ids.map { ID<Submission>(try $0("id") as UUID) })
        }
    }

    @Test("A15: a form is received like a request of the API: stored, queued, audited, with a private link")
    func submission() async throws {
        let world = try await World.make { $0.category = "Food" }
        let page = try await world.fixture.stranger.visit("/submit/stories")
        #expect(page.status == 200 && page.says("Your stories") && page.says("Summary"))
        #expect(!page.says("Feeds") && !page.says("Slug") && !page.says("Media library"))
        let form = try page.form("Submit")
        #expect(form.value("field.title") == "" && form.value("csrf")?.utf8.count == 43)

        let sent = try await world.send(["contributor_email": "carl@example.org"])
        #expect(sent.status == 201 && sent.says("We received your submission") && sent.says("What happens next"))
        let submission = try #require(try await world.submissions().first)
        #expect(submission.title == "Ten cafés" && submission.contributor == "Carl")
        #expect(submission.source == "form" && submission.clientName == "Your stories")
        #expect(submission.requestedCategory == "Food" && submission.state == .pending)
        let key = try #require(AdminFixture.statusKey)
        let link = "/s/" + key.text(for: submission.id.bytes, edition: 1)
        #expect(sent.html.contains(link))
        #expect(try await world.fixture.stranger.visit(link).says("Ten cafés"))
        let event = try await world.fixture.test.client.query(
            "select action from ops.audit_event where actor_id = \(world.form.id.uuid) order by id")
        #expect(try event.map { try $0("action") as String } == ["submission.create", "status_link.create"])
        let mail = try await world.fixture.test.client.query(
            "select recipient, key, body from ops.outbox_message where key is not null")
        #expect(try mail.map { try $0("recipient") as String } == ["carl@example.org"])
        #expect(try mail.allSatisfy { !(try $0("body") as String).contains("Ten") }, "nothing that a stranger wrote")
        #expect(try await world.fixture.browser(.curator).visit("/queue/\(submission.id)").says("Source: Your stories"))
    }

    @Test("It sets and reads no cookie; its frame-ancestors are its own, those of the admin are none")
    func headers() async throws {
        let world = try await World.make { $0.origins = ["https://www.example.org", "https://other.example"] }
        let staff = try await world.fixture.browser(.administrator)
        let visitor = world.fixture.stranger
        for page in [try await staff.get("/submit/stories"), try await visitor.get("/submit/stories")] {
            let policy = page.headers["Content-Security-Policy"] ?? ""
            #expect(policy.contains("frame-ancestors https://www.example.org https://other.example;"), "\(policy)")
            #expect(page.headers["Set-Cookie"] == nil && page.headers["Cache-Control"] == "private, no-store")
            #expect(page.headers["X-Robots-Tag"] == "noindex, nofollow" && !page.html.contains("<nav"))
        }
        #expect(visitor.cookies.isEmpty)
        for url in ["/submit/unknown", "/login", "/s/x"] {
            let policy = try await visitor.get(url).headers["Content-Security-Policy"] ?? ""
            #expect(policy.contains("frame-ancestors 'none'"), "\(url): \(policy)")
        }
        let alone = try await World.make()
        let policy = try await alone.fixture.stranger.get("/submit/stories").headers["Content-Security-Policy"] ?? ""
        #expect(policy.contains("frame-ancestors 'none'"))
    }

    @Test("A form that is off, deleted or unknown is the same page; the database accepts nothing for it")
    func off() async throws {
        let world = try await World.make()
        let manage = world.fixture.test.services.manageSubmissionForm
        func text(_ url: String) async throws -> String {
            let page = try await world.fixture.stranger.get(url)
            return "\(page.status) \(page.text)".replacing(/Request ID.*/.dotMatchesNewlines(), with: "")
        }
        let unknown = try await text("/submit/unknown")
        #expect(unknown.hasPrefix("404") && unknown.contains("This submission form is closed"))
        #expect(try await text("/submit/Bad%20name") == unknown)
        let pass = try world.pass()
        var definition = world.form.definition
        definition.isOn = false
        _ = try await manage.update("stories", definition, by: TestDatabase.administrator)
        #expect(try await text("/submit/stories") == unknown)
        #expect(try await world.send(["csrf": pass]).status == 404)
        let actor = Actor(kind: .form, id: world.form.id.uuid, name: "x")
        await #expect(throws: Failure.self) {
            try await world.fixture.submit("Past the page", by: actor)
        }
        try await manage.delete("stories", by: TestDatabase.administrator)
        #expect(try await text("/submit/stories") == unknown)
        #expect(try await world.submissions().isEmpty)
    }

    @Test("Errors are shown at the fields, all at once, and nothing typed is lost")
    func errors() async throws {
        let world = try await World.make { $0.requiresEmail = true }
        let page = try await world.send([
            "contributor": " ", "field.title": "", "field.summary": "Kept <summary>", "field.url": "nowhere",
        ])
        #expect(page.status == 422 && page.says("Enter your name.") && page.says("Enter your email address."))
        #expect(page.says("Title is required."))
        let form = try page.form("Submit")
        #expect(form.value("field.summary") == "Kept <summary>" && form.value("field.url") == "nowhere")
        #expect(form.value("field.body") == "<p>By the harbor.</p>")
        let second = try await world.send(["contributor_email": "no address"])
        #expect(second.status == 422 && second.says("Enter an email address"))
        #expect(try await world.submissions().isEmpty)
        // Unknown fields and those of the team are not set.
        let more = try await world.send([
            "contributor_email": "a@example.org", "field.slug": "mine", "field.tier": "free", "field.nothing": "x",
        ])
        #expect(more.status == 201)
        let stored = try #require(try await world.submissions().first)
        #expect(Set(stored.fields.keys) == ["title", "body"])
    }

    @Test("Without a script, a text is shown as readers see it; nothing is sent")
    func preview() async throws {
        let world = try await World.make()
        let typed = try world.input(["field.body": "A *pier* <script>x</script>", "field.title": "", "csrf": ""])
        let page = try await world.fixture.stranger.send(
            "POST", "/submit/stories", typed + [("field.body", "markdown"), ("preview", "field.body")])
        #expect(page.status == 200 && page.html.contains("<p>A <em>pier</em> x</p>") && !page.says("is required"))
        #expect(page.html.contains("autofocus aria-label=\"Preview: Text\""))
        #expect(try page.form("Submit").value("field.body") == "A *pier* <script>x</script>")
        #expect(try await world.submissions().isEmpty)
    }

    @Test("S47: forged, old, too fast and trapped pages are refused with the text; a page is sent once")
    func spam() async throws {
        let world = try await World.make()
        let other = FormPass(ID(UUIDv7.make()), key: try #require(AdminFixture.statusKey)).text
        let forged = try world.pass()
        let wrong = String(forged.dropLast()) + (forged.hasSuffix("A") ? "B" : "A")
        for (pass, says) in [
            ("", "open for too long"), (wrong, "open for too long"), (other, "open for too long"),
            (try world.pass(seconds: 24 * 3600 + 1), "open for too long"), (try world.pass(seconds: 1), "very fast"),
        ] {
            let page = try await world.send(["csrf": pass])
            #expect(page.status == 422 && page.says(says), "\(pass)")
            #expect(try page.form("Submit").value("field.title") == "Ten cafés")
        }
        let trapped = try await world.send(["website": "https://spam.example"])
        #expect(trapped.status == 422 && trapped.says("Leave the field"))
        #expect(try await world.submissions().isEmpty)

        let pass = try world.pass(seconds: 24 * 3600 - 60)
        let first = try await world.send(["csrf": pass])
        #expect(first.status == 201)
        #expect(try await world.send(["csrf": pass]).status == 201, "the same once more, such as by a reload")
        #expect(try await world.submissions().count == 1)
        let changed = try await world.send(["csrf": pass, "field.title": "Eleven"])
        #expect(changed.status == 422)
        let form = try changed.form("Submit")
        #expect(form.value("field.title") == "Eleven" && form.value("csrf") != pass)
        #expect(try await world.submissions().count == 1)
    }

    @Test("S47: a network sends a limited number; the refusal keeps the text and says when to try again")
    func limit() async throws {
        let world = try await World.make(settings: ["VITRINE_INTAKE_FORMS_PER_NETWORK": "2"])
        for number in 1...2 { #expect(try await world.send(["field.title": "Number \(number)"]).status == 201) }
        let page = try await world.send(["field.title": "Number 3"])
        #expect(page.status == 429 && page.says("Too many attempts.") && page.headers["Retry-After"] != nil)
        #expect(try page.form("Submit").value("field.title") == "Number 3")
        #expect(try await world.submissions().count == 2)
    }

    @Test("An image goes through the library's pipeline, survives errors, and can be removed")
    func image() async throws {
        let world = try await World.make()
        let upload = Upload(
            name: "upload.image", filename: "x.png", contentType: "image/png", bytes: SmallImage.bytes)
        let wrong = try await world.send(["field.title": ""], uploads: [upload])
        #expect(wrong.status == 422)
        let form = try wrong.form("Submit")
        let texts = try form.fields(pressing: nil).filter { $0.0 == "field.image" }.map(\.1)
        #expect(texts.count == 5 && ID<Media>(texts[4]) != nil && wrong.html.contains("src=\"/media/"))
        let fields = try form.fields(pressing: nil).filter { !["csrf", "field.title", "contributor"].contains($0.0) }
        let all = fields + [("csrf", try world.pass()), ("field.title", "With image"), ("contributor", "Carl")]
        let sent = try await world.fixture.stranger.send("POST", "/submit/stories", all)
        #expect(sent.status == 201)
        #expect(try await world.submissions().first?.fields["image"]?["media"]?.stringValue == texts[4])
        let removed = try await world.fixture.stranger.send(
            "POST", "/submit/stories",
            all.filter { $0.0 != "csrf" } + [("csrf", try world.pass()), ("remove.image", "1")])
        #expect(removed.status == 201)
        #expect(try await world.submissions().last?.fields["image"] == nil)
        let bad = Upload(name: "upload.image", filename: "x.png", contentType: "image/png", bytes: Array("x".utf8))
        let refused = try await world.send(uploads: [bad])
        #expect(refused.status == 422)
        #expect(try refused.form("Submit").value("field.title") == "Ten cafés")
        #expect(try await world.submissions().count == 2)
    }

    @Test("A name from a form has no record: a stranger can't borrow the trust of a contributor")
    func trust() async throws {
        let world = try await World.make()
        _ = try await world.send()
        let subjects = try await world.fixture.test.database.similarities.unscreened(limit: 10)
        #expect(subjects.count == 1 && subjects.first?.contributor == nil)
    }

    @Test("The requested category of a form is chosen from a list; a name that is none stays")
    func category() async throws {
        let world = try await World.make { $0.category = "Food" }
        _ = try await world.fixture.category("Walks")
        let admin = try await world.fixture.browser(.administrator)
        let url = "/submission-forms/stories"
        let page = try await admin.visit(url)
        #expect(page.holds("<option value=\"Food\" selected>Food (not in the list)</option>"))
        #expect(page.holds("<option value=\"Walks\">Walks</option>"))
        #expect(try await admin.fill(page, url, [("category", "Walks")]).status == 303)
        #expect(try await world.fixture.test.database.submissionForms.find("stories")?.definition.category == "Walks")
        #expect(try await admin.visit(url).holds("<option value=\"Walks\" selected>Walks</option>"))
    }

    @Test("S15: administrators create, change, turn off and delete forms; errors keep what was typed")
    func settings() async throws {
        let fixture = try await AdminFixture.make()
        for role in [Role.curator, .publisher] {
            #expect(try await fixture.browser(role).visit("/submission-forms").status == 403)
        }
        let admin = try await fixture.browser(.administrator)
        var form = try await admin.visit("/submission-forms").form("Create submission form")
        try form.fill("title", "Your stories")
        try form.fill("name", "Stories!")
        let wrong = try await admin.press("Create submission form", in: form)
        #expect(wrong.status == 422 && wrong.says("Use lowercase letters"))
        #expect(try wrong.form("Create submission form").value("title") == "Your stories")
        try form.fill("name", "stories")
        let created = try await admin.press("Create submission form", in: form)
        #expect(created.says("Submission form created.") && created.says("Off"))
        #expect(try await fixture.stranger.visit("/submit/stories").status == 404, "off until it is turned on")
        let twice = try await admin.press(
            "Create submission form", on: admin.visit("/submission-forms"),
            filling: ["title": "Their stories", "name": "stories"])
        #expect(twice.status == 422 && twice.says("A submission form with this name already exists."))

        let url = "/submission-forms/stories"
        let typed = [
            ("title", "Tell us"), ("introduction", "Two lines"), ("locale", "en"), ("fields", "summary"),
            ("requires_name", "1"), ("origins", "https://www.example.org not-an-origin"), ("on", "1"),
        ]
        let refused = try await admin.fill(try await admin.visit(url), url, typed)
        #expect(refused.status == 422 && refused.says("not-an-origin isn't an origin"))
        #expect(try refused.form("Save submission form").value("title") == "Tell us")
        let saved = try await admin.fill(
            try await admin.visit(url), url,
            typed.filter { $0.0 != "origins" } + [("origins", "https://www.example.org")])
        #expect(saved.status == 303)
        let stored = try #require(try await fixture.test.database.submissionForms.find("stories")).definition
        #expect(stored.title == "Tell us" && stored.fields == ["title", "summary", "body"] && stored.isOn)
        #expect(stored.origins == ["https://www.example.org"] && !stored.allowsAnonymous && !stored.requiresEmail)
        #expect(try await admin.visit(url).says("iframe"))
        let page = try await fixture.stranger.visit("/submit/stories")
        #expect(page.says("Tell us") && page.says("Two lines") && !page.says("Author"))
        let gone = try await admin.press("Delete submission form", on: try await admin.visit(url + "/delete"))
        #expect(gone.says("deleted."))
        #expect(try await admin.visit(url).status == 404)
        let events = try await fixture.test.client.query(
            "select action from ops.audit_event where object_type = 'submission_form' order by id")
        #expect(
            try events.map { try $0("action") as String } == [
                "submission_form.create", "submission_form.update", "submission_form.delete",
            ])
    }
}
