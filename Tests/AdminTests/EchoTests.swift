// Tests that no response to a form contains the passwords and codes that were submitted with it.
@testable import Admin
import Domain
import Foundation
import HTTP
import Operations
import Platform
import Store
import TestSupport
import Testing

@Suite("Echo of secrets", .databases)
struct EchoTests {
    /// The names of the inputs for secrets, and what is typed into them.
    private static let typed = [
        ("password", "pa55-7f3b"), ("current", "cu44-9e1d"), ("code", "c0de-5a2c"),
    ]

    private func expectNoEcho(_ page: BrowserPage, _ name: String) {
        for (field, value) in Self.typed {
            #expect(!page.html.contains(value), "\(name) shows \(field)")
            #expect(page.location?.contains(value) != true, "\(name) redirects with \(field)")
        }
    }

    @Test("S44: the templates have no other inputs for secrets")
    func inputs() throws {
        let folder = TestDatabase.packageRoot + "/Templates"
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".html") }
        var names: Set<String> = []
        for file in files {
            for line in try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).split(separator: "\n")
            where line.contains(/one-time-code|type="password"|type="\{\{#if isShown\}\}text/) {
                let name = line.firstMatch(of: #/ name="([^"]+)"/#)?.1 ?? line.firstMatch(of: #/ id="([^"]+)"/#)?.1
                names.insert(String(try #require(name, "\(file): \(line)")))
            }
        }
        #expect(names == Set(Self.typed.map(\.0)))
    }

    @Test("S44: no form that is refused shows a password or code: signed in, signed out, or from another site")
    func refused() async throws {
        let fixture = try await AdminFixture.make()
        let endpoints = AdminSite.endpoints(TestDatabase.packs).filter { $0.method == "POST" }
        #expect(endpoints.count > 60)
        for endpoint in endpoints {
            let url = endpoint.pattern.replacing(/\{[a-z]+\}/) { _ in UUID().uuidString.lowercased() }
            let administrator = try await fixture.browser(.administrator)
            expectNoEcho(try await administrator.post(url, Self.typed + [("username", "ann@example.org")]), url)
            expectNoEcho(try await administrator.post(url, Self.typed + [("csrf", "wrong")]), url)
            let stranger = fixture.stranger
            expectNoEcho(try await stranger.send("POST", url, Self.typed), url)
            let csrf = try await stranger.visit("/login").forms.lazy.compactMap { $0.value("csrf") }.first
            expectNoEcho(try await stranger.post(url, Self.typed + [("csrf", csrf ?? "")]), url)
        }
    }

    @Test("S44: a new password that is refused is typed again")
    func retyped() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.account("ann@example.org")
        let browser = fixture.stranger
        for purpose in [LinkPurpose.passwordReset, .invitation] {
            let token = Token.make()
            try await fixture.test.database.transaction(
                by: TestDatabase.administrator, AuditEvent("link.create", on: "account")
            ) { try await $0.accounts.addLink(tokenHash: token.hash, account: id, for: purpose, minutes: 10) }
            let url = purpose == .invitation ? AdminURL.invitation(token.text) : AdminURL.passwordReset(token.text)
            let page = try await browser.visit(url)
            let refused = try await browser.fill(page, url, Self.typed)
            #expect(refused.status == 422)
            expectNoEcho(refused, url)
        }
    }
}
