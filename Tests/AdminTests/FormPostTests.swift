// Tests that a form that creates something is carried out once, however often it is submitted.
@testable import Admin
import Domain
import FoundationEssentials
import HTTP
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Forms that are sent twice", .databases)
struct FormPostTests {
    /// The page with the form, where it is sent, what is typed, and the audit event of what it creates.
    struct Form {
        var page: String
        /// What is sent to get a page that is itself the response to a form.
        var plan: [(String, String)]?
        var url: String
        var input: [(String, String)] = []
        var uploads: [Upload] = []
        var action: String
    }

    /// A form of each endpoint that creates, by its pattern.
    private func forms(_ site: AdminFixture) async throws -> [String: Form] {
        let entry = try await site.article("Ten cafés")
        try await site.edit(entry, ["title": "Eleven cafés"], by: TestDatabase.administrator)
        let submission = try await site.submit("Films")
        let contributor = try #require(try await site.test.database.reputations.find(of: submission)).id
        let group = SeedEntry.topicGroup.description
        let preview = [("title", "May"), ("local", "2099-05-01T10:00"), ("zone", "UTC"), ("days", "7")]
        var forms = [
            "/saved-views": Form(
                page: "/queue?type=article", url: "/saved-views?type=article", input: [("name", "Mine")],
                action: "saved_view.create"
            ),
            "/queue/{id}/notes": Form(
                page: "/queue/\(submission)", url: "/queue/\(submission)/notes", input: [("text", "Call them.")],
                action: "note.create"),
            "/entries": Form(
                page: "/entries/new?type=feed", url: "/entries",
                input: [("field.title", "Films"), ("field.tier", "free"), ("action", "draft")], action: "entry.create"),
            "/entries/{id}/revisions": Form(
                page: "/entries/\(entry)/revisions", url: "/entries/\(entry)/revisions",
                input: [("field.title", "Twelve cafés"), ("action", "draft")], action: "entry.update"),
            "/entries/{id}/notes": Form(
                page: "/entries/\(entry)", url: "/entries/\(entry)/notes", input: [("text", "Ask Ann.")],
                action: "note.create"),
            "/contributors/{id}/notes": Form(
                page: "/contributors/\(contributor)/notes", url: "/contributors/\(contributor)/notes",
                input: [("text", "Writes well.")], action: "note.create"),
            "/entries/{id}/release": Form(
                page: "/entries/\(entry)", url: "/entries/\(entry)/release",
                input: [("release", ""), ("action", "publish")],
                action: "release.create"),
            "/categories": Form(
                page: "/categories", url: "/categories", input: [("name", "Quays"), ("group", group)],
                action: "category.create"),
            "/releases": Form(page: "/releases", url: "/releases", input: [("title", "May")], action: "release.create"),
            "/previews": Form(page: "/previews", url: "/previews", input: preview, action: "preview.create"),
            "/screening": Form(
                page: "/screening", url: "/screening", input: [("note", "x")], action: "screening.create"),
            "/submission-forms": Form(
                page: "/submission-forms", url: "/submission-forms",
                input: [("name", "tips"), ("title", "Tips"), ("type", "article")], action: "submission_form.create"),
        ]
        try await addReleases(to: &forms, site)
        // Of administrators, some with a secret in the response.
        try await add(to: &forms, site)
        try await addFiles(to: &forms, site)
        return forms
    }

    private func addReleases(to forms: inout [String: Form], _ site: AdminFixture) async throws {
        let moved = try await site.article("Moved")
        let number = try await site.test.services.composeRelease.create(
            title: "April", items: [LiveChange(entry: moved, revision: nil)], by: TestDatabase.administrator)
        let page = "/releases/\(number)"
        forms["/releases/{number}/duplicate"] = Form(
            page: page, url: "\(page)/duplicate", input: [("copy_title", "June")], action: "release.duplicate")
        forms["/releases/{number}/move"] = Form(
            page: page, url: "\(page)/move", input: [("entry", moved.description), ("release", ""), ("title", "July")],
            action: "release.move")
    }

    private func add(to forms: inout [String: Form], _ site: AdminFixture) async throws {
        let visit = try await site.browser(.administrator)
        let webhook = [("url", "https://hooks.example.org/a"), ("events", "entry.published")]
        _ = try await visit.post("/webhooks", webhook)
        _ = try await visit.post("/clients", [("name", "portal"), ("scopes", "submit")])
        let invited = [("email", "ann@team.example"), ("name", "Ann"), ("role", "editor"), ("locale", "en")]
        _ = try await visit.post("/accounts", [("email", "new@team.example")] + invited.dropFirst())
        func id(_ query: SQL) async throws -> String {
            let id: UUID = try await site.test.client.one(query)("id")
            return id.uuidString.lowercased()
        }
        let (hook, client) = (
            try await id("select id from ops.webhook"),
            try await id("select id from delivery.client where name = 'portal'")
        )
        let new = try await id("select id from ops.account where email = 'new@team.example'")
        forms.merge([
            "/webhooks": Form(
                page: "/webhooks", url: "/webhooks",
                input: [("url", "https://hooks.example.org/b")] + webhook.dropFirst(),
                action: "webhook.create"),
            "/webhooks/{id}/rotate": Form(
                page: "/webhooks/\(hook)", url: "/webhooks/\(hook)/rotate",
                action: "webhook.rotate"),
            "/clients": Form(
                page: "/clients", url: "/clients", input: [("name", "app"), ("scopes", "submit")],
                action: "client.create"),
            "/clients/{id}/rotate": Form(
                page: "/clients/\(client)", url: "/clients/\(client)/rotate",
                input: [("hours", "1")], action: "client.rotate"),
            "/accounts": Form(page: "/accounts", url: "/accounts", input: invited, action: "account.invite"),
            "/accounts/{id}/link": Form(
                page: "/accounts/\(new)", url: "/accounts/\(new)/link",
                action: "invitation.create"),
            "/roles": Form(
                page: "/roles", url: "/roles",
                input: [("name", "helper"), ("label", "Helper"), ("permissions", "read_queue")], action: "role.create"),
        ]) { $1 }
    }

    /// With files, and an import that creates its category in a transaction of its own.
    private func addFiles(to forms: inout [String: Form], _ site: AdminFixture) async throws {
        func upload(_ end: String) -> Upload {
            // Bytes after the image make it a new one.
            let bytes = SmallImage.bytes + Array(end.utf8)
            return Upload(name: "file", filename: "pier.png", contentType: "image/png", bytes: bytes)
        }
        let image = try await site.test.services.ingestImage(
            SmallImage.bytes, name: "line.png", alt: "A gray line", by: TestDatabase.administrator
        ).media.id
        forms["/media"] = Form(
            page: "/media", url: "/media", input: [("alt", "A pier")], uploads: [upload("a")], action: "media.create")
        forms["/media/{id}/replace"] = Form(
            page: "/media/\(image)", url: "/media/\(image)/replace", uploads: [upload("b")], action: "media.replace")
        guard TestPack.places.isEnabled else { return }
        _ = try await site.create("city", ["title": "Hull", "center": .object(["lat": .int(53), "lon": .int(0)])])
        let plan = [
            ("type", "place"), ("source", "list"), ("city", "hull"), ("group", "topic"), ("after", "now"),
            ("image", "https://images.example/none.jpg"),
            ("text", "id,name,address,lat,lon,cuisine\n1,Bell,2 Quay,53.1,0,pizza\n"),
        ]
        forms["/import"] = Form(page: "/import/plan", plan: plan, url: "/import", action: "entry.import")
    }

    /// Their forms have choices, or need a mail server; the same gate carries them out.
    private static let others: Set = ["/accounts/{id}/invite", "/bulk-actions", "/entries/{id}/restore"]

    @Test("Every form that creates is carried out once when it is sent several times at once and again later")
    func everyForm() async throws {
        let site = try await AdminFixture.make()
        let forms = try await forms(site)
        let creating = AdminSite.endpoints(TestDatabase.packs).filter { $0.flags.contains(.creates) }.map(\.pattern)
        #expect(Set(creating).subtracting(Self.others) == Set(forms.keys))
        for (pattern, form) in forms.sorted(by: { $0.key < $1.key }) {
            let visit = try await site.browser(.administrator, name: "Al \(pattern.filter(\.isLetter))")
            let shown =
                if let plan = form.plan { try await visit.post(form.page, plan) } else {
                    try await visit.get(form.page)
                }
            let names = Set(form.input.map(\.0))
            let fields = shown.form(to: form.url).filter { !names.contains($0.0) } + form.input
            #expect(fields.contains { $0.0 == "once" }, "\(pattern): \(shown.status)")
            let before = try await count(form.action, site)
            let cookies = visit.cookies
            var pages = try await concurrently(0..<3) { _ in
                let tab = site.stranger
                tab.cookies = cookies
                return try await tab.send("POST", form.url, fields, uploads: form.uploads)
            }
            pages.append(try await visit.send("POST", form.url, fields, uploads: form.uploads))
            #expect(
                Set(pages.map(\.status)).isSubset(of: [200, 201, 303]),
                "\(pattern): \(pages.map(\.status)) \(pages[0].text)"
            )
            #expect(Set(pages.map { $0.location ?? "" }).count == 1, "\(pattern): all lead to the same")
            #expect(try await count(form.action, site) == before + 1, "\(pattern)")
        }
    }

    private func count(_ action: String, _ site: AdminFixture) async throws -> Int {
        try await site.test.client.one(
            "select count(*)::int as n from ops.audit_event where action = \(action)")("n")
    }

    @Test("A page with a secret is shown again with the same secret")
    func secret() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let fields =
            try await visit.get("/clients").form(to: "/clients").filter { $0.0 == "csrf" || $0.0 == "once" }
            + [("name", "app"), ("scopes", "submit")]
        let before = try await count("client.create", site)
        let pages = [
            try await visit.send("POST", "/clients", fields), try await visit.send("POST", "/clients", fields),
        ]
        #expect(pages.map(\.status) == [200, 200] && pages[0].html == pages[1].html)
        #expect(try await count("client.create", site) == before + 1)
    }

    @Test("A form that was refused is carried out when it is sent again")
    func refused() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let page = try await visit.get("/releases").form(to: "/releases").filter { $0.0 != "title" }
        let wrong = page + [("title", "")]
        for _ in 0..<2 { #expect(try await visit.send("POST", "/releases", wrong).status == 422) }
        #expect(try await visit.send("POST", "/releases", page + [("title", "May")]).status == 303)
        #expect(try await count("release.create", site) == 1)
    }

    @Test("At another daemon, too, a form is carried out once, and leads to the same")
    func otherDaemon() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let fields =
            try await visit.get("/releases").form(to: "/releases").filter { $0.0 != "title" } + [("title", "May")]
        let created = try await visit.send("POST", "/releases", fields)
        // Another process has no responses of this one.
        let other = try await AdminFixture.make(on: site.test).stranger
        other.cookies = visit.cookies
        let repeated = try await other.send("POST", "/releases", fields)
        #expect(repeated.status == 303 && repeated.location == created.location)
        #expect(try await other.follow(repeated).says("You submitted this form twice. It was saved once."))
        #expect(try await count("release.create", site) == 1)
    }

    @Test("Sent to two daemons at once, a form is carried out once, and both lead to what it created")
    func twoDaemons() async throws {
        let site = try await AdminFixture.make()
        let other = try await AdminFixture.make(on: try site.test.anotherDaemon())
        // Storing where the response led takes long, so that the other daemon asks before.
        try await site.test.client.run(
            script: """
                create function public.linger() returns trigger language plpgsql as
                $f$ begin perform pg_sleep(0.5); return new; end $f$;
                create trigger linger before update of url on ops.form_post
                for each row execute function public.linger();
                """)
        let visit = try await site.browser(.administrator)
        let cookies = visit.cookies
        let page = try await visit.get("/releases").form(to: "/releases").filter { $0.0 != "title" }
        for title in ["May", "June"] {
            let fields = page + [("title", title)]
            let pages = try await concurrently([site, other]) { daemon in
                let tab = daemon.stranger
                tab.cookies = cookies
                return try await tab.send("POST", "/releases", fields)
            }
            #expect(pages.map(\.status) == [303, 303], "\(pages.map(\.text))")
            #expect(Set(pages.map { $0.location ?? "" }).count == 1)
        }
        #expect(try await count("release.create", site) == 2)
    }

    @Test("At another daemon, a form whose response was a page is a conflict, after two seconds")
    func pageOfAnotherDaemon() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let other = try await AdminFixture.make(on: site.test).stranger
        let fields =
            try await visit.get("/clients").form(to: "/clients").filter { $0.0 == "csrf" || $0.0 == "once" }
            + [("name", "app"), ("scopes", "submit")]
        let before = try await count("client.create", site)
        #expect(try await visit.send("POST", "/clients", fields).status == 200)
        other.cookies = visit.cookies
        let start = ContinuousClock.now
        let refused = try await other.send("POST", "/clients", fields)
        #expect(refused.status == 409)
        #expect(refused.says("This form was already submitted. Reload the page to submit it again."))
        #expect(ContinuousClock.now - start > .milliseconds(1900))
        #expect(try await count("client.create", site) == before + 1)
    }

    @Test("A form token belongs to its account: the same form of another account creates another object")
    func accounts() async throws {
        let (site, ann) = try await AdminFixture.visited(by: .administrator, name: "Ann")
        let ben = try await site.browser(.administrator, name: "Ben")
        let token = try await ann.get("/releases").form(to: "/releases").filter { $0.0 == "once" }
        #expect(token.count == 1)
        var urls: [String?] = []
        for visit in [ann, ben, ann, ben] {
            let own = try await visit.get("/releases").form(to: "/releases").filter { $0.0 == "csrf" }
            let page = try await visit.send("POST", "/releases", own + token + [("title", "May")])
            #expect(page.status == 303)
            urls.append(page.location)
        }
        #expect(urls[0] != urls[1] && urls[2] == urls[0] && urls[3] == urls[1])
        #expect(try await count("release.create", site) == 2)
    }

    @Test("A form is known from its first transaction on to all but its own request, until two days have passed")
    func rows() async throws {
        let site = try await AdminFixture.make()
        let post = FormPost(key: [UInt8](repeating: 1, count: 32), requestID: "one")
        let event = AuditEvent("release.create", on: "release")
        func send(_ post: FormPost, fails: Bool = false) async throws {
            try await FormPost.$current.withValue(post) {
                try await site.test.database.transaction(by: TestDatabase.administrator, event) { _ in
                    if fails { throw Failure.missing("release") }
                }
            }
        }
        let other = FormPost(key: post.key, requestID: "two")
        await #expect(throws: Failure.self) { try await send(post, fails: true) }
        #expect(try await site.test.database.formPosts.find(other).isKnown == false)
        try await send(post)
        // A form may take several transactions.
        try await send(post)
        await #expect(throws: RepeatedFormPost.self) { try await send(other) }
        let posts = site.test.database.formPosts
        #expect(try await posts.find(post).isKnown == false)
        let known = try await posts.find(other)
        #expect(known.isKnown && known.url == nil)
        try await posts.finish(post, url: "/releases/1")
        #expect(try await posts.find(other).url == "/releases/1")
        try await posts.remove(other)
        #expect(try await posts.find(other).isKnown, "only its own request forgets it")
        try await site.test.superuser().execute("update ops.form_post set sent_at = now() - interval '3 days'")
        try await send(FormPost(key: [UInt8](repeating: 2, count: 32), requestID: "three"))
        try await send(other)
    }
}
