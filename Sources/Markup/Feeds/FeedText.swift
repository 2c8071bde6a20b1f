// Converts between HTML and plain text.

enum FeedText {
    /// Which tags are markup, and which are literal text about markup.
    enum Tags {
        case all
        /// Only inline tags are markup; others are literal text, such as `<template>` in a title.
        case inline
    }

    /// Removes tags, decodes entities and collapses white space, in one pass.
    static func plain(_ html: String, without tags: Tags) -> String {
        let bytes = Array(html.utf8)
        var text: [UInt8] = []
        var index = 0
        // After the last `>`, each `<` is text; this avoids a search to the end for each one.
        let lastEnd = bytes.lastIndex(of: UInt8(ascii: ">")) ?? -1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<") where index < lastEnd:
                guard let tag = tag(in: bytes[index...], which: tags) else {
                    text.append(bytes[index])
                    index += 1
                    continue
                }
                if !inline.contains(tag.name) || tag.name == "br" { text.append(UInt8(ascii: " ")) }
                index = tag.end
                if !tag.closes, tag.name == "script" || tag.name == "style" {
                    let close = bytes[index...].feedRange(of: Array("</\(tag.name)".utf8))
                    index = close?.lowerBound ?? bytes.count
                }
            case UInt8(ascii: "&"):
                guard let entity = FeedEntity.read(bytes[index...]) else { fallthrough }
                text.append(contentsOf: String(entity.scalar).utf8)
                index += entity.length
            default:
                text.append(bytes[index])
                index += 1
            }
        }
        return collapse(String(decoding: text, as: UTF8.self))
    }

    /// The tag or comment at the start of `bytes`: its name in lowercase and its end.
    private static func tag(in bytes: ArraySlice<UInt8>, which: Tags) -> (name: String, closes: Bool, end: Int)? {
        if bytes.starts(with: Array("<!--".utf8)) {
            return ("", false, bytes.feedRange(of: Array("-->".utf8))?.upperBound ?? bytes.endIndex)
        }
        var rest = bytes.dropFirst()
        let closes = rest.first == UInt8(ascii: "/")
        if closes { rest = rest.dropFirst() }
        guard rest.first?.isFeedLetter == true else { return nil }
        let name = String(decoding: rest.prefix(20).prefix { $0.isFeedLetter || $0.isFeedDigit }, as: UTF8.self)
            .lowercased()
        guard which == .all || inline.contains(name) else { return nil }
        return rest.firstIndex(of: UInt8(ascii: ">")).map { (name, closes, $0 + 1) }
    }

    private static let inline: Set<String> = [
        "a", "abbr", "b", "big", "br", "cite", "code", "del", "em", "font", "i", "img", "ins", "mark", "q", "s",
        "small",
        "span", "strong", "sub", "sup", "tt", "u", "wbr",
    ]

    static func escape(_ text: String) -> String {
        var html = ""
        html.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            default: html.unicodeScalars.append(scalar)
            }
        }
        return html
    }

    /// Plain text with significant line breaks.
    static func escapeLines(_ text: String) -> String {
        escape(text).split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "<br>\n")
    }

    /// Trims white space and collapses each run to one space.
    static func collapse(_ text: String) -> String {
        var result = ""
        var space = false
        for scalar in text.unicodeScalars {
            if isSpace(scalar) {
                space = !result.isEmpty
            } else {
                if space { result += " " }
                space = false
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    static func trim(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(scalars[first...last])
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace
    }

    /// At most `characters` characters; a longer text is cut after a word if possible, with an ellipsis.
    static func cut(_ text: String, to characters: Int) -> String {
        guard let end = text.index(text.startIndex, offsetBy: characters, limitedBy: text.endIndex), end < text.endIndex
        else { return text }
        let kept = text[..<text.index(before: end)]
        let prefix = kept.lastIndex(of: " ").map { kept[..<$0] } ?? kept
        return (prefix.count * 2 > kept.count ? prefix : kept) + "…"
    }
}
