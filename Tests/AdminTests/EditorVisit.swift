// Somebody of the staff before the editors' pages: a browser with the few words that their journeys need.
import Domain
import HTTP
import Store
import TestSupport

/// The pages on a database of their own.
struct EditorSite: Sendable {
    let desk: Desk

    var test: TestDatabase { desk.test }

    static func make() async throws -> EditorSite {
        EditorSite(desk: try await Desk.make())
    }

    /// Somebody of this role, signed in; nobody when there is none.
    func visitor(_ role: Role?, name: String = "Someone") async throws -> EditorVisit {
        guard let role else { return EditorVisit(browser: desk.stranger, csrf: "") }
        let browser = try await desk.browser(role, name: name)
        let csrf = try await browser.visit("/feeds").forms.lazy.compactMap { $0.value("csrf") }.first
        return EditorVisit(browser: browser, csrf: csrf ?? "")
    }
}

struct EditorVisit {
    let browser: Browser
    let csrf: String

    /// Asks for a page and goes nowhere else.
    func get(_ address: String) async throws -> BrowserPage {
        try await browser.send("GET", address, [])
    }

    /// Sends fields, and the token of our pages beside them.
    func post(_ address: String, _ fields: [(String, String)]) async throws -> BrowserPage {
        let own = fields.contains { $0.0 == "csrf" } ? [] : [("csrf", csrf)]
        return try await browser.send("POST", address, own + fields)
    }

    /// Fills in the form of a page that is sent to `action`, and sends it: `changes` replace fields of the same name.
    func fill(_ page: BrowserPage, _ action: String, _ changes: [(String, String)]) async throws -> BrowserPage {
        let names = Set(changes.map(\.0))
        return try await post(action, page.form(to: action).filter { !names.contains($0.0) } + changes)
    }

    /// Goes where the answer leads.
    func follow(_ page: BrowserPage) async throws -> BrowserPage {
        // A browser keeps what stands behind "#" for itself.
        let address = (page.location ?? "/nowhere").prefix { $0 != "#" }
        return try await browser.visit(String(address))
    }
}

extension BrowserPage {
    var location: String? { headers["Location"] }

    /// The id at the end of the place that the answer leads to.
    var entry: ID<Entry>? {
        location.flatMap { $0.split(separator: "/").last }.flatMap { ID<Entry>(String($0)) }
    }

    /// Whether the page's source holds this.
    func holds(_ text: String) -> Bool { html.contains(text) }

    /// What the form to this address would send, without a button.
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
