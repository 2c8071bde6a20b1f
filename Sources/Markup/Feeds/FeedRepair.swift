// Repairs malformed XML: stray characters, undefined entities, unclosed tags, unquoted attributes.

struct FeedRepair {
    private struct OpenElement {
        var name: ArraySlice<UInt8>
        /// The start of its tag in the output.
        var start: Int
    }

    private let bytes: [UInt8]
    private var output: [UInt8] = []
    private var open: [OpenElement] = []
    private var rootSeen = false

    /// Drops an entry that is truncated by the end of the document.
    static func repair(_ bytes: [UInt8]) throws(FeedError) -> [UInt8] {
        var repair = FeedRepair(bytes)
        try repair.run()
        return repair.output
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        output.reserveCapacity(bytes.count + bytes.count / 8)
    }

    private mutating func run() throws(FeedError) {
        var scanner = FeedScanner(bytes)
        while let token = scanner.next() {
            switch token {
            case .text(let range) where !open.isEmpty: appendText(range)
            case .cdata(let range) where !open.isEmpty: appendEscaped(range)
            case .open(let tag): try appendOpen(tag, scanner: scanner)
            case .close(let name): close(bytes[name])
            case .text, .cdata, .other: continue
            }
        }
        if let cut = open.first(where: { Self.isEntry($0.name) }) {
            output.removeSubrange(cut.start...)
            open.removeAll { $0.start >= cut.start }
        }
        while let element = open.popLast() { appendClose(element) }
    }

    private mutating func appendOpen(_ tag: FeedScanner.Tag, scanner: FeedScanner) throws(FeedError) {
        let name = bytes[tag.name]
        if open.isEmpty && rootSeen { return }
        if Self.isEntry(name), let unclosed = open.firstIndex(where: { $0.name == name }) {
            while open.count > unclosed, let element = open.popLast() { appendClose(element) }
        }
        let start = output.count
        output.append(UInt8(ascii: "<"))
        output.append(contentsOf: name)
        appendAttributes(tag.attributes, scanner: scanner)
        rootSeen = true
        if tag.closesItself || Self.isVoid(name) {
            output.append(contentsOf: "/>".utf8)
        } else {
            output.append(UInt8(ascii: ">"))
            open.append(OpenElement(name: name, start: start))
            guard open.count <= FeedLimits.depth else { throw FeedGuard.tooDeep(line: bytes.feedLine(at: tag.start)) }
        }
    }

    /// With any prefix or none.
    private static func isEntry(_ name: ArraySlice<UInt8>) -> Bool {
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return local.elementsEqual("item".utf8) || local.elementsEqual("entry".utf8)
    }

    /// HTML elements without an end tag. Without `link`, `source` and `param`, which feeds use with another meaning.
    private static func isVoid(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.count <= 5 else { return false }
        return ["br", "hr", "img", "wbr", "input", "col", "area", "embed"]
            .contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    /// Removes duplicate attributes and quotes values; an attribute without a value gets its name as value.
    private mutating func appendAttributes(_ range: Range<Int>, scanner: FeedScanner) {
        var seen: Set<ArraySlice<UInt8>> = []
        var index = range.lowerBound
        while index < range.upperBound {
            guard bytes[index].isFeedNameStart else {
                index += 1
                continue
            }
            let nameEnd = bytes[index..<range.upperBound].firstIndex { !$0.isFeedNamePart } ?? range.upperBound
            let name = bytes[index..<nameEnd]
            var value = index..<nameEnd
            index = nameEnd
            let next = bytes[index..<range.upperBound].firstIndex { !$0.isFeedSpace } ?? range.upperBound
            if next < range.upperBound, bytes[next] == UInt8(ascii: "=") {
                index = min(scanner.endOfValue(from: next + 1), range.upperBound)
                value = unquoted((next + 1)..<max(index, next + 1))
            }
            guard seen.insert(name).inserted, seen.count <= FeedLimits.attributes else { continue }
            output.append(UInt8(ascii: " "))
            output.append(contentsOf: name)
            output.append(contentsOf: "=\"".utf8)
            appendText(value)
            output.append(UInt8(ascii: "\""))
        }
    }

    private func unquoted(_ range: Range<Int>) -> Range<Int> {
        let quotes: [UInt8] = [UInt8(ascii: "\""), UInt8(ascii: "'")]
        let start = bytes[range].firstIndex { !$0.isFeedSpace } ?? range.upperBound
        guard start < range.upperBound, quotes.contains(bytes[start]) else { return start..<range.upperBound }
        let closed = range.upperBound - 1 > start && bytes[range.upperBound - 1] == bytes[start]
        return (start + 1)..<(closed ? range.upperBound - 1 : range.upperBound)
    }

    /// Keeps XML entities, converts HTML entities to characters and escapes other `&`.
    private mutating func appendText(_ range: Range<Int>) {
        var index = range.lowerBound
        while index < range.upperBound {
            guard bytes[index] == UInt8(ascii: "&") else {
                appendCharacter(bytes[index], at: index)
                index += 1
                continue
            }
            guard let entity = FeedEntity.read(bytes[index..<range.upperBound]) else {
                output.append(contentsOf: "&amp;".utf8)
                index += 1
                continue
            }
            for byte in String(entity.scalar).utf8 { appendCharacter(byte, at: nil) }
            index += entity.length
        }
    }

    private mutating func appendEscaped(_ range: Range<Int>) {
        for index in range {
            if bytes[index] == UInt8(ascii: "&") {
                output.append(contentsOf: "&amp;".utf8)
            } else {
                appendCharacter(bytes[index], at: index)
            }
        }
    }

    /// Drops characters that XML does not allow: controls, and U+FFFE and U+FFFF, which start with EF BF.
    private mutating func appendCharacter(_ byte: UInt8, at index: Int?) {
        switch byte {
        case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
        case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
        case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
        case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
        case 0xBE where output.suffix(2).elementsEqual([0xEF, 0xBF]): output.removeLast(2)
        case 0xBF where output.suffix(2).elementsEqual([0xEF, 0xBF]): output.removeLast(2)
        case 0..<0x20 where !byte.isFeedSpace: return
        default: output.append(byte)
        }
    }

    /// Also closes open descendants; drops an unmatched end tag.
    private mutating func close(_ name: ArraySlice<UInt8>) {
        guard let index = open.lastIndex(where: { $0.name == name }) else { return }
        while open.count > index, let element = open.popLast() { appendClose(element) }
    }

    private mutating func appendClose(_ element: OpenElement) {
        output.append(contentsOf: "</".utf8)
        output.append(contentsOf: element.name)
        output.append(UInt8(ascii: ">"))
    }
}
