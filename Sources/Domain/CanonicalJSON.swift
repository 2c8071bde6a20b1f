// Writes JSON in a canonical form: equal values have equal text and equal hashes.

extension JSONValue {
    /// The value as JSON text without spaces, with members sorted by the bytes of their names and the shortest form of
    /// numbers. Parsing it returns the same value, except that a whole Double becomes an integer.
    package var canonicalText: String {
        var writer = CanonicalJSON()
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

struct CanonicalJSON {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: write("null")
        case .bool(let flag): write(flag ? "true" : "false")
        case .int(let number): write(String(number))
        case .double(let number): write(number)
        case .string(let text): writeQuoted(text)
        case .array(let values): write(values)
        case .object(let members): write(members)
        }
    }

    private mutating func write(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func write(_ number: Double) {
        if let whole = Int64(exactly: number) {
            write(String(whole))
        } else {
            // JSON cannot represent an infinite number, and parsing never returns one.
            write(number.isFinite ? number.description : "null")
        }
    }

    private mutating func writeQuoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { text in
            var copied = 0
            for (index, byte) in text.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
                bytes.append(contentsOf: text[copied..<index])
                writeEscaped(byte)
                copied = index + 1
            }
            bytes.append(contentsOf: text[copied...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Byte by byte: a text may be a megabyte of nothing else.
    private mutating func writeEscaped(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        default:
            // A control character: \u0000 to \u001f.
            let (zero, last) = (UInt8(ascii: "0"), byte & 15)
            bytes.append(UInt8(ascii: "u"))
            bytes.append(zero)
            bytes.append(zero)
            bytes.append(zero + (byte >> 4))
            bytes.append(last < 10 ? zero + last : UInt8(ascii: "a") + (last - 10))
        }
    }

    private mutating func write(_ values: [JSONValue]) {
        bytes.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(value)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ members: [String: JSONValue]) {
        bytes.append(UInt8(ascii: "{"))
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, member) in sorted.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            writeQuoted(member.key)
            bytes.append(UInt8(ascii: ":"))
            write(member.value)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
