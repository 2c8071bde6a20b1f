// Tests the second factor: setup, sign-in, single use of codes, recovery codes, required roles, removal.
import Domain
import Operations
import Platform
import Store
import TestSupport
import Testing

@testable import Admin

/// A person with an authenticator app.
private struct Person {
    let fixture: AdminFixture
    let id: ID<Account>
    let email: String

    static func make(_ fixture: AdminFixture, _ role: Role = .curator, email: String = "ann@example.org") async throws
        -> Person
    {
        Person(fixture: fixture, id: try await fixture.account(email, role), email: email)
    }

    /// Somebody who entered the password in a browser.
    static func signedIn(settings: [String: String] = [:]) async throws -> (Person, Browser) {
        let person = try await make(try await AdminFixture.make(settings: settings))
        let browser = person.fixture.stranger
        _ = try await person.password(browser)
        return (person, browser)
    }

    /// The next unused code of the app.
    func code() async throws -> String {
        let row = try #require(try await fixture.test.database.secondFactors.find(id))
        let secret = try #require(AdminFixture.box?.box(for: "second factor").open(row.sealedSecret))
        let last: Int64 = try await fixture.test.client.one(
            "select last_step as n from ops.second_factor where account_id = \(id)")("n")
        return OneTimeCode(secret: secret).code(at: max(last + 1, row.step))
    }

    /// Enters email and password; returns the next page.
    func password(_ browser: Browser, next: String = "/feeds") async throws -> BrowserPage {
        try await browser.signIn(email, on: browser.visit("/login?next=\(next)"))
    }

    func type(_ code: String, _ browser: Browser, on page: BrowserPage) async throws -> BrowserPage {
        try await browser.press("Sign in", on: page, filling: ["code": code])
    }

    /// Sets up the second factor of a signed-in person; returns the recovery codes.
    func setUp(_ browser: Browser) async throws -> [String] {
        let begun = try await begin(browser)
        return Self.codes(on: try await browser.press("Verify code", on: begun, filling: ["code": code()]))
    }

    func begin(_ browser: Browser) async throws -> BrowserPage {
        let page = try await browser.visit("/account/second-factor")
        let button = page.hasButton("Continue") ? "Continue" : "Create new secret"
        return try await browser.press(button, on: page, filling: ["current": AdminFixture.password])
    }

    static func codes(on page: BrowserPage) -> [String] {
        page.html.ranges(of: "<li><code>").map { String(page.html[$0.upperBound...].prefix(19)) }
    }

    func sessions() async throws -> Int {
        try await fixture.test.database.sessions.list(of: id, idleMinutes: 30).count
    }
}

@Suite("The second factor", .databases)
struct SecondFactorPagesTests {
    @Test("S48, S11: set up with a code, it is asked for after the password, in a session with an id of its own")
    func journey() async throws {
        let fixture = try await AdminFixture.make()
        let person = try await Person.make(fixture)
        let browser = fixture.stranger
        #expect(try await person.password(browser).url == "/feeds")
        let elsewhere = fixture.stranger
        _ = try await person.password(elsewhere)
        let before = browser.cookies["__Host-vitrine_session"]
        let begun = try await person.begin(browser)
        #expect(begun.holds("<svg class=\"qr\"") && begun.says("enter this secret in the app"))
        #expect(try await person.sessions() == 2, "nothing is asked for before it is confirmed")
        let codes = try await person.setUp(browser)
        #expect(codes.count == 10 && Set(codes).count == 10)
        #expect(browser.cookies["__Host-vitrine_session"] != before)
        #expect(try await person.sessions() == 1, "the other session is over")
        #expect(try await elsewhere.visit("/feeds").url.hasPrefix("/login"))
        #expect(try await browser.visit("/account").says("Set up"))

        let fresh = fixture.stranger
        let asked = try await person.password(fresh, next: "/categories")
        #expect(asked.url.hasPrefix("/login/code"))
        #expect(try await fresh.visit("/feeds").url.hasPrefix("/login?"), "the password alone opens nothing")
        let inside = try await person.type(try await person.code(), fresh, on: asked)
        #expect(inside.url == "/categories" && inside.says("Welcome, Ann Example."))
        #expect(fresh.cookies["__Host-vitrine_code"] == nil)
    }

    @Test("S48: a code is taken once, also by another browser that knows the password; so is a recovery code")
    func replay() async throws {
        let (person, browser) = try await Person.signedIn()
        let recovery = try await person.setUp(browser)
        let code = try await person.code()
        for (typed, isClaimed) in [
            (code, true), (code, false), (recovery[3].lowercased(), true), (recovery[3], false), ("000000x", false),
        ] {
            let fresh = person.fixture.stranger
            let page = try await person.type(typed, fresh, on: try await person.password(fresh))
            #expect(page.status == (isClaimed ? 200 : 422))
            #expect(page.says("was already used") == !isClaimed)
        }
        #expect(try await browser.visit("/account/second-factor").says("9 recovery codes left"))
    }

    @Test("S48: of two that send the same code at once one comes in")
    func race() async throws {
        let (person, browser) = try await Person.signedIn()
        _ = try await person.setUp(browser)
        let signIn = person.fixture.test.services.signIn
        var tokens: [Token] = []
        for _ in 1...4 {
            let outcome = try await signIn(
                email: person.email, password: AdminFixture.password, remoteAddress: "192.0.2.1", userAgent: "test")
            if case .needsCode(let token) = outcome { tokens.append(token) }
        }
        #expect(tokens.count == 4)
        let code = try await person.code()
        let factor = person.fixture.test.services.secondFactor(
            try SecondFactorRules(
                box: AdminFixture.box?.box(for: "second factor"), roles: [], publicURL: "https://example.org"))
        let opened = try await concurrently(tokens) { token -> Bool in
            let outcome = try await signIn.withCode(token, code, factor, remoteAddress: "192.0.2.1", userAgent: "test")
            if case .signedIn = outcome { return true }
            return false
        }
        #expect(opened.count { $0 } == 1)
    }

    @Test("S48: the database itself takes no step twice and none from before")
    func step() async throws {
        let (person, browser) = try await Person.signedIn()
        _ = try await person.setUp(browser)
        for change in [
            "last_step = last_step", "last_step = last_step - 1", "sealed_secret = sealed_secret || '\\x00'",
        ] {
            await #expect(throws: (any Error).self) {
                try await person.fixture.test.client.execute(
                    """
                    with e as (
                        insert into ops.audit_event (actor_id, action, object_type)
                        values ('00000000-0000-7000-8000-000000000001', 'test.step', 'account'))
                    update ops.second_factor set \(raw: change)
                    """)
            }
        }
    }

    @Test(
        "S10, S48: before the password is right nothing tells whether there is a second factor; wrong codes are counted"
    )
    func tellsNothing() async throws {
        let (person, browser) = try await Person.signedIn(settings: ["VITRINE_LOGIN_ATTEMPTS_PER_ACCOUNT": "2"])
        let fixture = person.fixture
        _ = try await person.setUp(browser)
        _ = try await Person.make(fixture, email: "ben@example.org")
        var responses: [String] = []
        for email in [person.email, "ben@example.org", "nobody@example.org"] {
            let fresh = fixture.stranger
            let page = try await fresh.signIn(email, "wrong", on: fresh.visit("/login"))
            responses.append("\(page.status) \(page.text) \(fresh.cookies.keys.sorted())")
        }
        #expect(Set(responses).count == 1)
        let fresh = fixture.stranger
        let page = try await person.password(fresh)
        for status in [422, 422, 429] {
            let refused = try await person.type("wr0ng-c0de", fresh, on: page)
            #expect(refused.status == status && !refused.holds("wr0ng-c0de"))
        }
        #expect(try await person.type(try await person.code(), fresh, on: page).status == 429)
        #expect(try await fixture.stranger.visit("/login/code").url.hasPrefix("/login?"))
    }

    @Test("S48: a link from a mail or the operator opens nothing without the code either")
    func links() async throws {
        let (person, browser) = try await Person.signedIn()
        _ = try await person.setUp(browser)
        let link = try await person.fixture.test.services.manageAccount.signInLink(
            for: person.id, by: TestDatabase.administrator)
        let fresh = person.fixture.stranger
        let asked = try await fresh.press("Sign in", on: try await fresh.visit("/login/\(link.text)"))
        #expect(asked.url.hasPrefix("/login/code"))
        #expect(try await person.type(try await person.code(), fresh, on: asked).url == "/")
    }

    @Test("S48: a role that needs one reaches the page that sets it up, and nothing else, until it is done")
    func required() async throws {
        let fixture = try await AdminFixture.make(secondFactorRoles: ["editor", "administrator"])
        let person = try await Person.make(fixture, .editor)
        let browser = fixture.stranger
        let first = try await person.password(browser)
        #expect(first.url == "/account/second-factor" && first.says("Your role requires a second factor."))
        for address in ["/queue", "/entries", "/account", "/account/password"] {
            #expect(try await browser.visit(address).url == "/account/second-factor")
        }
        let csrf = try first.form("Continue").value("csrf") ?? ""
        let refused = try await browser.send("POST", "/entries", [("csrf", csrf), ("type", "feed")])
        #expect(refused.status == 403 && refused.says("Set up your second factor first"))
        _ = try await person.setUp(browser)
        #expect(try await browser.visit("/queue").url == "/queue")
        let page = try await browser.visit("/account/second-factor")
        #expect(!page.hasButton("Remove second factor"))
        let kept = try await browser.send(
            "POST", "/account/second-factor/delete",
            [("csrf", try page.form("Create new codes").value("csrf") ?? ""), ("code", try await person.code())])
        #expect(kept.status == 422 && kept.says("Your role requires a second factor."))
        let curator = try await Person.make(fixture, email: "cleo@example.org")
        #expect(try await curator.password(fixture.stranger).url == "/feeds")
    }

    @Test("S48: its owner takes it away with a code; an administrator without, which ends the sessions and is audited")
    func removal() async throws {
        let (person, browser) = try await Person.signedIn()
        let fixture = person.fixture
        let codes = try await person.setUp(browser)
        var form = try await browser.visit("/account/second-factor").form("Remove second factor")
        try form.fill("code", "000000")
        #expect(try await browser.press("Remove second factor", in: form).status == 422)
        try form.fill("code", codes[0])
        #expect(try await browser.press("Remove second factor", in: form).says("Second factor removed."))
        #expect(try await person.password(fixture.stranger).url == "/feeds")

        _ = try await person.setUp(browser)
        let administrator = try await fixture.browser(.administrator)
        let page = try await administrator.visit("/accounts/\(person.id)")
        #expect(try await administrator.press("Remove second factor", on: page).says("Second factor removed."))
        #expect(try await person.sessions() == 0)
        #expect(try await person.password(fixture.stranger).url == "/feeds")
        let actions = try await fixture.test.database.auditTrail.about("account", person.id.description).map(\.action)
        #expect(actions.filter { $0 == "second_factor.delete" }.count == 2)
    }

    @Test("A wrong password begins no second factor; new recovery codes take the place of the old ones")
    func beginning() async throws {
        let (person, browser) = try await Person.signedIn()
        var form = try await browser.visit("/account/second-factor").form("Continue")
        try form.fill("current", "wrong")
        let wrong = try await browser.press("Continue", in: form)
        #expect(wrong.status == 422 && wrong.says("Wrong password."))
        #expect(try await person.fixture.test.database.secondFactors.find(person.id) == nil)
        let old = try await person.setUp(browser)
        let page = try await browser.visit("/account/second-factor")
        let fresh = Person.codes(on: try await browser.press("Create new codes", on: page, filling: ["code": old[0]]))
        #expect(fresh.count == 10 && Set(fresh).isDisjoint(with: old))
        let stranger = person.fixture.stranger
        #expect(try await person.type(old[1], stranger, on: try await person.password(stranger)).status == 422)
        #expect(try await person.type(fresh[1], stranger, on: try await person.password(stranger)).status == 200)
    }

    @Test("S14: who is signed in changes the password with the old one; the session stays and all others end")
    func ownPassword() async throws {
        let (person, browser) = try await Person.signedIn()
        _ = try await person.password(person.fixture.stranger)
        #expect(try await person.sessions() == 2)
        for (current, password, sentence) in [
            ("wrong", "seven quiet herons wade", "Wrong password."),
            (AdminFixture.password, "short", "at least 12 characters"),
            (AdminFixture.password, AdminFixture.password, "other than the current one"),
        ] {
            let page = try await browser.press(
                "Change password", on: browser.visit("/account/password"),
                filling: ["current": current, "password": password])
            #expect(page.status == 422 && page.says(sentence), "\(sentence)")
        }
        let page = try await browser.press(
            "Change password", on: browser.visit("/account/password"),
            filling: ["current": AdminFixture.password, "password": "seven quiet herons wade"])
        #expect(page.url == "/account" && page.says("Password changed."))
        #expect(try await person.sessions() == 1)
        #expect(try await person.password(person.fixture.stranger).status == 422, "the old one opens nothing")
    }
}
