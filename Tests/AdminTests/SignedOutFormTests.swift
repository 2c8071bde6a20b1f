// Tests what is read and shown of forms without a session: of strangers little and nothing, of people whose session has
// ended everything.
import Domain
import FoundationEssentials
import HTTP
import Operations
import Platform
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Forms without a session", .databases)
struct SignedOutFormTests {
    private let new = "/entries/new?type=article"
    private let large = AdminSite.admittedLength + 1

    /// What the server does with the head of a request: nil if it reads the body.
    private func refusal(_ browser: Browser, _ path: String, length: Int) async -> Response? {
        var headers = Headers()
        headers.set("Host", Browser.host)
        headers.set("Sec-Fetch-Site", "same-origin")
        headers.set("Content-Length", String(length))
        headers.set("Cookie", browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
        return await browser.site.admission(
            Request(
                method: "POST", path: path, rawTarget: path, headers: headers, remoteAddress: "192.0.2.7",
                loop: browser.loop)
        ).refusal
    }

    /// Sends a form as the server takes it: a large one only if its head is admitted.
    private func send(
        _ browser: Browser, _ path: String, _ fields: [(String, String)]
    ) async throws -> BrowserPage {
        let length = FormFields(fields.map { FormFields.Field(name: $0.0, value: $0.1) }).urlEncoded.utf8.count
        if length > AdminSite.admittedLength, let refused = await refusal(browser, path, length: length) {
            return BrowserPage(refused, at: path)
        }
        return try await browser.send("POST", path, fields)
    }

    private func signIn(_ browser: Browser, _ page: BrowserPage, password: String) throws -> [(String, String)] {
        var form = try page.form("Sign in")
        try form.fill("username", "ann@example.org")
        try form.fill("password", password)
        return try form.fields(pressing: "Sign in")
    }

    private func signedIn(_ site: AdminFixture) async throws -> Browser {
        let visit = site.stranger
        let page = try await visit.visit("/login")
        _ = try await visit.follow(
            try await send(visit, "/login", try signIn(visit, page, password: AdminFixture.password)))
        return visit
    }

    private func end(_ site: AdminFixture) async throws {
        try await site.test.client.execute("delete from ops.session")
    }

    @Test(
        "S29: nothing of what a stranger sends comes back, however many fields and whatever claims to be a form of ours"
    )
    func strangers() async throws {
        let site = try await AdminFixture.make()
        let id = try await site.account("ann@example.org", .editor)
        let many = (1...990).map { ("field.f\($0)", "stranger words \($0)") }
        let ours = [("autosave", new), ("autosave.account", id.description)]
        let carried = JSONValue.object([
            "form": .string(new), "account": .string(id.description),
            "fields": .array([.array(["field.title", "stranger words"])]),
        ]).canonicalText
        for isForged in [false, true] {
            let stranger = site.stranger
            if isForged {
                stranger.cookies["__Host-vitrine_session"] = Token.make().text
                for name in [SignInProof.browser.name, SignInProof.draft.name] {
                    stranger.cookies[name] = "4102444800.\(Base64.encode([UInt8](repeating: 7, count: 32), .url))"
                }
            }
            for (path, fields) in [
                ("/entries", many), ("/entries", ours + many), ("/nowhere", many), ("/settings", many),
                ("/login", many), ("/password", many),
            ] {
                let page = try await stranger.send("POST", path, fields)
                #expect([303, 403, 404].contains(page.status), "\(path)")
                #expect(page.html.utf8.count < 8192 && !page.html.contains("stranger words"), "\(path)")
            }
            #expect(try await stranger.send("POST", "/entries", ours + many).location?.hasPrefix("/login?") == true)
            // Not with the wrong password either.
            let form = try signIn(stranger, try await stranger.visit("/login"), password: "wrong")
            let refused = try await stranger.send("POST", "/login", form + [(UnsavedForm.field, carried)])
            #expect(refused.status == 422 && !refused.html.contains("stranger words"))
            #expect(stranger.cookies[SignInProof.draft.name] == nil || isForged)
        }
    }

    @Test(
        "S29: large bodies are read from people who are or were signed in, at the sign-in page only with a text to carry"
    )
    func admission() async throws {
        let site = try await AdminFixture.make()
        _ = try await site.account("ann@example.org", .editor)
        let stranger = site.stranger
        for path in ["/entries", "/login", "/login/code", "/autosaves", "/media", "/logout"] {
            let refused = try #require(await refusal(stranger, path, length: large), "\(path)")
            #expect(refused.status == 303 && refused.headers["Location"]?.hasPrefix("/login?") == true, "\(path)")
        }
        stranger.cookies["__Host-vitrine_session"] = Token.make().text
        #expect(await refusal(stranger, "/entries", length: large)?.status == 303)
        for (path, isLittle) in [
            ("/password", true), ("/login", false), ("/submit/stories", false), ("/entries", false),
        ] {
            #expect(site.site.takesLittle("POST", path) == isLittle, "\(path)")
        }

        let visit = try await signedIn(site)
        #expect(await refusal(visit, "/entries", length: large) == nil)
        #expect(await refusal(visit, "/login", length: large)?.status == 303)
        try await end(site)
        #expect(await refusal(visit, "/entries", length: large) == nil)
        #expect(await refusal(visit, "/entries", length: AdminSite.bodyLimit + 1)?.status == 403)
        #expect(await refusal(visit, "/login", length: large)?.status == 303)
        // Of another purpose, expired, or with another account.
        let proof = try #require(visit.cookies[SignInProof.browser.name])
        let (time, code) = (String(proof.prefix { $0 != "." }), String(proof.drop { $0 != "." }))
        for forged in [
            "\(1)\(code)", "\((Int(time) ?? 0) + 1)\(code)", "\(time).\(String(code.dropFirst().reversed()))", time, "",
        ] {
            visit.cookies[SignInProof.browser.name] = forged
            #expect(await refusal(visit, "/entries", length: large)?.status == 303, "\(forged)")
        }
        visit.cookies[SignInProof.draft.name] = proof
        #expect(await refusal(visit, "/login", length: large)?.status == 303)
    }

    @Test("S14: a long form whose session has ended comes back with every word, after a wrong password, too")
    func longForm() async throws {
        let site = try await AdminFixture.make()
        _ = try await site.account("ann@example.org", .editor)
        let visit = try await signedIn(site)
        let open = try await visit.get(new)
        let words = (1...20_000).map { "शब्द\($0)" }.joined(separator: " ")
        try await end(site)
        let typed = open.form(id: "edit").filter { $0.0 != "field.body" } + [("field.body", words), ("action", "now")]
        let out = try await send(visit, "/entries", typed)
        #expect(out.status == 403 && out.says("You were signed out"))
        let wrong = try await send(visit, "/login", try signIn(visit, out, password: "wrong"))
        #expect(wrong.status == 422)
        let inside = try await visit.follow(
            try await send(visit, "/login", try signIn(visit, wrong, password: AdminFixture.password)))
        let box = try #require(inside.html.split(separator: "name=\"field.body\"").dropFirst().first)
        let body = try #require(box.split(separator: "</textarea>").first)
        let found = Set(body.split { " <>&;\n".contains($0) }.map(String.init))
        #expect(inside.url == new && found.isSuperset(of: words.split(separator: " ").map(String.init)))
    }

    @Test("A refused form of somebody who is signed in: the start is shown, and the whole form opens again")
    func refused() async throws {
        let visit = try await AdminFixture.make().browser(.editor)
        let long = String(repeating: "é", count: 100_000)
        let many = (1...30).map { ("f\($0)", "word \($0)." + ($0 == 1 ? long : "")) }
        let short = try await visit.post("/entries/none/nothing", Array(many.dropFirst().prefix(20)))
        #expect(short.status == 404 && short.holds("word 21.") && !short.says("more than is shown here"))
        let cut = try await visit.post("/entries/none/nothing", many)
        #expect(cut.says("The form had more than is shown here.") && cut.holds("word 20.") && !cut.holds("word 21."))
        #expect(cut.html.utf8.count < 150_000)

        let names: Set = ["csrf", "type", "field.title"]
        let open = try await visit.get(new).form(id: "edit").filter { !names.contains($0.0) }
        let unknown = try await visit.post(
            "/entries", open + [("type", "nothing"), ("field.title", "Every word of it"), ("action", "now")])
        #expect(unknown.status == 422 && unknown.holds("Every word of it"))
        let shown = try await visit.press("Show the form with your text", on: unknown)
        #expect(shown.form(id: "edit").contains { $0 == ("field.title", "Every word of it") })
    }
}
