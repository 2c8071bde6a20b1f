// A signed-in account on the editors' pages, with the helpers that the tests of these pages need.
import Domain
import HTTP
import Store
import TestSupport

/// The admin pages on a database of their own.
struct EditorSite: Sendable {
    let fixture: AdminFixture

    var test: TestDatabase { fixture.test }

    static func make() async throws -> EditorSite {
        EditorSite(fixture: try await AdminFixture.make())
    }

    /// A visitor with this role, signed in; anonymous without a role.
    func visitor(_ role: Role?, name: String = "Someone") async throws -> EditorVisit {
        guard let role else { return EditorVisit(browser: fixture.stranger, csrf: "") }
        let browser = try await fixture.browser(role, name: name)
        let csrf = try await browser.visit("/feeds").forms.lazy.compactMap { $0.value("csrf") }.first
        return EditorVisit(browser: browser, csrf: csrf ?? "")
    }
}

struct EditorVisit {
    let browser: Browser
    let csrf: String

    /// Requests a page without following redirects.
    func get(_ path: String) async throws -> BrowserPage {
        try await browser.send("GET", path, [])
    }

    /// Posts fields with the CSRF token.
    func post(_ path: String, _ fields: [(String, String)]) async throws -> BrowserPage {
        let own = fields.contains { $0.0 == "csrf" } ? [] : [("csrf", csrf)]
        return try await browser.send("POST", path, own + fields)
    }

    /// Fills in and posts the form of a page with this `action`; `input` replaces fields of the same name.
    func fill(_ page: BrowserPage, _ action: String, _ input: [(String, String)]) async throws -> BrowserPage {
        let names = Set(input.map(\.0))
        return try await post(action, page.form(to: action).filter { !names.contains($0.0) } + input)
    }

    /// Follows the redirect of a response.
    func follow(_ page: BrowserPage) async throws -> BrowserPage {
        // A browser does not send the fragment.
        let path = (page.location ?? "/nowhere").prefix { $0 != "#" }
        return try await browser.visit(String(path))
    }
}

extension BrowserPage {
    var location: String? { headers["Location"] }

    /// The id at the end of the redirect's URL.
    var entry: ID<Entry>? {
        location.flatMap { $0.split(separator: "/").last }.flatMap { ID<Entry>(String($0)) }
    }

    /// Whether the page's source contains this text.
    func holds(_ text: String) -> Bool { html.contains(text) }

    /// The fields that the form with this action sends without a button.
    func form(to action: String) -> [(String, String)] {
        fields(forms.first { $0.action == action })
    }

    func form(id: String) -> [(String, String)] {
        fields(forms.first { $0.id == id })
    }

    private func fields(_ form: PageForm?) -> [(String, String)] {
        (try? form?.fields(pressing: nil)) ?? []
    }
}
