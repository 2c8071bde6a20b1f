// Tests the account pages: permissions, invitations, disabling with reassignment, sessions, passwords.
import Domain
import Operations
import Platform
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Account pages", .databases)
struct AccountPagesTests {
    private static let least: [String: Role] = [
        "GET /accounts": .administrator, "POST /accounts": .administrator, "GET /accounts/{id}": .administrator,
        "POST /accounts/{id}/invite": .administrator, "POST /accounts/{id}/link": .administrator,
        "POST /accounts/{id}/role": .administrator, "POST /accounts/{id}/disable": .administrator,
        "POST /accounts/{id}/enable": .administrator, "POST /accounts/{id}/sessions/{session}/revoke": .administrator,
        "POST /accounts/{id}/second-factor/remove": .administrator, "POST /accounts/{id}/scope": .administrator,
        "GET /roles": .administrator, "POST /roles": .administrator, "GET /roles/{name}": .administrator,
        "POST /roles/{name}": .administrator, "GET /roles/{name}/delete": .administrator,
        "POST /roles/{name}/delete": .administrator,
        "GET /account/password": .curator, "POST /account/password": .curator,
        "GET /account/second-factor": .curator, "POST /account/second-factor": .curator,
        "POST /account/second-factor/verify": .curator, "POST /account/second-factor/codes/rotate": .curator,
        "POST /account/second-factor/delete": .curator,
        "GET /account": .curator, "POST /account": .curator, "POST /account/sessions/{session}/revoke": .curator,
        "GET /audit": .administrator, "GET /audit/export": .administrator, "GET /audit/integrity": .administrator,
        "GET /audit/events/{id}": .administrator,
        "GET /clients": .administrator, "POST /clients": .administrator, "GET /clients/{id}": .administrator,
        "POST /clients/{id}/limit": .administrator, "POST /clients/{id}/rotate": .administrator,
        "POST /clients/{id}/old-secret/revoke": .administrator, "POST /clients/{id}/revoke": .administrator,
    ]

    private static var endpoints: [AdminEndpoint] {
        AdminSite.endpoints(below: ["account", "accounts", "audit", "clients", "roles"])
    }

    @Test("S15: every endpoint of accounts has a row, and only the pages of links are open to anyone")
    func rows() {
        #expect(Set(Self.endpoints.map { "\($0.method) \($0.pattern)" }) == Set(Self.least.keys))
        let links = AdminSite.endpoints(below: ["password", "welcome"])
        #expect(links.count == 6 && links.allSatisfy { if case .anyone = $0.access { true } else { false } })
    }

    @Test("S15: a role below the least one is refused, and so is a visitor without a session", arguments: Role.presets)
    func matrix(role: Role) async throws {
        let (site, visit) = try await AdminFixture.visited(by: role)
        let stranger = try await site.browser(nil)
        let id = UUIDv7.make().uuidString.lowercased()
        for endpoint in Self.endpoints {
            let name = "\(endpoint.method) \(endpoint.pattern)"
            let path = endpoint.pattern.split(separator: "/").map { $0.hasPrefix("{") ? id : String($0) }.joined(
                separator: "/")
            let page = endpoint.method == "GET" ? try await visit.get("/" + path) : try await visit.post("/" + path, [])
            if !role.includes(Self.least[name, default: .administrator]) {
                #expect(page.status == 403, "\(name)")
            } else {
                #expect(page.status != 403 && page.status < 500, "\(name)")
            }
            let nobody = try await stranger.get("/" + path)
            #expect(nobody.status == 303 || nobody.status == 405, "\(name)")
        }
    }

    private func invite(_ site: AdminFixture, _ email: String = "ann@example.org") async throws -> ID<Account> {
        try await site.test.services.invitePerson(
            email: email, name: "Ann", role: .editor, locale: "en", by: TestDatabase.administrator)
    }

    @Test(
        "B60: the page invites a person; invalid input is kept; an email address in use is refused at its field"
    )
    func inviting() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let page = try await visit.get("/accounts")
        #expect(page.holds("Mail isn't configured"))
        let wrong = try await visit.fill(page, "/accounts", [("email", "ann"), ("name", ""), ("locale", "elvish!")])
        #expect(wrong.status == 422)
        #expect(wrong.holds(#"value="ann""#) && wrong.holds(#"value="elvish!""#))
        #expect(wrong.holds("Enter a name.") && wrong.holds("Enter a language") && wrong.holds("name@example.org"))
        let fields = [("email", "Ann@Example.org"), ("name", "Ann"), ("role", "editor"), ("locale", "en")]
        let created = try await visit.follow(try await visit.fill(page, "/accounts", fields))
        #expect(created.holds("The invitation is queued until mail is configured."))
        let again = try await visit.fill(try await visit.get("/accounts"), "/accounts", fields)
        #expect(again.status == 422 && again.holds("An account with this email address already exists."))
        #expect(try await site.test.database.backgroundTasks.page(kind: .mail, state: nil, limit: 9).items.count == 1)
    }

    @Test("B60: without a published text the page says which one to publish, and keeps what was typed")
    func unpublished() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let id: ID<Entry> = try await site.test.client.one(
            "select id from api_v1.text where key = 'mail.invitation'")("id")
        _ = try await site.unpublish(id)
        let page = try await visit.get("/accounts")
        let refused = try await visit.fill(
            page, "/accounts", [("email", "ann@example.org"), ("name", "Ann"), ("role", "editor")])
        #expect(refused.status == 422 && refused.holds("publish the texts mail.invitation"))
        #expect(refused.holds(#"value="ann@example.org""#))
        #expect(try await site.test.database.accounts.find(email: "ann@example.org") == nil)
    }

    @Test(
        "B60, B19: without mail the administrator sees the link once; the person accepts it, shows the password, and is in"
    )
    func accepting() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let id = try await invite(site)
        let shown = try await visit.post("/accounts/\(id)/link", [])
        #expect(shown.status == 200)
        let start = try #require(shown.html.ranges(of: "/welcome/").first)
        let path = "/welcome/" + shown.html[start.upperBound...].prefix(43)
        let browser = site.stranger
        var form = try await browser.visit(path).form("Set password and continue")
        try form.fill("name", "Ann B.")
        try form.fill("password", "nine velvet otters sing")
        let open = try await browser.press("Show password", in: form)
        #expect(open.status == 200 && open.holds(#"type="text" autocomplete="new-password""#))
        #expect(try open.form("Hide password").value("password") == "nine velvet otters sing")
        let inside = try await browser.press("Set password and continue", on: open)
        #expect(inside.url == "/" && inside.says("Welcome, Ann B."))
        #expect(try await site.stranger.visit(path).says("was already used"))
        #expect(try await visit.post("/accounts/\(id)/link", []).status == 422, "an accepted invitation gets no link")
    }

    @Test("With mail configured no page shows a link: only the owner of the email address receives it")
    func noLink() async throws {
        let fixture = try await AdminFixture.make(settings: [
            "VITRINE_MAIL_URL": "smtps://mail.example.org:465", "VITRINE_MAIL_FROM": "no-reply@example.org",
        ])
        let site = fixture
        let visit = try await site.browser(.administrator)
        let id = try await invite(site)
        #expect(!(try await visit.get("/accounts")).holds("Mail isn't configured"))
        #expect(!(try await visit.get("/accounts/\(id)")).holds("Create invitation link"))
        let refused = try await visit.post("/accounts/\(id)/link", [])
        #expect(refused.status == 422 && refused.holds("Resend the invitation instead"))
    }

    @Test("B19: the sign-in page shows the typed password on demand, without scripts, and signs nobody in by that")
    func showing() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.account("ann@example.org")
        let browser = fixture.stranger
        var form = try await browser.visit("/login?next=/feeds").form("Sign in")
        try form.fill("username", "ann@example.org")
        try form.fill("password", "wrong so far")
        let open = try await browser.press("Show password", in: form)
        #expect(open.status == 200 && open.holds(#"type="text" autocomplete="current-password""#))
        var shown = try open.form("Sign in")
        #expect(shown.value("username") == "ann@example.org" && shown.value("password") == "wrong so far")
        try shown.fill("password", AdminFixture.password)
        #expect(try await browser.press("Sign in", in: shown).url == "/feeds")
        // Enter presses the first button, which must be the one that signs in.
        #expect(form.controls.first { $0.kind == .button }?.label == "Sign in")
    }

    @Test("B21: known and unknown email addresses get the same page; the twenty-first request has to wait")
    func forgotten() async throws {
        let fixture = try await AdminFixture.make(settings: [
            "VITRINE_MAIL_URL": "smtps://mail.example.org:465", "VITRINE_MAIL_FROM": "no-reply@example.org",
        ])
        _ = try await fixture.account("ann@example.org")
        var pages: [[String]] = []
        for email in ["ann@example.org", "nobody@example.org"] {
            var texts: [String] = []
            for number in 1...11 {
                let browser = fixture.stranger
                let page = try await browser.press(
                    "Send reset link", on: browser.visit("/password"), filling: ["email": email])
                let isAllowed = email.hasPrefix("ann") || number <= 9
                #expect(page.status == (isAllowed ? 200 : 429))
                if isAllowed { texts.append(page.text.replacing(email, with: "…")) }
            }
            pages.append(texts)
        }
        #expect(Array(pages[0].prefix(9)) == pages[1])
        #expect(Set(pages[0]).count == 1 && pages[0][0].contains("is on its way"))
    }

    @Test("B21: without mail no form asks for an email address, and none that is sent all the same is promised a mail")
    func forgottenWithoutMail() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.account("ann@example.org")
        let browser = fixture.stranger
        let page = try await browser.visit("/password")
        #expect(page.status == 200 && page.says("Mail isn't configured") && page.forms.isEmpty)
        let csrf = try #require(try await browser.visit("/login").form("Sign in").value("csrf"))
        let sent = try await browser.post("/password", [("csrf", csrf), ("email", "ann@example.org")])
        #expect(sent.status == 409 && sent.says("Mail isn't configured") && !sent.says("is on its way"))
    }

    @Test("Disabling signs out at once and reassigns claims; enabling allows signing in again")
    func disabling() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let ann = try await site.account("ann@example.org")
        let ben = try await site.account("ben@example.org")
        let session = try await site.test.services.signIn(
            email: "ann@example.org", password: AdminFixture.password, remoteAddress: "192.0.2.1", userAgent: "test"
        )
        guard case .signedIn(let signedIn) = session else { throw Failure.missing("session") }
        let claimed = [try await site.submit("One"), try await site.submit("Two")]
        for id in claimed {
            _ = try await site.test.database.transaction(
                by: TestDatabase.administrator, AuditEvent("queue.claim", on: "submission")
            ) {
                try await $0.queue.claim(id, by: ann, minutes: 10)
            }
        }
        let page = try await visit.get("/accounts/\(ann)")
        #expect(page.holds("test"), "the session is listed")
        #expect(try await visit.post("/accounts/\(ann)/disable", [("assignee", ann.description)]).status == 422)
        #expect(try await visit.post("/accounts/\(ann)/disable", [("assignee", ben.description)]).status == 303)
        #expect(try await site.test.database.sessions.find(tokenHash: signedIn.token.hash, idleMinutes: 30) == nil)
        let held: [String] = try await site.test.client.query("select claimed_by::text as id from curation.queue_item")
            .map {
                try $0("id")
            }
        #expect(held == [ben.description, ben.description])
        #expect(try await visit.post("/accounts/\(ben)/disable", [("assignee", "")]).status == 303)
        let free: Int = try await site.test.client.one(
            "select count(*) as n from curation.queue_item where claimed_by is null and claimed_until is null")("n")
        #expect(free == 2)
        #expect(try await visit.get("/accounts?state=disabled").holds("ann@example.org"))
        #expect(try await visit.post("/accounts/\(ann)/enable", []).status == 303)
        #expect(try await site.test.database.accounts.find(ann)?.isDisabled == false)
    }

    @Test("Nobody can disable their own account or the last administrator; the page says why")
    func lastOne() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let own = try #require(try await site.test.database.accounts.list(may: .administer).first)
        let refused = try await visit.post("/accounts/\(own.id)/disable", [])
        #expect(refused.status == 422 && refused.holds("your own account"))
        let demoted = try await visit.post("/accounts/\(own.id)/role", [("role", "curator")])
        #expect(demoted.status == 422 && demoted.holds("last active administrator"))
    }

    @Test("S14: everyone sees and revokes their own sessions, and nobody else's")
    func sessions() async throws {
        let site = try await AdminFixture.make()
        let ann = try await site.account("ann@example.org")
        let visit = try await site.browser(.curator, name: "Cleo")
        let own = try await visit.get("/account")
        #expect(own.holds("Current session") && own.html.contains(/<td [^>]*title="test"[^>]*>test<\/td>/))
        try await site.test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("session.create", on: "session")
        ) {
            try await $0.sessions.add(
                tokenHash: Token.make().hash, account: ann, csrf: Token.make().text, remoteAddress: "", userAgent: "",
                hours: 1)
        }
        let theirs = try #require(
            try await site.test.database.sessions.list(of: ann, idleMinutes: 30).first)
        #expect(try await visit.post("/account/sessions/\(theirs.id)/revoke", []).status == 404)
        #expect(try await site.test.database.sessions.list(of: ann, idleMinutes: 30).count == 1)
        let administrator = try await site.browser(.administrator)
        #expect(try await administrator.post("/accounts/\(ann)/sessions/\(theirs.id)/revoke", []).status == 303)
        #expect(try await site.test.database.sessions.list(of: ann, idleMinutes: 30).isEmpty)
    }

    @Test("An account without a password is offered to set one, and one with a password to change it")
    func ownPassword() async throws {
        let site = try await AdminFixture.make()
        let visit = try await site.browser(.curator)
        let without = try await visit.visit("/account")
        #expect(try without.link("Set password") == "/account/password" && !without.says("Change password"))
        let page = try await visit.visit("/account/password")
        #expect(page.hasButton("Set password") && !page.says("Current password"))
        _ = try await site.account("ann@example.org")
        let browser = site.stranger
        _ = try await browser.signIn("ann@example.org", on: browser.visit("/login"))
        let with = try await browser.visit("/account")
        #expect(try with.link("Change password") == "/account/password" && !with.says("Set password"))
    }

    @Test(
        "Sessions name browser and system in words; what isn't known is shown as it was sent, cut",
        arguments: [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"),
            ("Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0", "Edge on Windows"),
            ("Mozilla/5.0 (Linux; Android 10; K) Chrome/142.0.0.0 Mobile Safari/537.36", "Chrome on Android"),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.6 Safari/605.1.15", "Safari on macOS"),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) CriOS/142.0 Safari/604.1", "Chrome on iOS"),
            ("curl/8.14.1", "curl"), ("test", "test"), ("", "Unknown browser"),
            (String(repeating: "x", count: 60), String(repeating: "x", count: 60)),
            (String(repeating: "x", count: 61), String(repeating: "x", count: 60) + "…"),
        ])
    func browserNames(_ userAgent: String, _ shown: String) {
        #expect(BrowserName.shown(userAgent) == shown)
    }

    @Test("R33: the list of accounts is paged by name and contains each account once")
    func paged() async throws {
        let site = try await AdminFixture.make()
        for number in 1...7 { _ = try await site.test.actor(.curator, name: "person \(number % 3)") }
        var seen: [ID<Account>] = []
        var cursor: String?
        repeat {
            let page = try await site.test.database.accounts.page(state: nil, cursor: cursor, limit: 2)
            seen += page.items.map(\.account.id)
            cursor = page.next
        } while cursor != nil
        #expect(seen.count == 7 && Set(seen).count == 7)
    }
}
