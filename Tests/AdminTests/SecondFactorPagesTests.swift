// Tests the second factor as people meet it: set up, asked for, each code once, recovery codes, required, taken away.
import Accounts
import Domain
import Platform
import Store
import TestSupport
import Testing

@testable import Admin

/// Somebody with an authenticator app.
private struct Person {
    let desk: Desk
    let id: ID<Account>
    let email: String

    static func make(_ desk: Desk, _ role: Role = .curator, email: String = "ann@example.org") async throws -> Person {
        Person(desk: desk, id: try await desk.account(email, role), email: email)
    }

    /// The next code that may be taken: none of the app's is taken twice.
    func code() async throws -> String {
        let row = try #require(try await desk.test.database.secondFactors.find(id))
        let secret = try #require(Desk.box?.box(for: "second factor").open(row.sealedSecret))
        let last: Int64 = try await desk.test.client.one(
            "select last_step as n from ops.second_factor where account_id = \(id)")("n")
        return OneTimeCode(secret: secret).code(at: max(last + 1, row.step))
    }

    /// Types email and password; gives the page behind it.
    func password(_ browser: Browser, next: String = "/feeds") async throws -> BrowserPage {
        var form = try await browser.visit("/login?next=\(next)").form("Sign in")
        try form.fill("username", email)
        try form.fill("password", Desk.password)
        return try await browser.press("Sign in", in: form)
    }

    func type(_ code: String, _ browser: Browser, on page: BrowserPage) async throws -> BrowserPage {
        var form = try page.form("Sign in")
        try form.fill("code", code)
        return try await browser.press("Sign in", in: form)
    }

    /// Sets it up, as somebody who is signed in; gives the recovery codes.
    func setUp(_ browser: Browser) async throws -> [String] {
        let begun = try await begin(browser)
        var form = try begun.form("Confirm")
        try form.fill("code", try await code())
        return Self.codes(on: try await browser.press("Confirm", in: form))
    }

    func begin(_ browser: Browser) async throws -> BrowserPage {
        let page = try await browser.visit("/account/second-factor")
        let button = page.hasButton("Begin") ? "Begin" : "Make another secret"
        var form = try page.form(button)
        try form.fill("current", Desk.password)
        return try await browser.press(button, in: form)
    }

    static func codes(on page: BrowserPage) -> [String] {
        page.html.ranges(of: "<li><code>").map { String(page.html[$0.upperBound...].prefix(19)) }
    }

    func sessions() async throws -> Int {
        try await desk.test.database.sessions.list(of: id, idleMinutes: 30).count
    }
}

@Suite("The second factor", .databases)
struct SecondFactorPagesTests {
    @Test("S48, S11: set up with a code, it is asked for after the password, in a session with an id of its own")
    func journey() async throws {
        let desk = try await Desk.make()
        let person = try await Person.make(desk)
        let browser = desk.stranger
        #expect(try await person.password(browser).address == "/feeds")
        let elsewhere = desk.stranger
        _ = try await person.password(elsewhere)
        let before = browser.cookies["__Host-vitrine_session"]
        let begun = try await person.begin(browser)
        #expect(begun.holds("<svg class=\"qr\"") && begun.says("type this secret into the app"))
        #expect(try await person.sessions() == 2, "nothing is asked for before it is confirmed")
        let codes = try await person.setUp(browser)
        #expect(codes.count == 10 && Set(codes).count == 10)
        #expect(browser.cookies["__Host-vitrine_session"] != before)
        #expect(try await person.sessions() == 1, "the other session is over")
        #expect(try await elsewhere.visit("/feeds").address.hasPrefix("/login"))
        #expect(try await browser.visit("/account").says("set up"))

        let fresh = desk.stranger
        let asked = try await person.password(fresh, next: "/categories")
        #expect(asked.address.hasPrefix("/login/code"))
        #expect(try await fresh.visit("/feeds").address.hasPrefix("/login?"), "the password alone opens nothing")
        let inside = try await person.type(try await person.code(), fresh, on: asked)
        #expect(inside.address == "/categories" && inside.says("Welcome, Ann Example."))
        #expect(fresh.cookies["__Host-vitrine_code"] == nil)
    }

    @Test("S48: a code is taken once, also by another browser that knows the password; so is a recovery code")
    func replay() async throws {
        let desk = try await Desk.make()
        let person = try await Person.make(desk)
        let browser = desk.stranger
        _ = try await person.password(browser)
        let recovery = try await person.setUp(browser)
        let code = try await person.code()
        for (typed, isClaimed) in [
            (code, true), (code, false), (recovery[3].lowercased(), true), (recovery[3], false), ("000000x", false),
        ] {
            let fresh = desk.stranger
            let page = try await person.type(typed, fresh, on: try await person.password(fresh))
            #expect(page.status == (isClaimed ? 200 : 422))
            #expect(page.says("was used before") == !isClaimed)
        }
        #expect(try await browser.visit("/account/second-factor").says("9 recovery codes are left."))
    }

    @Test("S48: of two that send the same code at once one comes in")
    func race() async throws {
        let desk = try await Desk.make()
        let person = try await Person.make(desk)
        let browser = desk.stranger
        _ = try await person.password(browser)
        _ = try await person.setUp(browser)
        let signIn = SignIn(
            database: desk.test.database, attemptsPerAccount: 99, attemptsPerIP: 99, sessionHours: 1)
        var tokens: [Token] = []
        for _ in 1...4 {
            let outcome = try await signIn(
                email: person.email, password: Desk.password, address: "192.0.2.1", agent: "test")
            if case .needsCode(let token) = outcome { tokens.append(token) }
        }
        #expect(tokens.count == 4)
        let code = try await person.code()
        let factor = SecondFactor(
            database: desk.test.database,
            rules: try SecondFactorRules(
                box: Desk.box?.box(for: "second factor"), roles: [], publicURL: "https://example.org"),
            attemptsPerAccount: 99, attemptsPerIP: 99)
        let opened = try await withThrowingTaskGroup(of: Bool.self) { group in
            for token in tokens {
                group.addTask {
                    let outcome = try await signIn.withCode(token, code, factor, address: "192.0.2.1", agent: "test")
                    if case .signedIn = outcome { return true }
                    return false
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(opened == 1)
    }

    @Test("S48: the database itself takes no step twice and none from before")
    func step() async throws {
        let desk = try await Desk.make()
        let person = try await Person.make(desk)
        let browser = desk.stranger
        _ = try await person.password(browser)
        _ = try await person.setUp(browser)
        for change in [
            "last_step = last_step", "last_step = last_step - 1", "sealed_secret = sealed_secret || '\\x00'",
        ] {
            await #expect(throws: (any Error).self) {
                try await desk.test.client.execute(
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
        let desk = try await Desk.make(attemptsPerAccount: 2)
        let person = try await Person.make(desk)
        let browser = desk.stranger
        _ = try await person.password(browser)
        _ = try await person.setUp(browser)
        _ = try await Person.make(desk, email: "ben@example.org")
        var answers: [String] = []
        for email in [person.email, "ben@example.org", "nobody@example.org"] {
            let fresh = desk.stranger
            var form = try await fresh.visit("/login").form("Sign in")
            try form.fill("username", email)
            try form.fill("password", "wrong")
            let page = try await fresh.press("Sign in", in: form)
            answers.append("\(page.status) \(page.words) \(fresh.cookies.keys.sorted())")
        }
        #expect(Set(answers).count == 1)
        let fresh = desk.stranger
        let page = try await person.password(fresh)
        for status in [422, 422, 429] {
            #expect(try await person.type("000000", fresh, on: page).status == status)
        }
        #expect(try await person.type(try await person.code(), fresh, on: page).status == 429)
        #expect(try await desk.stranger.visit("/login/code").address.hasPrefix("/login?"))
    }

    @Test("S48: a link from a mail or the operator opens nothing without the code either")
    func links() async throws {
        let desk = try await Desk.make()
        let person = try await Person.make(desk)
        let browser = desk.stranger
        _ = try await person.password(browser)
        _ = try await person.setUp(browser)
        let link = try await ManageAccount(database: desk.test.database).signInLink(
            for: person.id, by: TestDatabase.administrator)
        let fresh = desk.stranger
        let asked = try await fresh.press("Sign in", on: try await fresh.visit("/login/\(link.text)"))
        #expect(asked.address.hasPrefix("/login/code"))
        #expect(try await person.type(try await person.code(), fresh, on: asked).address == "/queue")
    }

    @Test("S48: a role that needs one reaches the page that sets it up, and nothing else, until it is done")
    func required() async throws {
        let desk = try await Desk.make(secondFactorRoles: ["editor", "administrator"])
        let person = try await Person.make(desk, .editor)
        let browser = desk.stranger
        let first = try await person.password(browser)
        #expect(first.address == "/account/second-factor" && first.says("Your role needs a second factor."))
        for address in ["/queue", "/entries", "/account", "/account/password"] {
            #expect(try await browser.visit(address).address == "/account/second-factor")
        }
        let csrf = try first.form("Begin").value("csrf") ?? ""
        let refused = try await browser.send("POST", "/entries", [("csrf", csrf), ("type", "feed")])
        #expect(refused.status == 403 && refused.says("Set up your second factor first"))
        _ = try await person.setUp(browser)
        #expect(try await browser.visit("/queue").address == "/queue")
        let page = try await browser.visit("/account/second-factor")
        #expect(!page.hasButton("Take the second factor away"))
        let kept = try await browser.send(
            "POST", "/account/second-factor/remove",
            [("csrf", try page.form("Make new codes").value("csrf") ?? ""), ("code", try await person.code())])
        #expect(kept.status == 422 && kept.says("so it stays"))
        let curator = try await Person.make(desk, email: "cleo@example.org")
        #expect(try await curator.password(desk.stranger).address == "/feeds")
    }

    @Test("S48: its owner takes it away with a code; an administrator without, which ends the sessions and is audited")
    func removal() async throws {
        let desk = try await Desk.make()
        let person = try await Person.make(desk)
        let browser = desk.stranger
        _ = try await person.password(browser)
        let codes = try await person.setUp(browser)
        var form = try await browser.visit("/account/second-factor").form("Take the second factor away")
        try form.fill("code", "000000")
        #expect(try await browser.press("Take the second factor away", in: form).status == 422)
        try form.fill("code", codes[0])
        #expect(try await browser.press("Take the second factor away", in: form).says("is taken away"))
        #expect(try await person.password(desk.stranger).address == "/feeds")

        _ = try await person.setUp(browser)
        let administrator = try await desk.browser(.administrator)
        let page = try await administrator.visit("/accounts/\(person.id)")
        #expect(try await administrator.press("Take the second factor away", on: page).says("is taken away"))
        #expect(try await person.sessions() == 0)
        #expect(try await person.password(desk.stranger).address == "/feeds")
        let actions = try await desk.test.database.auditTrail.about("account", person.id.description).map(\.action)
        #expect(actions.filter { $0 == "second_factor.delete" }.count == 2)
    }

    @Test("A wrong password begins no second factor; new recovery codes take the place of the old ones")
    func beginning() async throws {
        let desk = try await Desk.make()
        let person = try await Person.make(desk)
        let browser = desk.stranger
        _ = try await person.password(browser)
        var form = try await browser.visit("/account/second-factor").form("Begin")
        try form.fill("current", "wrong")
        let wrong = try await browser.press("Begin", in: form)
        #expect(wrong.status == 422 && wrong.says("This is not your password."))
        #expect(try await desk.test.database.secondFactors.find(person.id) == nil)
        let old = try await person.setUp(browser)
        var renew = try await browser.visit("/account/second-factor").form("Make new codes")
        try renew.fill("code", old[0])
        let fresh = Person.codes(on: try await browser.press("Make new codes", in: renew))
        #expect(fresh.count == 10 && Set(fresh).isDisjoint(with: old))
        let stranger = desk.stranger
        #expect(try await person.type(old[1], stranger, on: try await person.password(stranger)).status == 422)
        #expect(try await person.type(fresh[1], stranger, on: try await person.password(stranger)).status == 200)
    }

    @Test("S14: who is signed in changes the password with the old one; the session stays and all others end")
    func ownPassword() async throws {
        let desk = try await Desk.make()
        let person = try await Person.make(desk)
        let browser = desk.stranger
        _ = try await person.password(browser)
        _ = try await person.password(desk.stranger)
        #expect(try await person.sessions() == 2)
        for (current, password, sentence) in [
            ("wrong", "seven quiet herons wade", "This is not your password."),
            (Desk.password, "short", "at least 12 characters"),
            (Desk.password, Desk.password, "the password that you have"),
        ] {
            var form = try await browser.visit("/account/password").form("Change the password")
            try form.fill("current", current)
            try form.fill("password", password)
            let page = try await browser.press("Change the password", in: form)
            #expect(page.status == 422 && page.says(sentence), "\(sentence)")
        }
        var form = try await browser.visit("/account/password").form("Change the password")
        try form.fill("current", Desk.password)
        try form.fill("password", "seven quiet herons wade")
        let page = try await browser.press("Change the password", in: form)
        #expect(page.address == "/account" && page.says("The password is changed."))
        #expect(try await person.sessions() == 1)
        #expect(try await person.password(desk.stranger).status == 422, "the old one opens nothing")
    }
}
