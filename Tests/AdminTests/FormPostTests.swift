// Tests that a form that creates something is carried out once, however often its page sends it.
@testable import Admin
import Domain
import FoundationEssentials
import HTTP
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
        var url: String
        var input: [(String, String)] = []
        var action: String
    }

    /// A form of each endpoint that creates, by its pattern.
    private func forms(_ site: AdminFixture) async throws -> [String: Form] {
        let entry = try await site.article("Ten cafés")
        try await site.edit(entry, ["title": "Eleven cafés"], by: TestDatabase.administrator)
        let submission = try await site.submit("Films")
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
        // Of administrators, some with a secret in the response.
        try await add(to: &forms, site)
        return forms
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

    /// Their forms have choices or files, or need a mail server; the same gate carries them out.
    private static let others: Set = [
        "/accounts/{id}/invite", "/bulk-actions", "/entries/{id}/restore", "/media", "/media/{id}/replace", "/import",
    ]

    @Test("Every form that creates is carried out once when it is sent several times at once and again later")
    func everyForm() async throws {
        let site = try await AdminFixture.make()
        let forms = try await forms(site)
        let creating = AdminSite.endpoints(TestDatabase.packs).filter { $0.flags.contains(.creates) }.map(\.pattern)
        #expect(Set(creating).subtracting(Self.others) == Set(forms.keys))
        for (pattern, form) in forms.sorted(by: { $0.key < $1.key }) {
            let visit = try await site.browser(.administrator, name: "Al \(pattern.filter(\.isLetter))")
            let shown = try await visit.get(form.page)
            let names = Set(form.input.map(\.0))
            let fields = shown.form(to: form.url).filter { !names.contains($0.0) } + form.input
            #expect(fields.contains { $0.0 == "once" }, "\(pattern): \(shown.status)")
            let before = try await count(form.action, site)
            let cookies = visit.cookies
            var pages = try await withThrowingTaskGroup(of: BrowserPage.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let tab = site.stranger
                        tab.cookies = cookies
                        return try await tab.send("POST", form.url, fields)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            pages.append(try await visit.send("POST", form.url, fields))
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
        let site = try await AdminFixture.make()
        let visit = try await site.browser(.administrator)
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
        let site = try await AdminFixture.make()
        let visit = try await site.browser(.administrator)
        let page = try await visit.get("/releases").form(to: "/releases").filter { $0.0 != "title" }
        let wrong = page + [("title", "")]
        for _ in 0..<2 { #expect(try await visit.send("POST", "/releases", wrong).status == 422) }
        #expect(try await visit.send("POST", "/releases", page + [("title", "May")]).status == 303)
        #expect(try await count("release.create", site) == 1)
    }

    @Test("At another daemon, too, a form is carried out once, and leads to the same")
    func otherDaemon() async throws {
        let site = try await AdminFixture.make()
        let visit = try await site.browser(.administrator)
        let fields =
            try await visit.get("/releases").form(to: "/releases").filter { $0.0 != "title" } + [("title", "May")]
        let created = try await visit.send("POST", "/releases", fields)
        // Another process has no responses of this one.
        let other = try await AdminFixture.make(on: site.test).stranger
        other.cookies = visit.cookies
        let repeated = try await other.send("POST", "/releases", fields)
        #expect(repeated.status == 303 && repeated.location == created.location)
        #expect(try await other.follow(repeated).says("You sent this form twice. It was carried out once."))
        #expect(try await count("release.create", site) == 1)
    }

    @Test("A number belongs to its account, and a row without a response leads nowhere")
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
