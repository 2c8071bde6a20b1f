// A naive feed parser that searches for tags, used for comparison.

import Foundation

struct NaiveFeed {
    var entries: [Substring] = []

    init(_ text: String, tag: String) {
        var rest = text[...]
        while let start = Self.openTag(tag, in: rest), let end = rest[start.upperBound...].range(of: "</\(tag)>") {
            entries.append(rest[start.upperBound..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
    }

    private static func openTag(_ tag: String, in text: Substring) -> Range<Substring.Index>? {
        text.range(of: "<\(tag)(\\s[^>]*)?>", options: .regularExpression)
    }

    /// The content of the first element with this name, with CDATA or entities decoded once; nil if there is none, or if it
    /// contains markup that the naive parser does not support.
    static func text(_ tag: String, in entry: Substring) -> String? {
        guard let start = openTag(tag, in: entry), !entry[start].hasSuffix("/>"),
            let end = entry[start.upperBound...].range(of: "</\(tag)>")
        else { return nil }
        let inside = entry[start.upperBound..<end.lowerBound].trimmingCharacters(in: .whitespacesAndNewlines)
            .replacingOccurrences(of: "\r\n", with: "\n")
        if inside.hasPrefix("<![CDATA["), inside.hasSuffix("]]>"), inside.components(separatedBy: "]]>").count == 2 {
            return String(inside.dropFirst(9).dropLast(3)).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return inside.contains("<") ? nil : unescaped(inside).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The values of an attribute in all tags with this name.
    static func values(of attribute: String, in tag: String, of entry: Substring) -> [String] {
        var values: [String] = []
        var rest = entry
        while let found = openTag(tag, in: rest) {
            let text = rest[found]
            if let start = text.range(of: " \(attribute)=\""), let end = text[start.upperBound...].firstIndex(of: "\"")
            {
                values.append(unescaped(String(text[start.upperBound..<end])))
            }
            rest = rest[found.upperBound...]
        }
        return values
    }

    static func unescaped(_ text: String) -> String {
        var text = text
        while let found = text.range(of: "&#x?[0-9A-Fa-f]+;", options: .regularExpression) {
            let digits = text[found].dropFirst(2).dropLast()
            let value = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            // A marker prevents a decoded ampersand from being decoded again.
            let character = value.flatMap(UnicodeScalar.init).map(String.init) ?? ""
            text.replaceSubrange(found, with: character == "&" ? "\u{1}" : character)
        }
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
            text = text.replacingOccurrences(of: entity, with: character)
        }
        return text.replacingOccurrences(of: "\u{1}", with: "&")
    }

    /// Only letters and digits, without tags and entities, to compare texts that may differ in these.
    static func letters(_ text: String) -> String {
        unescaped(unescaped(text)).replacingOccurrences(of: "</?[A-Za-z][^>]*>", with: "", options: .regularExpression)
            .replacingOccurrences(of: "&[a-z]+;", with: "", options: .regularExpression)
            .filter { $0.isLetter || $0.isNumber }
    }
}
