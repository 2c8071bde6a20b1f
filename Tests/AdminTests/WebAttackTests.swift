// Tries what is done to sites with a sign-in: hosts that are not ours, ids that were foisted, ways out, and texts that hide something.
import Domain
import FoundationEssentials
import Platform
import Store
import TestSupport
import Testing

@Suite("Attacks from the web", .databases)
struct WebAttackTests {
    @Test("S19: after signing in nobody is led to another site, however it is written")
    func openRedirect() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.account("ann@example.org")
        for next in [
            "https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example",
            " //evil.example", "javascript:alert(1)", "http:evil.example",
            "/%5cevil.example\r\nLocation: //evil.example",
        ] {
            let browser = fixture.stranger
            var form = try await browser.visit("/login").form("Sign in")
            try form.fill("username", "ann@example.org")
            try form.fill("password", AdminFixture.password)
            let fields = try form.fields(pressing: "Sign in").filter { $0.0 != "next" } + [("next", next)]
            let page = try await browser.send("POST", form.action, fields)
            let place = page.headers["Location"] ?? "nowhere"
            #expect(page.status == 303)
            #expect(place.hasPrefix("/") && !place.hasPrefix("//") && !place.contains("\\"), "\(next) led to \(place)")
        }
    }

    @Test("S11: an id that somebody foisted on the browser opens nothing after the sign-in, and is replaced")
    func fixation() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.account("ann@example.org")
        let foisted = Token.make().text
        let browser = fixture.stranger
        browser.cookies["__Host-vitrine_session"] = foisted
        #expect(try await browser.signIn("ann@example.org", on: browser.visit("/login")).url == "/")
        #expect(browser.cookies["__Host-vitrine_session"] != foisted)
        let other = fixture.stranger
        other.cookies["__Host-vitrine_session"] = foisted
        #expect(try await other.visit("/queue").url.hasPrefix("/login"))
    }

    @Test("S31: a host that is asked for and is not ours stands in no page, link or redirect")
    func host() async throws {
        let browser = try await AdminFixture.make().browser(.administrator)
        let evil = ["X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example"]
        for address in ["/queue", "/accounts", "/previews", "/login", "/nowhere", "/", "/media", "/webhooks"] {
            let page = try await browser.send("GET", address, [], headers: evil)
            #expect(!page.html.contains("evil.example"), "\(address)")
            #expect(page.headers["Location"]?.contains("evil.example") != true, "\(address)")
        }
        var form = try await browser.visit("/previews").form("Create preview")
        try form.fill("title", "For the editor")
        try form.fill("local", "2999-01-01T10:00")
        try form.fill("zone", "UTC")
        let own = ["Origin": "https://\(Browser.host)"].merging(evil) { $1 }
        let made = try await browser.send(
            "POST", form.action, try form.fields(pressing: "Create preview"), headers: own)
        #expect(made.status == 201)
        #expect(made.html.contains("https://\(Browser.host)/preview/"))
        #expect(!made.html.contains("evil.example"))
    }

    @Test(
        "S31: pages and forms are served for our host and this machine only, so that no foreign name is of their origin"
    )
    func rebinding() async throws {
        let browser = try await AdminFixture.make().browser(.administrator)
        func status(_ method: String, _ url: String, _ host: String) async throws -> Int {
            try await browser.send(method, url, [], headers: ["Host": host, "Origin": "http://\(host)"]).status
        }
        for host in [
            "evil.example", "evil.example:443", "\(Browser.host).evil.example", "127.0.0.1.evil.example", "10.0.0.1",
            "",
        ] {
            for url in ["/queue", "/login", "/nowhere", "/"] {
                #expect(try await status("GET", url, host) == 421, "\(host)\(url)")
            }
            #expect(try await status("POST", "/logout", host) == 421)
            #expect(try await status("GET", "/static/vitrine.css", host) == 200)
        }
        for host in [
            Browser.host, "\(Browser.host):8443", "VITRINE.Example.org", "localhost:8080", "vitrine.localhost",
            "127.0.0.1",
            "[::1]:8080",
        ] {
            #expect(try await status("GET", "/queue", host) == 200, "\(host)")
        }
        let page = try await browser.send("GET", "/queue", [], headers: ["Host": "evil.example"])
        #expect(page.says("set public.url to the URL that you use"))
        #expect(!page.html.contains("evil.example"))
    }

    @Test("S32: no page lists a folder, shows version control or debugging, or echoes a request")
    func nothingExposed() async throws {
        let browser = try await AdminFixture.make().browser(.administrator)
        for path in ["/.git/config", "/.env", "/debug", "/server-status", "/static/", "/Package.swift"] {
            #expect(try await browser.send("GET", path, []).status == 404, "\(path)")
        }
        let echo = try await browser.send("TRACE", "/login", [], headers: ["X-Probe": "xqzprobe"])
        #expect(echo.status == 405 && !echo.html.contains("xqzprobe"))
    }

    @Test("S2: what is typed into a filter and comes back is text, never markup")
    func reflected() async throws {
        let browser = try await AdminFixture.make().browser(.administrator)
        let attack = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{frame.csrf}}"
        for (address, field) in [
            ("/queue", "q"), ("/queue", "category"), ("/entries", "q"), ("/audit", "target"),
            ("/accounts", "q"),
            ("/login", "next"), ("/media", "q"),
        ] {
            let page = try await browser.send("GET", address, [(field, attack)])
            #expect(!page.html.contains("<script>alert"), "\(address)")
            #expect(!page.html.contains("<img src=x"), "\(address)")
        }
        let page = try await browser.send("GET", "/queue", [("q", attack)])
        #expect(page.html.contains("&lt;script&gt;alert(1)"), "it is shown as it was typed")
    }

    @Test("S39, S40: the queue and the review page show what titles and hosts hide, and say so")
    func suspiciousCharacters() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.feed()
        let id = try await fixture.submit(
            "Your p\u{430}y\u{200B}pal account", category: "har\u{200B}bour", contributor: "\u{202E}nimda",
            fields: [
                "body": "<p>Sign in <a href=\"https://xn--pypal-4ve.com/in\">here</a>\u{2066}</p>",
                "url": "https://p\u{430}ypal.com/in",
            ])
        let plain = try await fixture.submit("Ten cafés in München")
        let browser = try await fixture.browser(.curator)
        let queue = try await browser.visit("/queue")
        #expect(queue.says("Your p\u{430}y[U+200B]pal account"))
        #expect(
            queue.says("Suspicious characters: hidden characters: U+200B; mixed scripts or confusable letters in")
        )
        #expect(queue.says("har[U+200B]bour"))
        let page = try await browser.visit("/queue/\(id)")
        #expect(page.says("Suspicious characters"))
        #expect(page.says("Title: hidden characters: U+200B; mixed scripts"))
        #expect(page.says("Contributor: hidden characters: U+202E"))
        #expect(page.says("[U+202E]nimda"))
        #expect(page.says("https://xn--pypal-4ve.com/in"))
        #expect(page.says("confusable letters in the host"))
        #expect(page.says("leads to xn--pypal-4ve.com"))
        #expect(page.says("U+2066"))
        let links = (1...300).map { "<p><a href=\"https://a\($0).xn--mnchen-3ya.de/\">here</a></p>" }.joined()
        let many = try await fixture.submit("Many links", fields: ["body": .string(links)])
        #expect(try await browser.visit("/queue/\(many)").says("more links were not checked"))
        let quiet = try await browser.visit("/queue/\(plain)")
        #expect(!quiet.html.contains("id=\"suspicious-characters\""))
    }
}
