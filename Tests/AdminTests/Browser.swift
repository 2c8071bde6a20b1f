// A headless browser for the admin pages: keeps cookies, fills forms, follows redirects.
import Admin
import EventLoop
import FoundationEssentials
import HTTP
import Testing

final class Browser {
    static let host = "vitrine.example.org"

    let site: AdminSite
    let loop: EventLoop
    var cookies: [String: String] = [:]
    /// Of the session; read from a page when it is first needed.
    private var csrf: String?

    init(site: AdminSite, loop: EventLoop) {
        self.site = site
        self.loop = loop
    }

    // MARK: As a person

    /// Opens a page and goes where it redirects.
    func visit(_ url: String) async throws -> BrowserPage {
        try await follow(try await get(url))
    }

    /// Presses a button and goes where that leads.
    func press(_ button: String, in form: PageForm) async throws -> BrowserPage {
        try await follow(try await send(form.method, form.action, try form.fields(pressing: button)))
    }

    /// Finds the button on the page, fills in and ticks the named fields of its form, and presses it.
    func press(
        _ button: String, on page: BrowserPage, filling texts: KeyValuePairs<String, String> = [:],
        ticking boxes: KeyValuePairs<String, String> = [:]
    ) async throws -> BrowserPage {
        var form = try page.form(button)
        for (name, text) in texts { try form.fill(name, text) }
        for (name, value) in boxes { try form.tick(name, value) }
        return try await press(button, in: form)
    }

    func signIn(
        _ email: String, _ password: String = AdminFixture.password, on page: BrowserPage
    ) async throws -> BrowserPage {
        try await press("Sign in", on: page, filling: ["username": email, "password": password])
    }

    func click(_ text: String, on page: BrowserPage) async throws -> BrowserPage {
        try await visit(try page.link(text))
    }

    /// Sends a form with files; `fields` take the place of those of the same name.
    func upload(_ uploads: [Upload], _ fields: [(String, String)], in form: PageForm) async throws -> BrowserPage {
        let kept = try form.fields(pressing: nil).filter { old in !fields.contains { $0.0 == old.0 } }
        return try await follow(try await send(form.method, form.action, kept + fields, uploads: uploads))
    }

    /// Goes where a response redirects.
    func follow(_ page: BrowserPage) async throws -> BrowserPage {
        var page = page
        for _ in 0..<5 {
            guard (300..<400).contains(page.status), let url = page.location else { break }
            // A browser does not send the fragment.
            page = try await get(String(url.prefix { $0 != "#" }))
        }
        return page
    }

    // MARK: One request, whose response may be a redirect

    func get(_ url: String) async throws -> BrowserPage { try await send("GET", url, []) }

    /// Posts fields with the CSRF token of the session.
    func post(_ url: String, _ fields: [(String, String)]) async throws -> BrowserPage {
        if fields.contains(where: { $0.0 == "csrf" }) { return try await send("POST", url, fields) }
        if csrf == nil, !cookies.isEmpty {
            csrf = try await visit("/feeds").forms.lazy.compactMap { $0.value("csrf") }.first
        }
        return try await send("POST", url, [("csrf", csrf ?? "")] + fields)
    }

    /// Fills in and posts the form of a page with this `action`; `input` replaces fields of the same name.
    func fill(_ page: BrowserPage, _ action: String, _ input: [(String, String)]) async throws -> BrowserPage {
        let names = Set(input.map(\.0))
        return try await post(action, page.form(to: action).filter { !names.contains($0.0) } + input)
    }

    /// Sends a request; `headers` replace the default ones.
    func send(
        _ method: String, _ url: String, _ fields: [(String, String)], headers changed: [String: String] = [:],
        uploads: [Upload] = []
    ) async throws -> BrowserPage {
        let form = FormFields(fields.map { FormFields.Field(name: $0.0, value: $0.1) }, uploads: uploads)
        let target = method == "GET" && !fields.isEmpty ? "\(url)?\(form.urlEncoded)" : url
        let parts = target.split(separator: "?", maxSplits: 1)
        var headers = Headers()
        headers.set("Host", Self.host)
        headers.set("Sec-Fetch-Site", "same-origin")
        if method == "POST" { headers.set("Origin", "https://\(Self.host)") }
        if !cookies.isEmpty {
            headers.set("Cookie", cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; "))
        }
        for (name, value) in changed { headers.set(name, value) }
        let response = await site.respond(
            Request(
                method: method, path: try PercentCoding.decode(parts[0].utf8, plusIsSpace: false), rawTarget: target,
                query: parts.count > 1 ? try FormFields(urlEncoded: parts[1].utf8) : FormFields(), headers: headers,
                body: method == "POST" ? .form(form) : .none, remoteAddress: "192.0.2.7", loop: loop))
        keep(response.headers.all("Set-Cookie"))
        let page = BrowserPage(response, at: target)
        // Compressed pages aren't read.
        let unresolved = page.headers["Content-Encoding"] == nil ? PageLinks(page).unresolved : []
        #expect(unresolved.isEmpty, "\(target) has links or forms without an endpoint: \(unresolved)")
        return page
    }

    private func keep(_ lines: [String]) {
        for line in lines {
            let parts = line.split(separator: "; ")
            guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { continue }
            let name = String(pair[..<equals])
            cookies[name] = parts.contains("Max-Age=0") ? nil : String(pair[pair.index(after: equals)...])
        }
    }
}
