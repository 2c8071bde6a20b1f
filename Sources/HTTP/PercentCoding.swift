// Decodes and encodes percent escapes, strictly: what is not text is refused, never repaired.

/// Percent escapes of paths, queries and forms.
package enum PercentCoding {
    /// Why escaped text was refused.
    package enum Fault: String, Error {
        case escape = "A % must be followed by two hexadecimal digits."
        case encoding = "Escaped text must be UTF-8."
        case control = "Text must not contain a NUL byte."
    }

    /// Decodes once. `plusIsSpace` is for forms and queries, not for paths.
    package static func decode(_ text: some Collection<UInt8>, plusIsSpace: Bool) throws(Fault) -> String {
        let bytes = try Self.bytes(text, plusIsSpace: plusIsSpace)
        // Much faster than the validating initializer. What is not UTF-8 is repaired, and so not the same.
        var decoded = String(decoding: bytes, as: UTF8.self)
        guard decoded.withUTF8({ $0.elementsEqual(bytes) }) else { throw .encoding }
        return decoded
    }

    static func bytes(_ text: some Collection<UInt8>, plusIsSpace: Bool) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index != text.endIndex {
            let byte = text[index]
            text.formIndex(after: &index)
            if byte == UInt8(ascii: "%") {
                guard let high = digit(text, &index), let low = digit(text, &index) else { throw .escape }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        if bytes.contains(0) { throw .control }
        return bytes
    }

    private static func digit<Text: Collection<UInt8>>(_ text: Text, _ index: inout Text.Index) -> UInt8? {
        guard index != text.endIndex else { return nil }
        defer { text.formIndex(after: &index) }
        switch text[index] {
        case let byte where byte >= 0x30 && byte <= 0x39: return byte - 0x30
        case let byte where byte >= 0x41 && byte <= 0x46: return byte - 0x41 + 10
        case let byte where byte >= 0x61 && byte <= 0x66: return byte - 0x61 + 10
        default: return nil
        }
    }

    /// Escapes everything but letters, digits and `-._~`, so that the text can stand as one segment or value.
    package static func encode(_ text: String) -> String {
        encode(text) { isUnreserved($0) }
    }

    static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
