// Bounds the cost of parsing HTML before parsing it.

/// The parser takes time proportional to length x depth (each character searches the open elements) and to the square
/// of
/// the number of attributes of a tag. A scan without parser state computes upper bounds of both: every tag begins with
/// `<`
/// or `</` and a letter.
enum HTMLComplexity {
    static let maximumLength = 1 << 20
    static let maximumTags = 20_000
    /// Tags x bytes; at the limit, malicious text takes about a second.
    static let maximumProduct = 2_000_000_000
    static let maximumAttributes = 256

    static func refusal(of html: UnsafeBufferPointer<UInt8>) -> HTMLRefusal? {
        if html.count > maximumLength { return .tooLong(limit: maximumLength) }
        var tags = 0
        // A tag may appear to begin inside another one, which is rare in legitimate text.
        var scanned = 0
        for start in html.indices where beginsTag(html, at: start) {
            tags += 1
            let tag = scanTag(html[(start + 2)...])
            scanned += tag.length
            if tag.attributes > maximumAttributes || scanned > 16 * html.count { return .tooManyTags }
        }
        if tags > maximumTags || tags * html.count > maximumProduct { return .tooManyTags }
        return nil
    }

    private static func beginsTag(_ html: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        guard html[start] == UInt8(ascii: "<"), start + 1 < html.count else { return false }
        if isLetter(html[start + 1]) { return true }
        return html[start + 1] == UInt8(ascii: "/") && start + 2 < html.count && isLetter(html[start + 2])
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private enum Position {
        case name, between, attribute, beforeValue, unquoted
        case quoted(UInt8)
    }

    /// The number of attributes of the tag whose name `html` continues, counted like the HTML tokenizer.
    private static func scanTag(_ html: Slice<UnsafeBufferPointer<UInt8>>) -> (attributes: Int, length: Int) {
        var attributes = 0
        var length = 0
        var position = Position.name
        for byte in html {
            length += 1
            if case .quoted(let quote) = position {
                if byte == quote { position = .between }
                continue
            }
            if byte == UInt8(ascii: ">") { break }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C:
                if case .beforeValue = position { continue }
                position = .between
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                switch position {
                case .beforeValue: position = .quoted(byte)
                case .between: (attributes, position) = (attributes + 1, .attribute)
                default: continue
                }
            case UInt8(ascii: "="):
                switch position {
                // After `name `, an equals sign belongs to the preceding name; counting it as new only overestimates.
                case .attribute, .between: position = .beforeValue
                case .beforeValue: position = .unquoted
                default: continue
                }
            case UInt8(ascii: "/"):
                switch position {
                case .name, .attribute: position = .between
                case .beforeValue: position = .unquoted
                default: continue
                }
            default:
                switch position {
                case .between: (attributes, position) = (attributes + 1, .attribute)
                case .beforeValue: position = .unquoted
                default: continue
                }
            }
            if attributes > maximumAttributes { break }
        }
        return (attributes, length)
    }
}
