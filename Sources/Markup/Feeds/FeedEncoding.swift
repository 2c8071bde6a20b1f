// Detects the encoding of a document and converts it to UTF-8.
import Localization

struct FeedEncoding {
    /// UTF-8 without a byte order mark.
    var bytes: [UInt8]
    /// Whether bytes were replaced, or the document is not in its declared encoding.
    var repaired: Bool

    /// In this order: a byte order mark, the charset of the Content-Type, the encoding of the XML declaration, UTF-8,
    /// windows-1252. Ignores a declared encoding that does not match the bytes.
    static func decode(_ bytes: [UInt8], contentType: String?) throws(FeedError) -> FeedEncoding {
        if let wide = try decodeWide(bytes) { return wide }
        let marked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let body = bytes.dropFirst(marked ? 3 : 0)
        let declared = declaredLabel(body)
        let utf8 = String(validating: body, as: UTF8.self) != nil
        let ascii = body.allSatisfy { $0 < 0x80 && $0 != 0x1B }
        if ascii || (marked && utf8) { return FeedEncoding(bytes: Array(body), repaired: false) }

        var partial: [UInt8]?
        for label in [contentType.flatMap(charset), declared].compactMap({ $0 }) {
            guard let name = FeedCharset.name(label), !name.hasPrefix("UTF-16"), !name.hasPrefix("UTF-32") else {
                continue
            }
            // A charset that a server adds to every response is replaced more often than the document.
            let overruled = utf8 && (declared.map { FeedCharset.name($0) == "UTF-8" } ?? true)
            if name == "UTF-8" || overruled {
                if utf8 { return FeedEncoding(bytes: Array(body), repaired: false) }
            } else if name == "CP1252", looksLikeUTF8(body) {
                return FeedEncoding(bytes: Array(String(decoding: body, as: UTF8.self).utf8), repaired: true)
            } else if let converted = FeedCharset.convert(body, from: name) {
                if converted.replaced == 0 { return FeedEncoding(bytes: converted.utf8, repaired: false) }
                partial = partial ?? converted.utf8
            }
        }
        if utf8 { return FeedEncoding(bytes: Array(body), repaired: declared != nil) }
        if let partial { return FeedEncoding(bytes: partial, repaired: true) }
        if let declared, FeedCharset.name(declared) == nil {
            throw FeedError(
                .encoding, tr("The document declares an unknown encoding."), line: 1)
        }
        return FeedEncoding(bytes: decodeBroken(body), repaired: true)
    }

    /// UTF-16 and UTF-32, detected by a byte order mark or by the zero bytes next to the first characters.
    private static func decodeWide(_ bytes: [UInt8]) throws(FeedError) -> FeedEncoding? {
        let marks: [(start: [UInt8], name: String, length: Int)] = [
            ([0xFF, 0xFE, 0, 0], "UTF-32LE", 4), ([0, 0, 0xFE, 0xFF], "UTF-32BE", 4),
            ([0xFF, 0xFE], "UTF-16LE", 2), ([0xFE, 0xFF], "UTF-16BE", 2),
            ([0x3C, 0, 0, 0], "UTF-32LE", 0), ([0, 0, 0, 0x3C], "UTF-32BE", 0),
            ([0x3C, 0], "UTF-16LE", 0), ([0, 0x3C], "UTF-16BE", 0),
            ([0x7B, 0], "UTF-16LE", 0), ([0, 0x7B], "UTF-16BE", 0),
        ]
        guard let mark = marks.first(where: { bytes.starts(with: $0.start) }) else { return nil }
        guard let converted = FeedCharset.convert(bytes.dropFirst(mark.length), from: mark.name) else {
            throw FeedError(.encoding, tr("The document looks like \(mark.name) but is not valid."), line: 1)
        }
        return FeedEncoding(bytes: converted.utf8, repaired: converted.replaced > 0)
    }

    /// `charset` of a Content-Type value.
    private static func charset(_ contentType: String) -> String? {
        for part in contentType.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, FeedText.collapse(String(pair[0])).lowercased() == "charset" else { continue }
            return String(FeedText.collapse(String(pair[1])).filter { $0 != "\"" && $0 != "'" })
        }
        return nil
    }

    /// `encoding` of an XML declaration, read as ASCII.
    private static func declaredLabel(_ bytes: ArraySlice<UInt8>) -> String? {
        let head = bytes.drop(while: \.isFeedSpace).prefix(400)
        guard head.starts(with: Array("<?".utf8)) else { return nil }
        let declaration = head.prefix { $0 != UInt8(ascii: ">") }
        guard let name = declaration.feedRange(of: Array("encoding".utf8)) else { return nil }
        let value = declaration[name.upperBound...].drop { $0.isFeedSpace || $0 == UInt8(ascii: "=") }
        guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        return String(decoding: value.dropFirst().prefix { $0 != quote }, as: UTF8.self)
    }

    /// Western European text almost never contains sequences that are valid UTF-8; if they are common, the declared
    /// encoding
    /// is replaced.
    private static func looksLikeUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        let found = characters(String(decoding: bytes, as: UTF8.self))
        return found.valid > 10 * found.replaced
    }

    /// Without a usable declaration: UTF-8 with a few invalid bytes, or windows-1252.
    private static func decodeBroken(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        let found = characters(text)
        if found.valid < found.replaced, let western = FeedCharset.convert(bytes, from: "CP1252") {
            return western.utf8
        }
        return Array(text.utf8)
    }

    /// The number of valid and replaced characters beyond ASCII.
    private static func characters(_ text: String) -> (valid: Int, replaced: Int) {
        var replaced = 0
        var valid = 0
        for scalar in text.unicodeScalars where scalar.value >= 0x80 {
            if scalar == "\u{FFFD}" { replaced += 1 } else { valid += 1 }
        }
        return (valid, replaced)
    }
}
