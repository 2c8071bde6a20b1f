// Writes a start tag with its allowed attributes, each value validated and rewritten.

import FoundationEssentials

enum HTMLStartTag {
    /// Nil if the element is useless without a removed attribute: a link or image without URL.
    static func of(_ name: String, _ element: HTMLElement, base: URL?) -> String? {
        var attributes: [(String, String)] = []
        func keep(_ name: String, _ value: String?) {
            if let value { attributes.append((name, value)) }
        }
        switch name {
        case "a":
            guard let href = linkURL(element.attribute("href"), for: .link, base: base) else { return nil }
            keep("href", href)
            keep("title", text(element.attribute("title")))
            keep("rel", "nofollow ugc noopener")
        case "img":
            guard let source = linkURL(element.attribute("src"), for: .image, base: base) else { return nil }
            keep("src", source)
            keep("alt", text(element.attribute("alt")) ?? "")
            keep("title", text(element.attribute("title")))
            keep("width", number(element.attribute("width"), in: 1...10_000))
            keep("height", number(element.attribute("height"), in: 1...10_000))
        case "abbr": keep("title", text(element.attribute("title")))
        case "ol": keep("start", number(element.attribute("start"), in: -32_768...32_767))
        case "td", "th":
            keep("colspan", number(element.attribute("colspan"), in: 2...100))
            keep("rowspan", number(element.attribute("rowspan"), in: 2...1000))
        default: break
        }
        return "<\(name)" + attributes.map { " \($0)=\"\(HTMLEscape.attribute($1))\"" }.joined() + ">"
    }

    private static func linkURL(_ value: String?, for use: LinkURL.Use, base: URL?) -> String? {
        value.flatMap { LinkURL.absolute($0, for: use, base: base) }
    }

    private static func text(_ value: String?) -> String? {
        value.map(HTMLCharacter.cleaned)
    }

    private static func number(_ value: String?, in range: ClosedRange<Int>) -> String? {
        guard let value, let number = Int(value), range.contains(number) else { return nil }
        return String(number)
    }
}
