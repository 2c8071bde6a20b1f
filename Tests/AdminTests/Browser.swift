// A headless browser for the admin pages: keeps cookies, fills forms, follows redirects.
import Admin
import EventLoop
import FoundationEssentials
import HTTP
import Testing

struct BrowserPage: Sendable {
    let status: Int
    /// Path and query of the page.
    let url: String
    let html: String
    let headers: Headers
    let forms: [PageForm]
    let links: [(url: String, text: String)]
    let title: String
    let text: String
    let elements: Set<String>

    init(_ response: Response, at url: String) {
        status = response.status
        headers = response.headers
        self.url = url
        html = if case .bytes(let bytes) = response.body { String(decoding: bytes, as: UTF8.self) } else { "" }
        let read = PageReader(html)
        (forms, links, title, text, elements) = (read.forms, read.links, read.title, read.text, read.elements)
    }

    /// The form that contains a button with this label.
    func form(_ button: String) throws -> PageForm {
        guard let form = forms.first(where: { $0.controls.contains { $0.kind == .button && $0.label == button } })
        else { throw PageForm.NoControl(name: button) }
        return form
    }

    func hasButton(_ button: String) -> Bool { (try? form(button)) != nil }

    func link(_ text: String) throws -> String {
        guard let link = links.first(where: { $0.text == text }) else { throw PageForm.NoControl(name: text) }
        return link.url
    }

    func says(_ sentence: String) -> Bool { text.contains(sentence) }
}

final class Browser {
    static let host = "vitrine.example.org"

    let site: AdminSite
    let loop: EventLoop
    var cookies: [String: String] = [:]

    init(site: AdminSite, loop: EventLoop) {
        self.site = site
        self.loop = loop
    }

    func visit(_ url: String) async throws -> BrowserPage {
        try await follow(try await send("GET", url, []))
    }

    /// Presses a button and goes where that leads.
    func press(_ button: String, in form: PageForm) async throws -> BrowserPage {
        try await follow(try await send(form.method, form.action, try form.fields(pressing: button)))
    }

    /// Finds the button on the page and presses it, the form as it is.
    func press(_ button: String, on page: BrowserPage) async throws -> BrowserPage {
        try await press(button, in: try page.form(button))
    }

    func click(_ text: String, on page: BrowserPage) async throws -> BrowserPage {
        try await visit(try page.link(text))
    }

    /// Sends a form with files; `fields` take the place of those of the same name.
    func upload(_ uploads: [Upload], _ fields: [(String, String)], in form: PageForm) async throws -> BrowserPage {
        let kept = try form.fields(pressing: nil).filter { old in !fields.contains { $0.0 == old.0 } }
        return try await follow(try await send(form.method, form.action, kept + fields, uploads: uploads))
    }

    private func follow(_ page: BrowserPage) async throws -> BrowserPage {
        var page = page
        for _ in 0..<5 {
            guard (300..<400).contains(page.status), let url = page.headers["Location"] else { break }
            page = try await send("GET", url, [])
        }
        return page
    }

    /// Sends one request without following redirects; `headers` replace the default ones.
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
        let unresolved = PageLinks(page).unresolved
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
