// Decodes the bytes of a text file piece by piece to UTF-8: UTF-16 is recognized by its byte order mark or its zero bytes.

package struct TextEncoding: Sendable {
    private enum Form { case utf8, utf16(isBigEndian: Bool) }

    private var form: Form?
    private var pending: [UInt8] = []
    /// The first half of a character beyond the basic plane.
    private var high: UInt16?

    package init() {}

    /// The bytes as UTF-8; of the first pieces, four bytes are needed to see the encoding. Other encodings stay as they are.
    package mutating func decode(_ bytes: [UInt8]) -> [UInt8] {
        if case .utf8? = form, pending.isEmpty { return bytes }
        pending += bytes
        if form == nil {
            guard pending.count >= 4 else { return [] }
            form = Self.form(of: pending)
        }
        return take()
    }

    /// What is left at the end of the file.
    package mutating func finish() -> [UInt8] {
        if form == nil { form = Self.form(of: pending) }
        let rest = take()
        defer { (pending, high) = ([], nil) }
        return pending.isEmpty && high == nil ? rest : rest + Array("\u{FFFD}".utf8)
    }

    private mutating func take() -> [UInt8] {
        guard case .utf16(let isBigEndian) = form else {
            defer { pending = [] }
            return pending
        }
        var text = String.UnicodeScalarView()
        var index = 0
        while index + 1 < pending.count {
            let (first, second) = (UInt16(pending[index]), UInt16(pending[index + 1]))
            let unit = isBigEndian ? first << 8 | second : second << 8 | first
            index += 2
            if let high {
                self.high = nil
                if (0xDC00...0xDFFF).contains(unit) {
                    let value = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
                    text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
                    continue
                }
                text.append("\u{FFFD}")
            }
            if (0xD800...0xDBFF).contains(unit) {
                high = unit
            } else {
                text.append(Unicode.Scalar(unit) ?? "\u{FFFD}")
            }
        }
        pending = Array(pending[index...])
        return Array(String(text).utf8)
    }

    /// Text of files begins with a character of ASCII, whose other byte is zero in UTF-16.
    private static func form(of bytes: [UInt8]) -> Form {
        let first = bytes.prefix(4)
        if first.starts(with: [0xFF, 0xFE, 0, 0]) { return .utf8 }
        if first.starts(with: [0xFF, 0xFE]) { return .utf16(isBigEndian: false) }
        if first.starts(with: [0xFE, 0xFF]) { return .utf16(isBigEndian: true) }
        guard bytes.count >= 4 else { return .utf8 }
        switch (bytes[0] == 0, bytes[1] == 0, bytes[2] == 0, bytes[3] == 0) {
        case (false, true, false, true): return .utf16(isBigEndian: false)
        case (true, false, true, false): return .utf16(isBigEndian: true)
        default: return .utf8
        }
    }
}
