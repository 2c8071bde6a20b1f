// Writes a start tag with its allowed attributes, each value validated and rewritten.

import FoundationEssentials

enum HTMLStartTag {
    /// Nil if the element is useless without a removed attribute: a link or image without URL, a `bdo` without
    /// direction.
    static func of(
        _ name: String, _ element: HTMLElement, base: URL?, anchors: HTMLAnchors, direction: HTMLDirection,
        id: String? = nil
    ) -> String? {
        var attributes: [(String, String)] = []
        func keep(_ name: String, _ value: String?) {
            if let value { attributes.append((name, value)) }
        }
        switch name {
        case "a":
            let href = element.attribute("href")
            if let fragment = anchors.link(to: href) {
                keep("href", fragment)
                keep("title", text(element.attribute("title")))
            } else {
                guard let href = linkURL(href, for: .link, base: base) else { return nil }
                keep("href", href)
                keep("title", text(element.attribute("title")))
                keep("rel", relation)
            }
        case "img":
            guard let source = linkURL(element.attribute("src"), for: .image, base: base) else { return nil }
            keep("src", source)
            keep("alt", text(element.attribute("alt")) ?? "")
            keep("title", text(element.attribute("title")))
            keep("width", number(element.attribute("width"), in: 1...10_000))
            keep("height", number(element.attribute("height"), in: 1...10_000))
        case "abbr": keep("title", text(element.attribute("title")))
        case "bdo" where direction.dir == nil: return nil
        case "span" where direction.isEmpty: return nil
        case "ol":
            keep("type", choice(element.attribute("type"), of: ["1", "a", "A", "i", "I"]))
            keep("start", number(element.attribute("start"), in: -32_768...32_767))
            if element.attribute("reversed") != nil { keep("reversed", "") }
        case "li": keep("value", number(element.attribute("value"), in: -32_768...32_767))
        case "td", "th":
            if name == "th" {
                keep(
                    "scope",
                    choice(element.attribute("scope")?.lowercased(), of: ["col", "row", "colgroup", "rowgroup"]))
            }
            keep("colspan", number(element.attribute("colspan"), in: 2...100))
            keep("rowspan", number(element.attribute("rowspan"), in: 2...1000))
        default: break
        }
        keep("id", id)
        keep("lang", direction.lang)
        keep("dir", direction.dir)
        return "<\(name)" + attributes.map { " \($0)=\"\(HTMLEscape.attribute($1))\"" }.joined() + ">"
    }

    /// A link of content to another site: not an endorsement, and without access to the page.
    static let relation = "nofollow ugc noopener"

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

    private static func choice(_ value: String?, of choices: Set<String>) -> String? {
        value.flatMap { choices.contains($0) ? $0 : nil }
    }
}
