// A page as the browser sees it: its forms, links and text.
import Domain
import HTTP
import Store

struct BrowserPage: Sendable {
    let status: Int
    /// Path and query of the page.
    let url: String
    let html: String
    let headers: Headers
    let forms: [PageForm]
    let links: [(url: String, text: String)]
    let requests: [(attribute: String, url: String)]
    let title: String
    let text: String
    let elements: Set<String>

    init(_ response: Response, at url: String) {
        status = response.status
        headers = response.headers
        self.url = url
        html = if case .bytes(let bytes) = response.body { String(decoding: bytes, as: UTF8.self) } else { "" }
        let read = PageReader(html)
        (forms, links, requests, title) = (read.forms, read.links, read.requests, read.title)
        (text, elements) = (read.text, read.elements)
    }

    /// The form that contains a button with this label.
    func form(_ button: String) throws -> PageForm {
        guard let form = forms.first(where: { $0.controls.contains { $0.kind == .button && $0.label == button } })
        else { throw PageForm.NoControl(name: button) }
        return form
    }

    func hasButton(_ button: String) -> Bool { (try? form(button)) != nil }

    func link(_ text: String) throws -> String {
        guard let link = links.first(where: { $0.text.trimmingCharacters(in: .whitespaces) == text }) else {
            throw PageForm.NoControl(name: text)
        }
        return link.url
    }

    func says(_ sentence: String) -> Bool { text.contains(sentence) }

    /// The source without the header and the navigation.
    var main: Substring { html[(html.firstRange(of: "<main")?.lowerBound ?? html.startIndex)...] }

    var location: String? { headers["Location"] }

    /// The id at the end of the redirect's URL.
    var entry: ID<Entry>? {
        location.flatMap { $0.split(separator: "/").last }.flatMap { ID<Entry>(String($0)) }
    }

    /// Whether the page's source contains this text.
    func holds(_ text: String) -> Bool { html.contains(text) }

    /// Whether an error is shown above the date and time of a form, and named at it.
    var isTimeMarked: Bool { isTimeMarked("local") }

    /// The same for the field with this id.
    func isTimeMarked(_ id: String) -> Bool {
        holds("<p class=\"error\" id=\"\(id)-error\">")
            && holds("aria-invalid=\"true\" aria-describedby=\"\(id)-error\"")
    }

    /// The fields that the form with this action sends without a button; forms that search come last.
    func form(to action: String) -> [(String, String)] {
        let found = forms.filter { $0.action == action }
        return fields(found.first { $0.method != "GET" } ?? found.first)
    }

    func form(id: String) -> [(String, String)] {
        fields(forms.first { $0.id == id })
    }

    private func fields(_ form: PageForm?) -> [(String, String)] {
        (try? form?.fields(pressing: nil)) ?? []
    }
}
