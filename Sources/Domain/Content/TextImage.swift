// Finds images inside HTML and Markdown texts, and paths of library files in any text.

enum TextImage {
    /// An image URL in a text: its bytes, and the URL without escaping.
    private struct Found {
        let range: Range<Int>
        let url: String
    }

    /// 2 digits, a slash, 62 digits, and the extension: the path of a library file.
    static let pathLength = 69

    static func images(in text: String, of type: FieldType) -> [ImageUse.Image] {
        let bytes = Array(text.utf8)
        let found = urls(in: bytes, of: type)
        let shown = found.compactMap { isWeb($0.url) ? external($0.url) : nil }
        let isShown = { (path: Range<Int>) in
            found.contains { $0.range.contains(path.lowerBound) && isWeb($0.url) }
        }
        let files = paths(in: bytes).filter { !isShown($0) }.map { range in
            ImageUse.Image.file(
                path: String(decoding: bytes[range], as: UTF8.self), isRelative: isRelative(range.lowerBound, bytes))
        }
        return shown + files
    }

    static func external(_ url: String) -> ImageUse.Image {
        let bytes = Array(url.utf8)
        let path = paths(in: bytes).last.map { String(decoding: bytes[$0], as: UTF8.self) }
        return .external(url: url, path: path)
    }

    /// Replaces each image URL for which there is another.
    static func replacing(_ text: String, of type: FieldType, _ replacement: (String) -> String?) -> String {
        var bytes = Array(text.utf8)
        var isChanged = false
        for found in urls(in: bytes, of: type).reversed() {
            guard let new = replacement(found.url) else { continue }
            bytes.replaceSubrange(found.range, with: new.utf8)
            isChanged = true
        }
        return isChanged ? String(decoding: bytes, as: UTF8.self) : text
    }

    private static func isWeb(_ url: String) -> Bool { url.hasPrefix("https://") || url.hasPrefix("http://") }

    // MARK: URLs

    /// Long texts are Markdown, too, if the text says so.
    private static func urls(in bytes: [UInt8], of type: FieldType) -> [Found] {
        switch type {
        case .richText: htmlURLs(in: bytes)
        case .markdown, .longText: markdownURLs(in: bytes)
        default: []
        }
    }

    /// Rich text has been sanitized: attributes are in double quotes and contain no angle brackets.
    private static func htmlURLs(in bytes: [UInt8]) -> [Found] {
        var found: [Found] = []
        var position = 0
        while let tag = index(of: "<img ", in: bytes, from: position) {
            let end = bytes[tag...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count
            position = end
            guard let attribute = index(of: " src=\"", in: bytes, from: tag, to: end) else { continue }
            let start = attribute + 6
            let close = bytes[start..<end].firstIndex(of: UInt8(ascii: "\"")) ?? end
            found.append(Found(range: start..<close, url: unescaped(bytes[start..<close])))
        }
        return found
    }

    /// `![text](URL "title")`, also with the URL in angle brackets.
    private static func markdownURLs(in bytes: [UInt8]) -> [Found] {
        var found: [Found] = []
        var position = 0
        while let mark = index(of: "![", in: bytes, from: position) {
            position = mark + 2
            guard let link = index(of: "](", in: bytes, from: position) else { break }
            var start = link + 2
            while start < bytes.count, bytes[start] == UInt8(ascii: " ") || bytes[start] == UInt8(ascii: "<") {
                start += 1
            }
            let end = bytes[start...].firstIndex { " \t\n)>\"".utf8.contains($0) } ?? bytes.count
            found.append(Found(range: start..<end, url: String(decoding: bytes[start..<end], as: UTF8.self)))
        }
        return found
    }

    private static func index(of word: String, in bytes: [UInt8], from start: Int, to end: Int? = nil) -> Int? {
        let word = Array(word.utf8)
        let last = (end ?? bytes.count) - word.count
        guard start <= last else { return nil }
        return (start...last).first { bytes[$0] == word[0] && bytes[$0..<$0 + word.count].elementsEqual(word) }
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(UInt8(ascii: "&")) else { return text }
        return text.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }

    // MARK: Paths

    /// The paths of files, wherever they are; never a part of a longer word.
    private static func paths(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for (slash, byte) in bytes.enumerated() where byte == UInt8(ascii: "/") && slash >= 2 {
            let range = slash - 2..<slash - 2 + pathLength
            guard range.upperBound <= bytes.count, isPath(bytes[range]),
                range.lowerBound == 0 || !isWord(bytes[range.lowerBound - 1]),
                range.upperBound == bytes.count || !isWord(bytes[range.upperBound])
            else { continue }
            found.append(range)
        }
        return found
    }

    private static func isPath(_ bytes: ArraySlice<UInt8>) -> Bool {
        let start = bytes.startIndex
        let digits = bytes[start..<start + 2] + bytes[start + 3..<start + 65]
        let ending = String(decoding: bytes[(start + 65)...], as: UTF8.self)
        return digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            && (ending == ".jpg" || ending == ".png")
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
    }

    /// Whether nothing but `/media/` precedes the path in its URL.
    private static func isRelative(_ path: Int, _ bytes: [UInt8]) -> Bool {
        let boundaries = " \t\r\n\"'()<>[]=,;".utf8
        let start = bytes[..<path].lastIndex { boundaries.contains($0) }.map { $0 + 1 } ?? 0
        return ["", "/", "media/", "/media/"].contains(String(decoding: bytes[start..<path], as: UTF8.self))
    }
}
