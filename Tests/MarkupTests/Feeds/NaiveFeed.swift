// A second, simple-minded reading of a document by searching for tags, to compare with.

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

    /// What stands in the first element of this name, CDATA or entities taken away once; nil where there is none, or it
    /// holds more than the simple mind understands.
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

    /// Values of an attribute in all tags of this name.
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
            // A mark keeps an ampersand that comes out from being read once more.
            let character = value.flatMap(UnicodeScalar.init).map(String.init) ?? ""
            text.replaceSubrange(found, with: character == "&" ? "\u{1}" : character)
        }
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
            text = text.replacingOccurrences(of: entity, with: character)
        }
        return text.replacingOccurrences(of: "\u{1}", with: "&")
    }

    /// Only the letters and digits, without tags and entities, for texts that are allowed to differ in these.
    static func letters(_ text: String) -> String {
        unescaped(unescaped(text)).replacingOccurrences(of: "</?[A-Za-z][^>]*>", with: "", options: .regularExpression)
            .replacingOccurrences(of: "&[a-z]+;", with: "", options: .regularExpression)
            .filter { $0.isLetter || $0.isNumber }
    }
}
