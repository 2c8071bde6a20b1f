// Tests signing in with redirect, signing out, CSRF protection, and security headers.
import Domain
import FoundationEssentials
import Operations
import Platform
import Store
import TestSupport
import Testing

@Suite("Signing in", .databases)
struct SignInPagesTests {
    @Test("S12: the token has another mask in each response, and each is accepted; pages are compressed")
    func maskedToken() async throws {
        let browser = try await AdminFixture.make().browser(.publisher)
        var tokens: [String] = []
        for _ in 1...2 {
            let page = try await browser.visit("/queue")
            let all = Set(page.forms.compactMap { $0.value("csrf") })
            #expect(all.count == 1, "one mask per page")
            tokens += all
        }
        #expect(Set(tokens).count == 2 && tokens.allSatisfy { $0.utf8.count == 86 })
        for token in tokens {
            let sent = try await browser.send(
                "POST", "/saved-views", [("csrf", token), ("name", "View \(token.prefix(5))")])
            #expect(sent.status != 403)
        }
        let short = try await browser.send("GET", "/queue", [], headers: ["Accept-Encoding": "br"])
        #expect(short.headers["Content-Encoding"] == "br")
        // One bit off, shorter, and the mask without the token.
        let token = tokens[0]
        let flipped = (token.dropLast().last == "A" ? "E" : "A")
        for wrong in [
            String(token.dropLast(2)) + flipped + String(token.suffix(1)), String(token.dropLast()),
            String(token.prefix(43)),
        ] {
            #expect(try await browser.send("POST", "/saved-views", [("csrf", wrong), ("name", "x")]).status == 403)
        }
    }

    @Test("A visitor is redirected to the sign-in page and, with the right password, back to the requested page")
    func redirectBack() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.account("ann@example.org")
        let browser = fixture.stranger
        let page = try await browser.visit("/queue?q=harbour&type=article")
        #expect(page.url.hasPrefix("/login?next="))
        let queue = try await browser.signIn("ann@example.org", on: page)
        #expect(queue.url == "/queue?q=harbour&type=article")
        #expect(queue.says("Welcome, Ann Example."))
        #expect(try await !browser.visit("/queue").says("Welcome"))
    }

    @Test("S10: a wrong password and an unknown email address get the same response, which keeps the email address")
    func wrong() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.account("ann@example.org")
        let browser = fixture.stranger
        var responses: [String] = []
        for email in ["ann@example.org", "nobody@example.org"] {
            let page = try await browser.signIn(email, "wrong", on: browser.visit("/login"))
            #expect(page.status == 422)
            #expect(page.title.hasPrefix("Error: "))
            #expect(try page.form("Sign in").value("username") == email)
            responses.append(page.text)
        }
        #expect(responses[0] == responses[1])
        #expect(responses[0].contains("Wrong email or password."))
    }

    @Test("S10: at the limit of failures, even the right password has to wait")
    func limited() async throws {
        let fixture = try await AdminFixture.make(settings: ["VITRINE_LOGIN_ATTEMPTS_PER_ACCOUNT": "2"])
        _ = try await fixture.account("ann@example.org")
        let browser = fixture.stranger
        for (password, status) in [("wrong", 422), ("wrong", 422), (AdminFixture.password, 429)] {
            let page = try await browser.signIn("ann@example.org", password, on: browser.visit("/login"))
            #expect(page.status == status)
            #expect((page.headers["Retry-After"] != nil) == (status == 429))
        }
    }

    @Test("S43: a sign-in link works once; opening it doesn't use it")
    func linkOnce() async throws {
        let fixture = try await AdminFixture.make()
        let account = try await fixture.account("ann@example.org")
        let link = try await fixture.test.services.manageAccount.signInLink(
            for: account, by: TestDatabase.administrator)
        let browser = fixture.stranger
        _ = try await browser.visit("/login/\(link.text)")
        let page = try await browser.visit("/login/\(link.text)")
        #expect(page.says("This link signs you in once."))
        #expect(try await browser.press("Sign in", on: page).url == "/")
        let second = try await fixture.stranger.visit("/login/\(link.text)")
        #expect(second.status == 422)
        #expect(second.says("was already used or has expired"))
    }

    @Test("S14: signing out ends the session at the server, not only in the browser")
    func signOut() async throws {
        let browser = try await AdminFixture.make().browser(.curator)
        let cookies = browser.cookies
        let page = try await browser.visit("/queue")
        #expect(!page.holds("data-signed-out"))
        let signedOut = try await browser.press("Sign out", on: page)
        #expect(signedOut.says("You're signed out."))
        // The script of this page takes what was typed from the tab; the sign-in page of a session that expired doesn't.
        #expect(signedOut.holds("data-signed-out"))
        #expect(!(try await browser.visit("/login")).holds("data-signed-out"))
        browser.cookies = cookies
        #expect(try await browser.visit("/queue").url.hasPrefix("/login"))
    }

    @Test(
        "S12: a form without our token, with another one, or from another site changes nothing",
        arguments: ["missing", "wrong", "origin", "site"])
    func forged(_ how: String) async throws {
        let fixture = try await AdminFixture.make()
        let submission = try await fixture.submit()
        let browser = try await fixture.browser(.publisher)
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
        #expect(try await fixture.state(submission) == .pending)
        let right = try form.fields(pressing: "Reject")
        #expect(try await browser.send("POST", form.action, right).status == 303)
        #expect(try await fixture.state(submission) == .rejected)
    }

    @Test("S12: the sign-in form requires its token")
    func forgedSignIn() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.account("ann@example.org")
        let page = try await fixture.stranger.send(
            "POST", "/login", [("username", "ann@example.org"), ("password", AdminFixture.password)])
        #expect(page.status == 403)
    }

    @Test("S20, S21, S24, S26: every response has the security headers")
    func headers() async throws {
        let browser = try await AdminFixture.make().browser(.curator)
        for address in ["/login", "/queue", "/nowhere", "/queue/none", "/static/vitrine.css", "/static/none"] {
            let page = try await browser.send("GET", address, [])
            let policy = page.headers["Content-Security-Policy"] ?? ""
            #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("unsafe"))
            for rule in ["frame-ancestors", "base-uri", "object-src"] { #expect(policy.contains("\(rule) 'none'")) }
            #expect(policy.contains("script-src 'self';") && policy.contains("form-action 'self';"))
            #expect(page.headers["Cross-Origin-Opener-Policy"] == "same-origin")
            #expect(page.headers["Cross-Origin-Resource-Policy"] == "same-origin")
            #expect(policy.contains("require-trusted-types-for 'script'"))
            #expect(page.headers["X-Content-Type-Options"] == "nosniff")
            #expect(page.headers["Referrer-Policy"] == "same-origin")
            #expect((page.headers["Cache-Control"] == "private, no-store") == !address.hasPrefix("/static"))
        }
    }
}
