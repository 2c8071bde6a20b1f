// Bounds the cost of parsing HTML before parsing it.

/// The parser takes time proportional to length x depth (each character searches the open elements), to the square of
/// the number of attributes of a tag, and to the square of the open formatting elements, which it also copies into each
/// new block. A scan of the tags, without the parser's state, computes upper bounds of all three, but for a small factor:
/// the parser adds at most three elements to an open tag of a table.
package struct HTMLComplexity {
    static let maximumLength = 1 << 20
    static let maximumTags = 20_000
    /// The sum of the open elements over all bytes; at the limit, malicious text takes about a second.
    static let maximumNesting = 2_000_000_000
    static let maximumAttributes = 256
    /// Different formatting tags (`<font size=1>`, `<font size=2>`) that are open at once; browsers bound them too.
    package static let maximumOpenFormatting = 128

    static func refusal(of html: UnsafeBufferPointer<UInt8>) -> HTMLRefusal? {
        if html.count > maximumLength { return .tooLong(limit: maximumLength) }
        var scan = HTMLComplexity(html)
        return scan.run()
    }

    /// The upper bound of the depth of the parsed document, for tests.
    package static func depth(of html: String) -> Int {
        var html = html
        return html.withUTF8 { bytes in
            var scan = HTMLComplexity(bytes)
            _ = scan.run()
            return scan.deepest
        }
    }

    private static let formatting: Set<String> = [
        "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
    ]
    private static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    ]
    /// Names are compared up to this many bytes.
    private static let nameLength = 20
    /// Their content is text for the parser, except in SVG.
    private static let raw: Set<String> = [
        "iframe", "noembed", "noframes", "plaintext", "script", "style", "textarea", "title", "xmp",
    ]

    private let html: UnsafeBufferPointer<UInt8>
    private var tags = 0
    /// The start tags that may be open. An end tag is certain to close the last one of its name only, so that a tag
    /// without an end tag keeps all those around it open.
    private var openTags: [String] = []
    private var nesting = 0
    private var measuredEnd = 0
    private var deepest = 0
    /// In SVG and MathML, elements that HTML closes at once stay open.
    private var isForeign = false
    /// The open formatting tags as written, by name; of equal ones the parser keeps three.
    private var open: [String: [[UInt8]]] = [:]
    private var copies: [[UInt8]: Int] = [:]
    private var openFormatting = 0
    /// Up to here end tags may be text, so they close nothing; start tags count, because they may be tags.
    private var textEnd = 0

    private init(_ html: UnsafeBufferPointer<UInt8>) {
        self.html = html
    }

    private mutating func run() -> HTMLRefusal? {
        var index = 0
        while let start = html[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = start + 1
            guard index < html.count else { break }
            let closes = html[index] == UInt8(ascii: "/")
            let nameStart = closes ? index + 1 : index
            if nameStart < html.count, html[nameStart].isFeedLetter {
                let tag = readTag(from: nameStart)
                tags += 1
                if tags > Self.maximumTags || tag.attributes > Self.maximumAttributes { return .tooManyTags }
                measure(to: tag.end)
                if closes {
                    close(tag.name, at: start)
                } else {
                    take(tag.name, written: nameStart..<tag.end, end: tag.end)
                }
                if openFormatting > Self.maximumOpenFormatting { return .tooTangled }
                // Text up to here, or a tag that goes on: from now on, no end tag is certain.
                if start < textEnd, tag.end > textEnd { textEnd = html.count } else { index = tag.end }
            } else if start < textEnd {
                continue
            } else if closes || html[index] == UInt8(ascii: "!") || html[index] == UInt8(ascii: "?") {
                index = skipComment(from: index)
            }
        }
        measure(to: html.count)
        return nesting > Self.maximumNesting ? .tooManyTags : nil
    }

    // MARK: Open elements

    private mutating func measure(to end: Int) {
        guard end > measuredEnd else { return }
        nesting += (end - measuredEnd) * (openTags.count + 1)
        measuredEnd = end
    }

    // MARK: Formatting elements

    private mutating func take(_ name: String, written: Range<Int>, end: Int) {
        if Self.raw.contains(name), end >= textEnd {
            textEnd = name == "plaintext" ? html.count : position(of: "</\(name)", from: end) ?? html.count
        }
        isForeign = isForeign || name == "svg" || name == "math"
        if isForeign || !Self.void.contains(name) {
            openTags.append(name)
            deepest = max(deepest, openTags.count)
        }
        guard Self.formatting.contains(name) else { return }
        // A link closes an open link: links do not nest.
        if name == "a" || name == "nobr" { while open[name]?.isEmpty == false { forget(name) } }
        let key = Array(html[written])
        open[name, default: []].append(key)
        copies[key, default: 0] += 1
        if copies[key, default: 0] <= 3 { openFormatting += 1 }
    }

    private mutating func close(_ name: String, at start: Int) {
        guard start >= textEnd else { return }
        let isWhole = name.utf8.count < Self.nameLength && name.utf8.allSatisfy { $0.isFeedLetter || $0.isFeedDigit }
        if isWhole, !isForeign, openTags.last == name { openTags.removeLast() }
        if Self.formatting.contains(name) { forget(name) }
    }

    private mutating func forget(_ name: String) {
        guard let key = open[name]?.popLast(), let count = copies[key] else { return }
        copies[key] = count == 1 ? nil : count - 1
        if count <= 3 { openFormatting -= 1 }
    }

    // MARK: Syntax

    /// The end of a comment, or of what the parser reads as one.
    private mutating func skipComment(from start: Int) -> Int {
        if matches("!--", at: start) {
            let text = start + 3
            if matches(">", at: text) { return text + 1 }
            if matches("->", at: text) { return text + 2 }
            var index = text
            while let dashes = position(of: "--", from: index) {
                if matches(">", at: dashes + 2) { return dashes + 3 }
                if matches("!>", at: dashes + 2) { return dashes + 4 }
                index = dashes + 1
            }
            return html.count
        }
        // In SVG it ends here, elsewhere at the next `>`.
        if matches("![cdata[", at: start) {
            textEnd = position(of: "]]>", from: start) ?? html.count
            return start + 1
        }
        return html[start...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? html.count
    }

    /// In lowercase `text`, compared without case.
    private func matches(_ text: StaticString, at start: Int) -> Bool {
        guard start + text.utf8CodeUnitCount <= html.count else { return false }
        for offset in 0..<text.utf8CodeUnitCount {
            let byte = html[start + offset]
            let folded = byte.isFeedLetter ? byte | 0x20 : byte
            if folded != text.utf8Start[offset] { return false }
        }
        return true
    }

    private func position(of text: String, from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        var index = start
        while let found = html[min(index, html.count)...].firstIndex(where: { $0 | 0x20 == wanted[0] | 0x20 }) {
            let rest = html[found...].prefix(wanted.count)
            if rest.count < wanted.count { return nil }
            if zip(rest, wanted).allSatisfy({ $0 | ($0.isFeedLetter ? 0x20 : 0) == $1 }) { return found }
            index = found + 1
        }
        return nil
    }

    private enum Position {
        case name, beforeAttribute, attribute, afterAttribute, beforeValue, unquoted
        case quoted(UInt8)
    }

    /// The tag whose name starts here, read like the HTML tokenizer.
    private func readTag(from start: Int) -> (name: String, attributes: Int, end: Int) {
        var attributes = 0
        var position = Position.name
        var nameEnd = start
        var index = start
        while index < html.count {
            let byte = html[index]
            index += 1
            if case .quoted(let quote) = position {
                if byte == quote { position = .beforeAttribute }
                continue
            }
            if byte == UInt8(ascii: ">") { break }
            let isSpace = byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
            switch position {
            case .name:
                if isSpace || byte == UInt8(ascii: "/") { position = .beforeAttribute } else { nameEnd = index }
            case .beforeAttribute where !isSpace && byte != UInt8(ascii: "/"):
                (attributes, position) = (attributes + 1, .attribute)
            case .attribute where isSpace: position = .afterAttribute
            case .attribute where byte == UInt8(ascii: "/"): position = .beforeAttribute
            case .attribute where byte == UInt8(ascii: "="): position = .beforeValue
            case .afterAttribute where byte == UInt8(ascii: "/"): position = .beforeAttribute
            case .afterAttribute where byte == UInt8(ascii: "="): position = .beforeValue
            case .afterAttribute where !isSpace: (attributes, position) = (attributes + 1, .attribute)
            case .beforeValue where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"): position = .quoted(byte)
            case .beforeValue where !isSpace: position = .unquoted
            case .unquoted where isSpace: position = .beforeAttribute
            default: continue
            }
        }
        let name = String(
            decoding: html[start..<min(nameEnd, start + Self.nameLength)].map { $0 | 0x20 }, as: UTF8.self)
        return (name, attributes, index)
    }
}
