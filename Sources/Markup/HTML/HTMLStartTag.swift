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
        /// A date, time or duration as HTML writes them.
        case time
        /// The classes that name a programming language; others are for looks.
        case language
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
        "time": [("datetime", .time)],
        "code": [("class", .language)],
        "pre": [("class", .language)],
        "details": [("open", .flag)],
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

    /// Those without a rule that mean something, so that their loss is named.
    private static let meaningful: Set<String> = [
        "abbr", "cite", "datetime", "download", "headers", "hidden", "hreflang", "ismap", "longdesc", "ping", "srcset",
        "summary", "title", "usemap",
    ]

    /// The attributes of an element that are removed although they mean something. URLs are not among them: whether they
    /// are allowed depends on the text.
    static func lost(of element: HTMLElement) -> [String] {
        let name: String
        switch element.role {
        case .paragraph(let written), .inline(let written), .container(let written), .structure(let written),
            .child(let written, _):
            name = written
        case .image: name = "img"
        case .through where element.isNeutral: return element.attribute("srcset") == nil ? [] : ["srcset"]
        default: return []
        }
        return element.attributeNames.filter { attribute in
            guard let value = element.attribute(attribute) else { return false }
            switch (attribute, rules[name]?.first { $0.name == attribute }?.rule) {
            case (_, .imageURL?), (_, .target?), (_, .textOrEmpty?): return false
            // One column is the default.
            case (_, let rule?): return kept(value, as: rule, attribute) == nil && !["", "1"].contains(value)
            case ("lang", nil): return !value.isEmpty && HTMLDirection(element).lang == nil
            case ("dir", nil): return !value.isEmpty && HTMLDirection(element).dir == nil
            case (_, nil): return meaningful.contains(attribute)
            }
        }
    }

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
            case .textOrEmpty: keep(name, value.map(HTMLCharacter.cleaned) ?? "")
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
            default: keep(name, value.flatMap { Self.kept($0, as: rule, name) })
            }
        }
        keep("rel", relation)
        keep("id", id)
        keep("lang", direction.lang)
        keep("dir", direction.dir)
        return "<\(name)" + attributes.map { " \($0)=\"\(HTMLEscape.attribute($1))\"" }.joined() + ">"
    }

    /// The value as it is written; nil if the rule does not allow it. URLs have rules of their own.
    private static func kept(_ value: String, as rule: Rule, _ name: String) -> String? {
        switch rule {
        case .text, .textOrEmpty: return HTMLCharacter.cleaned(value)
        case .number(let range): return Int(value).flatMap { range.contains($0) ? "\($0)" : nil }
        case .choice(let choices):
            // Only the types of lists distinguish case.
            let value = name == "type" ? value : value.lowercased()
            return choices.contains(value) ? value : nil
        case .flag: return ""
        case .time:
            let isTime = value.utf8.allSatisfy { $0.isFeedLetter || $0.isFeedDigit || "+-:. ".utf8.contains($0) }
            return isTime && !value.isEmpty && value.utf8.count <= 40 ? value : nil
        case .language:
            let names = value.split(whereSeparator: \.isWhitespace).filter { $0.wholeMatch(of: language) != nil }
            return names.isEmpty ? nil : names.prefix(2).joined(separator: " ")
        case .imageURL, .target: return nil
        }
    }

    /// As highlighters write it, such as `language-c++`.
    private static var language: Regex<Substring> { #/lang(?:uage)?-[A-Za-z0-9+#._-]{1,30}/# }
}
