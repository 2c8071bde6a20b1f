// Tests the pages of people: who may see them, inviting, accepting, disabling with what was taken, sessions, passwords.
import Accounts
import Domain
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
        "GET /account/password": .curator, "POST /account/password": .curator,
        "GET /account/second-factor": .curator, "POST /account/second-factor": .curator,
        "POST /account/second-factor/confirm": .curator, "POST /account/second-factor/codes": .curator,
        "POST /account/second-factor/remove": .curator,
        "GET /account": .curator, "POST /account/sessions/{session}/revoke": .curator,
        "GET /audit": .administrator, "GET /audit/export": .administrator, "GET /audit/integrity": .administrator,
        "GET /audit/events/{id}": .administrator,
        "GET /clients": .administrator, "POST /clients": .administrator, "GET /clients/{id}": .administrator,
        "POST /clients/{id}/limit": .administrator, "POST /clients/{id}/rotate": .administrator,
        "POST /clients/{id}/old-secret/revoke": .administrator, "POST /clients/{id}/revoke": .administrator,
        "GET /mail": .administrator, "POST /mail/{id}/retry": .administrator,
    ]

    private static var routes: [AdminEndpoint] {
        AccountPages.routes + SessionPages.routes + ChangePasswordPages.routes + SecondFactorPages.routes
            + MailPages.routes + ClientPages.routes + AuditPages.routes
    }

    @Test("S15: every route of people and mail has its row, and only the pages of links are open to anyone")
    func rows() {
        #expect(Set(Self.routes.map { "\($0.method) \($0.pattern)" }) == Set(Self.least.keys))
        let open = PasswordPages.routes.filter { if case .anyone = $0.access { true } else { false } }
        #expect(open.count == PasswordPages.routes.count)
    }

    @Test("S15: whoever is below the least role is refused; nobody gets in without a session", arguments: Role.allCases)
    func matrix(role: Role) async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(role)
        let stranger = try await site.visitor(nil)
        let id = UUIDv7.make().uuidString.lowercased()
        for route in Self.routes {
            let name = "\(route.method) \(route.pattern)"
            let path = route.pattern.split(separator: "/").map { $0.hasPrefix("{") ? id : String($0) }.joined(
                separator: "/")
            let page = route.method == "GET" ? try await visit.get("/" + path) : try await visit.post("/" + path, [])
            if role < Self.least[name, default: .administrator] {
                #expect(page.status == 403, "\(name)")
            } else {
                #expect(page.status != 403 && page.status < 500, "\(name)")
            }
            let nobody = try await stranger.get("/" + path)
            #expect(nobody.status == 303 || nobody.status == 405, "\(name)")
        }
    }

    private func invite(_ site: EditorSite, _ email: String = "ann@example.org") async throws -> ID<Account> {
        try await InvitePerson(database: site.test.database)(
            email: email, name: "Ann", role: .editor, locale: "en", by: TestDatabase.administrator)
    }

    @Test(
        "B60: a person is invited on the page; wrong input keeps what was typed; the same address is refused at its field"
    )
    func inviting() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.administrator)
        let page = try await visit.get("/accounts")
        #expect(page.holds("Mail is not set up"))
        let wrong = try await visit.fill(page, "/accounts", [("email", "ann"), ("name", ""), ("locale", "elvish!")])
        #expect(wrong.status == 422)
        #expect(wrong.holds(#"value="ann""#) && wrong.holds(#"value="elvish!""#))
        #expect(wrong.holds("Write a name.") && wrong.holds("Write a language") && wrong.holds("name@example.org"))
        let fields = [("email", "Ann@Example.org"), ("name", "Ann"), ("role", "editor"), ("locale", "en")]
        let made = try await visit.follow(try await visit.fill(page, "/accounts", fields))
        #expect(made.holds("its invitation waits until mail is set up"))
        let again = try await visit.fill(page, "/accounts", fields)
        #expect(again.status == 422 && again.holds("There is an account with this email address already."))
        #expect(try await site.test.database.mails.page(state: nil, cursor: nil, limit: 9).items.count == 1)
    }

    @Test("B60: without a published text the page says which one to publish, and keeps what was typed")
    func unpublished() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.administrator)
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
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.administrator)
        let id = try await invite(site)
        let shown = try await visit.post("/accounts/\(id)/link", [])
        #expect(shown.status == 200)
        let start = try #require(shown.html.ranges(of: "/welcome/").first)
        let place = "/welcome/" + shown.html[start.upperBound...].prefix(43)
        let browser = site.desk.stranger
        var form = try await browser.visit(place).form("Set the password and begin")
        try form.fill("name", "Ann B.")
        try form.fill("password", "nine velvet otters sing")
        let open = try await browser.press("Show password", in: form)
        #expect(open.status == 200 && open.holds(#"type="text" autocomplete="new-password""#))
        #expect(try open.form("Hide password").value("password") == "nine velvet otters sing")
        let inside = try await browser.press("Set the password and begin", on: open)
        #expect(inside.address == "/queue" && inside.says("Welcome, Ann B."))
        #expect(try await site.desk.stranger.visit(place).says("was used"))
        #expect(try await visit.post("/accounts/\(id)/link", []).status == 422, "who has a password gets no link")
    }

    @Test("Where mail is set up no page shows a link: only the owner of the address sees it")
    func noLink() async throws {
        let desk = try await Desk.make(mail: [
            "VITRINE_MAIL_URL": "smtps://mail.example.org:465", "VITRINE_MAIL_FROM": "no-reply@example.org",
        ])
        let site = EditorSite(desk: desk)
        let visit = try await site.visitor(.administrator)
        let id = try await invite(site)
        #expect(!(try await visit.get("/accounts")).holds("Mail is not set up"))
        #expect(!(try await visit.get("/accounts/\(id)")).holds("Show the link"))
        let refused = try await visit.post("/accounts/\(id)/link", [])
        #expect(refused.status == 422 && refused.holds("send another invitation instead"))
    }

    @Test("B19: the sign-in shows what was typed on demand, without scripts, and signs nobody in by that")
    func showing() async throws {
        let desk = try await Desk.make()
        _ = try await desk.account("ann@example.org")
        let browser = desk.stranger
        var form = try await browser.visit("/login?next=/feeds").form("Sign in")
        try form.fill("username", "ann@example.org")
        try form.fill("password", "wrong so far")
        let open = try await browser.press("Show password", in: form)
        #expect(open.status == 200 && open.holds(#"type="text" autocomplete="current-password""#))
        var shown = try open.form("Sign in")
        #expect(shown.value("username") == "ann@example.org" && shown.value("password") == "wrong so far")
        try shown.fill("password", Desk.password)
        #expect(try await browser.press("Sign in", in: shown).address == "/feeds")
        // Enter presses the first button, which must be the one that signs in.
        #expect(form.controls.first { $0.kind == .button }?.label == "Sign in")
    }

    @Test("B21: a known and an unknown address get the same page; after three the fourth is told to wait")
    func forgotten() async throws {
        let desk = try await Desk.make()
        _ = try await desk.account("ann@example.org")
        var pages: [[String]] = []
        for email in ["ann@example.org", "nobody@example.org"] {
            var words: [String] = []
            for number in 1...4 {
                let browser = desk.stranger
                var fresh = try await browser.visit("/password").form("Send me a link")
                try fresh.fill("email", email)
                let page = try await browser.press("Send me a link", in: fresh)
                #expect(page.status == (number <= 3 ? 200 : 429))
                words.append(page.words.replacing(email, with: "…"))
            }
            pages.append(words)
        }
        #expect(pages[0] == pages[1])
        #expect(pages[0][0].contains("is on its way"))
    }

    @Test("Disabling signs out at once and hands over what was taken of the queue; enabling lets in again")
    func disabling() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.administrator)
        let ann = try await site.desk.account("ann@example.org")
        let ben = try await site.desk.account("ben@example.org")
        let session = try await SignIn(
            database: site.test.database, attemptsPerAccount: 9, attemptsPerIP: 9, sessionHours: 1)(
                email: "ann@example.org", password: Desk.password, address: "192.0.2.1", agent: "test")
        guard case .signedIn(let signedIn) = session else { throw Failure.missing("session") }
        let taken = [try await site.desk.submit("One"), try await site.desk.submit("Two")]
        for id in taken {
            _ = try await site.test.database.change(
                by: TestDatabase.administrator, AuditEvent("queue.claim", on: "submission")
            ) {
                try await $0.queue.claim(id, by: ann, minutes: 10)
            }
        }
        let page = try await visit.get("/accounts/\(ann)")
        #expect(page.holds("test"), "the session is listed")
        #expect(try await visit.post("/accounts/\(ann)/disable", [("heir", ann.description)]).status == 422)
        #expect(try await visit.post("/accounts/\(ann)/disable", [("heir", ben.description)]).status == 303)
        #expect(try await site.test.database.sessions.find(tokenHash: signedIn.token.hash, idleMinutes: 30) == nil)
        let held: [String] = try await site.test.client.query("select claimed_by::text as id from curation.queue_item")
            .map {
                try $0("id")
            }
        #expect(held == [ben.description, ben.description])
        #expect(try await visit.post("/accounts/\(ben)/disable", [("heir", "")]).status == 303)
        let free: Int = try await site.test.client.one(
            "select count(*) as n from curation.queue_item where claimed_by is null and claimed_until is null")("n")
        #expect(free == 2)
        #expect(try await visit.get("/accounts?state=disabled").holds("ann@example.org"))
        #expect(try await visit.post("/accounts/\(ann)/enable", []).status == 303)
        #expect(try await site.test.database.accounts.find(ann)?.isDisabled == false)
    }

    @Test("Nobody disables the own account or the last administrator; the page says why")
    func lastOne() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.administrator)
        let own = try #require(try await site.test.database.accounts.who(may: .administer).first)
        let refused = try await visit.post("/accounts/\(own.id)/disable", [])
        #expect(refused.status == 422 && refused.holds("your own account"))
        let demoted = try await visit.post("/accounts/\(own.id)/role", [("role", "curator")])
        #expect(demoted.status == 422 && demoted.holds("last administrator"))
    }

    @Test("S14: everybody sees and ends their own sessions, and nobody else's")
    func sessions() async throws {
        let site = try await EditorSite.make()
        let ann = try await site.desk.account("ann@example.org")
        let visit = try await site.visitor(.curator, name: "Cleo")
        let own = try await visit.get("/account")
        #expect(own.holds("this one"))
        try await site.test.database.change(by: TestDatabase.administrator, AuditEvent("session.create", on: "session")) {
            try await $0.sessions.add(
                tokenHash: Token.make().hash, account: ann, csrf: Token.make().text, address: "", agent: "", hours: 1)
        }
        let theirs = try #require(
            try await site.test.database.sessions.list(of: ann, idleMinutes: 30).first)
        #expect(try await visit.post("/account/sessions/\(theirs.id)/revoke", []).status == 404)
        #expect(try await site.test.database.sessions.list(of: ann, idleMinutes: 30).count == 1)
        let administrator = try await site.visitor(.administrator)
        #expect(try await administrator.post("/accounts/\(ann)/sessions/\(theirs.id)/revoke", []).status == 303)
        #expect(try await site.test.database.sessions.list(of: ann, idleMinutes: 30).isEmpty)
    }

    @Test("R33: the list of accounts is paged by name; each stands there once")
    func paged() async throws {
        let site = try await EditorSite.make()
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
