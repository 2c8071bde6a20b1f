// Reads the small grammars of header values: tokens, quoted strings, separators.

/// A cursor over the bytes of a header value.
struct FieldReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { position == bytes.count }
    var next: UInt8? { isAtEnd ? nil : bytes[position] }

    mutating func skipSpace() {
        while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { position += 1 }
    }

    /// Steps over `byte` if it is next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// One or more token bytes, or nil without moving.
    mutating func token() -> String? {
        let text = take { $0.isTokenByte }
        return text.isEmpty ? nil : text
    }

    /// The longest run of bytes that fit.
    mutating func take(while fits: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = next, fits(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// A quoted string without its quotes and backslashes; nil when it does not end.
    mutating func quoted() -> String? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        var content: [UInt8] = []
        while let byte = next {
            position += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: content, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = next else { return nil }
                position += 1
                content.append(escaped)
            } else {
                content.append(byte)
            }
        }
        return nil
    }
}
