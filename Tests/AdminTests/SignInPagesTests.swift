// Tests signing in, being led back, signing out, and the walls before every form.
import Accounts
import Domain
import FoundationEssentials
import Platform
import Store
import TestSupport
import Testing

@Suite("Signing in", .databases)
struct SignInPagesTests {
    @Test("A visitor is led to the sign-in and, with the right password, back to the page that was wanted")
    func backToTheWantedPage() async throws {
        let desk = try await Desk.make()
        _ = try await desk.account("ann@example.org")
        let browser = desk.stranger
        let page = try await browser.visit("/queue?q=harbour&type=article")
        #expect(page.address.hasPrefix("/login?next="))
        var form = try page.form("Sign in")
        try form.fill("username", "ann@example.org")
        try form.fill("password", Desk.password)
        let queue = try await browser.press("Sign in", in: form)
        #expect(queue.address == "/queue?q=harbour&type=article")
        #expect(queue.says("Welcome, Ann Example."))
        #expect(try await !browser.visit("/queue").says("Welcome"))
    }

    @Test("S10: a wrong password and an unknown address get the same answer, and the address is kept as typed")
    func wrong() async throws {
        let desk = try await Desk.make()
        _ = try await desk.account("ann@example.org")
        let browser = desk.stranger
        var answers: [String] = []
        for email in ["ann@example.org", "nobody@example.org"] {
            var form = try await browser.visit("/login").form("Sign in")
            try form.fill("username", email)
            try form.fill("password", "wrong")
            let page = try await browser.press("Sign in", in: form)
            #expect(page.status == 422)
            #expect(page.title.hasPrefix("Error: "))
            #expect(try page.form("Sign in").value("username") == email)
            answers.append(page.words)
        }
        #expect(answers[0] == answers[1])
        #expect(answers[0].contains("Email or password is wrong."))
    }

    @Test("S10: after as many failures as are allowed, even the right password has to wait")
    func limited() async throws {
        let desk = try await Desk.make(attemptsPerAccount: 2)
        _ = try await desk.account("ann@example.org")
        let browser = desk.stranger
        for (password, status) in [("wrong", 422), ("wrong", 422), (Desk.password, 429)] {
            var form = try await browser.visit("/login").form("Sign in")
            try form.fill("username", "ann@example.org")
            try form.fill("password", password)
            let page = try await browser.press("Sign in", in: form)
            #expect(page.status == status)
            #expect((page.headers["Retry-After"] != nil) == (status == 429))
        }
    }

    @Test("S43: a sign-in link works once; looking at it does not use it up")
    func linkOnce() async throws {
        let desk = try await Desk.make()
        let account = try await desk.account("ann@example.org")
        let link = try await ManageAccount(database: desk.test.database).signInLink(
            for: account, by: TestDatabase.administrator)
        let browser = desk.stranger
        _ = try await browser.visit("/login/\(link.text)")
        let page = try await browser.visit("/login/\(link.text)")
        #expect(page.says("This link signs you in once."))
        #expect(try await browser.press("Sign in", on: page).address == "/queue")
        let late = try await desk.stranger.visit("/login/\(link.text)")
        #expect(late.status == 422)
        #expect(late.says("was used or is too old"))
    }

    @Test("S14: signing out ends the session at the server, not only in the browser")
    func signOut() async throws {
        let desk = try await Desk.make()
        let browser = try await desk.browser(.curator)
        let cookies = browser.cookies
        let page = try await browser.visit("/queue")
        #expect(try await browser.press("Sign out", on: page).says("You are signed out."))
        browser.cookies = cookies
        #expect(try await browser.visit("/queue").address.hasPrefix("/login"))
    }

    @Test(
        "S12: a form without our token, with another one, or from another site changes nothing",
        arguments: ["missing", "wrong", "origin", "site"])
    func forged(_ how: String) async throws {
        let desk = try await Desk.make()
        let submission = try await desk.submit()
        let browser = try await desk.browser(.publisher)
        var form = try await browser.visit("/queue/\(submission)").form("Reject")
        try form.fill("reason", "spam")
        var fields = try form.fields(pressing: "Reject")
        var headers: [String: String] = [:]
        switch how {
        case "missing": fields.removeAll { $0.0 == "csrf" }
        case "wrong": fields = fields.map { $0.0 == "csrf" ? ("csrf", Token.make().text) : $0 }
        case "origin": headers = ["Origin": "https://evil.example", "Sec-Fetch-Site": "none"]
        default: headers = ["Sec-Fetch-Site": "cross-site"]
        }
        let page = try await browser.send("POST", form.action, fields, headers: headers)
        #expect(page.status == 403)
        #expect(page.says("Nothing was changed."))
        #expect(try await desk.state(submission) == .pending)
        let right = try form.fields(pressing: "Reject")
        #expect(try await browser.send("POST", form.action, right).status == 303)
        #expect(try await desk.state(submission) == .rejected)
    }

    @Test("S12: the sign-in form needs its token, too")
    func forgedSignIn() async throws {
        let desk = try await Desk.make()
        _ = try await desk.account("ann@example.org")
        let page = try await desk.stranger.send(
            "POST", "/login", [("username", "ann@example.org"), ("password", Desk.password)])
        #expect(page.status == 403)
    }

    @Test("S20, S21, S24, S26: every answer carries the headers that keep a page to itself")
    func headers() async throws {
        let desk = try await Desk.make()
        let browser = try await desk.browser(.curator)
        for address in ["/login", "/queue", "/nowhere", "/queue/none", "/static/vitrine.css", "/static/none"] {
            let page = try await browser.send("GET", address, [])
            let policy = page.headers["Content-Security-Policy"] ?? ""
            #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("unsafe"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(page.headers["X-Content-Type-Options"] == "nosniff")
            #expect(page.headers["Referrer-Policy"] == "same-origin")
            #expect((page.headers["Cache-Control"] == "private, no-store") == !address.hasPrefix("/static"))
        }
    }
}
