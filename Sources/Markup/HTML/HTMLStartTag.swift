// Writes a start tag with its allowed attributes, each value validated and rewritten.

import FoundationEssentials

enum HTMLStartTag {
    /// What the value of an attribute must be; others are removed.
    private enum Rule {
        case text
        /// Empty if there is none.
        case textOrEmpty
        case number(ClosedRange<Int>)
        case choice(Set<String>)
        /// Present or not.
        case flag
        case imageURL
        /// A target in the same text, or another page, then marked as a link of somebody else.
        case target
    }

    /// The attributes of each element, beside `id`, `lang` and `dir`, which any may have.
    private static let rules: [String: [(name: String, rule: Rule)]] = [
        "a": [("href", .target), ("title", .text)],
        "img": [
            ("src", .imageURL), ("alt", .textOrEmpty), ("title", .text), ("width", .number(1...10_000)),
            ("height", .number(1...10_000)),
        ],
        "abbr": [("title", .text)],
        "ol": [
            ("type", .choice(["1", "a", "A", "i", "I"])), ("start", .number(-32_768...32_767)), ("reversed", .flag),
        ],
        "li": [("value", .number(-32_768...32_767))],
        "td": [("colspan", .number(2...100)), ("rowspan", .number(2...1000))],
        "th": [
            ("scope", .choice(["col", "row", "colgroup", "rowgroup"])), ("colspan", .number(2...100)),
            ("rowspan", .number(2...1000)),
        ],
    ]

    /// The names of the attributes of each element, beside `id`, `lang` and `dir`.
    static var attributeNames: [String: [String]] { rules.mapValues { $0.map(\.name) } }

    /// A link of content to another site: not an endorsement, and without access to the page.
    static let relation = "nofollow ugc noopener"

    /// Nil if the element is useless without a removed attribute: a link or image without URL, a `bdo` without
    /// direction.
    static func of(
        _ name: String, _ element: HTMLElement, base: URL?, anchors: HTMLAnchors, direction: HTMLDirection,
        id: String? = nil
    ) -> String? {
        if name == "bdo" && direction.dir == nil || name == "span" && direction.isEmpty { return nil }
        var attributes: [(String, String)] = []
        func keep(_ name: String, _ value: String?) {
            if let value { attributes.append((name, value)) }
        }
        var relation: String?
        for (name, rule) in rules[name] ?? [] {
            let value = element.attribute(name)
            switch rule {
            case .text: keep(name, value.map(HTMLCharacter.cleaned))
            case .textOrEmpty: keep(name, value.map(HTMLCharacter.cleaned) ?? "")
            case .number(let range): keep(name, value.flatMap(Int.init).flatMap { range.contains($0) ? "\($0)" : nil })
            case .choice(let choices):
                // Only the types of lists distinguish case.
                let value = name == "type" ? value : value?.lowercased()
                keep(name, value.flatMap { choices.contains($0) ? $0 : nil })
            case .flag: keep(name, value.map { _ in "" })
            case .imageURL:
                guard let url = value.flatMap({ LinkURL.absolute($0, for: .image, base: base) }) else { return nil }
                keep(name, url)
            case .target:
                if let fragment = anchors.link(to: value) {
                    keep(name, fragment)
                } else {
                    guard let url = value.flatMap({ LinkURL.absolute($0, for: .link, base: base) }) else { return nil }
                    keep(name, url)
                    relation = Self.relation
                }
            }
        }
        keep("rel", relation)
        keep("id", id)
        keep("lang", direction.lang)
        keep("dir", direction.dir)
        return "<\(name)" + attributes.map { " \($0)=\"\(HTMLEscape.attribute($1))\"" }.joined() + ">"
    }
}
