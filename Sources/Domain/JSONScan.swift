// Looks once over the bytes of a JSON document for what the decoder would let through or choke on.

/// Refuses what is not UTF-8, nested too deeply, holds NUL or half a surrogate pair, or has a comma before a closing
/// bracket. It looks without recursion, so that no nesting, however deep, can exhaust the stack.
struct JSONScan {
    /// How many members all objects together have, counted by their colons.
    private(set) var memberCount = 0

    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8], maxDepth: Int) throws(Failure) {
        self.bytes = bytes
        guard Self.isUTF8(bytes) else {
            throw .invalid(FieldErrors("", "encoding", "This is not text in UTF-8."))
        }
        try scan(maxDepth: maxDepth)
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
    }

    private mutating func scan(maxDepth: Int) throws(Failure) {
        var depth = 0
        var previous: UInt8 = 0
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= maxDepth else {
                    throw .invalid(FieldErrors("", "too_deep", "Nested deeper than \(maxDepth) levels."))
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                guard previous != UInt8(ascii: ",") else {
                    throw failure("format", "A comma with nothing after it")
                }
            case UInt8(ascii: ":"):
                memberCount += 1
            case UInt8(ascii: "\""):
                try scanString()
            case 0:
                throw failure("control_characters", "A NUL character")
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                continue
            default:
                break
            }
            previous = byte
        }
    }

    /// From behind the opening quote to behind the closing one; the decoder finds one that is missing.
    private mutating func scanString() throws(Failure) {
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): try scanEscape()
            case 0: throw failure("control_characters", "A NUL character")
            default: break
            }
        }
    }

    private mutating func scanEscape() throws(Failure) {
        guard at < bytes.count else { return }
        let kind = bytes[at]
        at += 1
        guard kind == UInt8(ascii: "u"), let unit = codeUnit(at: at) else { return }
        at += 4
        switch unit {
        case 0:
            throw failure("control_characters", "A NUL character")
        case 0xD800...0xDBFF:
            guard at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u"),
                let low = codeUnit(at: at + 2), (0xDC00...0xDFFF).contains(low)
            else { throw failure("surrogate", "Half of a surrogate pair") }
            at += 6
        case 0xDC00...0xDFFF:
            throw failure("surrogate", "Half of a surrogate pair")
        default:
            break
        }
    }

    private func codeUnit(at start: Int) -> UInt16? {
        guard start + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[start..<start + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    private func failure(_ code: String, _ what: String) -> Failure {
        .invalid(FieldErrors("", code, "\(what) at byte \(at)."))
    }
}
