// Splits XML, including malformed XML, into tags and text.

struct FeedScanner {
    /// Ranges are byte positions.
    enum Token {
        case text(Range<Int>)
        /// The text between `<![CDATA[` and `]]>`.
        case cdata(Range<Int>)
        case open(Tag)
        case close(name: Range<Int>)
        /// Comment, processing instruction or declaration.
        case other
    }

    struct Tag {
        var start: Int
        var name: Range<Int>
        /// The text between the name and the end of the tag.
        var attributes: Range<Int>
        var attributeCount = 0
        var namespaceCount = 0
        var closesItself = false
    }

    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next token; nil at the end. Ignores a tag or comment truncated by the end.
    mutating func next() -> Token? {
        guard position < bytes.count else { return nil }
        guard bytes[position] == UInt8(ascii: "<") else { return text(from: position) }
        let start = position
        switch byte(at: start + 1) {
        case UInt8(ascii: "!"): return declaration(from: start)
        case UInt8(ascii: "?"):
            position = end(after: "?>", from: start + 2)
            return .other
        case UInt8(ascii: "/"): return close(from: start)
        case let byte where byte.isFeedNameStart: return open(from: start)
        default: return text(from: start)
        }
    }

    /// Text up to the next `<`; a `<` at the start is a stray character.
    private mutating func text(from start: Int) -> Token {
        position = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        return .text(start..<position)
    }

    private mutating func declaration(from start: Int) -> Token {
        let rest = bytes[start...]
        if rest.starts(with: Self.cdata) {
            let content = start + Self.cdata.count
            position = end(after: "]]>", from: content)
            let whole = position - 3 >= content && bytes[(position - 3)..<position].elementsEqual("]]>".utf8)
            return .cdata(content..<(whole ? position - 3 : position))
        }
        position =
            rest.starts(with: Self.comment) ? end(after: "-->", from: start + 4) : end(after: ">", from: start)
        return .other
    }

    private static let cdata = Array("<![CDATA[".utf8)
    private static let comment = Array("<!--".utf8)

    private mutating func close(from start: Int) -> Token {
        let name = nameRange(from: start + 2)
        let end = bytes[name.upperBound...].firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
        position = end.map { bytes[$0] == UInt8(ascii: ">") ? $0 + 1 : $0 } ?? bytes.count
        return .close(name: name)
    }

    /// A tag ends at `>` outside quotes. A `<` also ends it, even inside quotes: then a quote or the `>` is missing.
    private mutating func open(from start: Int) -> Token? {
        let name = nameRange(from: start + 1)
        var tag = Tag(start: start, name: name, attributes: name.upperBound..<name.upperBound)
        var index = name.upperBound
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<") {
                tag.closesItself = index > name.upperBound && bytes[index - 1] == UInt8(ascii: "/")
                tag.attributes = name.upperBound..<(tag.closesItself ? index - 1 : index)
                position = byte == UInt8(ascii: ">") ? index + 1 : index
                return .open(tag)
            } else if byte == UInt8(ascii: "=") {
                tag.attributeCount += 1
                index = endOfValue(from: index + 1)
            } else {
                index += 1
                if byte.isFeedSpace, bytes[index...].starts(with: Self.xmlns) { tag.namespaceCount += 1 }
            }
        }
        position = bytes.count
        return nil
    }

    private static let xmlns = Array("xmlns".utf8)

    /// The end of an attribute value that starts at `start` or after white space.
    func endOfValue(from start: Int) -> Int {
        var index = start
        while byte(at: index).isFeedSpace { index += 1 }
        let quote = byte(at: index)
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            while index < bytes.count, !bytes[index].isFeedSpace, !Self.ends.contains(bytes[index]) { index += 1 }
            return index
        }
        let content = bytes[(index + 1)...]
        let end = content.firstIndex { $0 == quote || $0 == UInt8(ascii: "<") } ?? bytes.count
        if byte(at: end) == quote { return end + 1 }
        return content[..<end].firstIndex(of: UInt8(ascii: ">")) ?? end
    }

    private static let ends: [UInt8] = [UInt8(ascii: ">"), UInt8(ascii: "<")]

    private func nameRange(from start: Int) -> Range<Int> {
        var end = min(start, bytes.count)
        let start = end
        while end < bytes.count, bytes[end].isFeedNamePart { end += 1 }
        return start..<end
    }

    private func end(after mark: String, from start: Int) -> Int {
        bytes[min(start, bytes.count)...].feedRange(of: Array(mark.utf8))?.upperBound ?? bytes.count
    }

    private func byte(at index: Int) -> UInt8 {
        index < bytes.count ? bytes[index] : 0
    }
}
