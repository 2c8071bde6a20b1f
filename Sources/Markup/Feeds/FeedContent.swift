// Converts text elements to HTML: escaped HTML, plain text or XHTML.

enum FeedContent {
    /// An RSS element: HTML that is escaped once, or unescaped elements.
    static func html(_ element: FeedElement, base: String?) -> String {
        element.elements.isEmpty ? FeedText.trim(element.text) : markup(of: element, base: base)
    }

    /// An Atom text construct by its type; empty for images, other documents and external content.
    static func atomHTML(_ element: FeedElement, base: String?) -> String {
        switch atomType(element) {
        case .html: html(element, base: base)
        case .text: FeedText.escape(FeedText.trim(element.text))
        case .xhtml: markup(of: element, base: base)
        case .other: ""
        }
    }

    /// An Atom text construct as one line of plain text.
    static func atomText(_ element: FeedElement, without tags: FeedText.Tags) -> String {
        switch atomType(element) {
        case .html: FeedText.plain(element.text, without: tags)
        case .text, .xhtml: FeedText.collapse(element.text)
        case .other: ""
        }
    }

    private enum AtomType {
        case text, html, xhtml, other
    }

    private static func atomType(_ element: FeedElement) -> AtomType {
        // In Atom 0.3, mode is the encoding of the text and type its media type.
        let mode = element.attribute("mode")?.lowercased()
        if mode == "base64" { return .other }
        let type = FeedText.trim(element.attribute("type") ?? "text").lowercased()
        switch type.prefix(while: { $0 != ";" }) {
        case "text", "text/plain", "plain", "": return element.elements.isEmpty ? .text : .xhtml
        case "html", "text/html": return mode == "xml" || !element.elements.isEmpty ? .xhtml : .html
        case "xhtml", "application/xhtml+xml", "application/xhtml": return mode == "escaped" ? .html : .xhtml
        default: return .other
        }
    }

    /// The child elements as HTML. Removes the div wrapper that Atom requires.
    private static func markup(of element: FeedElement, base: String?) -> String {
        var outer = element
        if element.elements.count == 1, let only = element.elements.first, only.local.lowercased() == "div",
            FeedText.trim(element.text) == FeedText.trim(only.text)
        {
            outer = only
        }
        var html = ""
        for child in outer.children { append(child, to: &html, base: outer.base ?? base) }
        return FeedText.trim(html)
    }

    private static func append(_ child: FeedElement.Child, to html: inout String, base: String?) {
        switch child {
        case .text(let text): html += FeedText.escape(text)
        case .element(let element):
            let base = element.base ?? base
            let name = element.local.lowercased()
            html += "<" + name
            for (key, value) in element.attributes where !key.contains(":") {
                let resolved = links.contains(key) ? FeedURL.resolve(value, against: base) : nil
                html += " \(key)=\"\(FeedText.escape(resolved ?? value))\""
            }
            html += ">"
            if void.contains(name) { return }
            for child in element.children { append(child, to: &html, base: base) }
            html += "</" + name + ">"
        }
    }

    private static let links: Set<String> = ["href", "src", "poster", "cite"]

    private static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]
}
