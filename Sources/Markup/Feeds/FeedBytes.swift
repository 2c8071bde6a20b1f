// Byte predicates and searches for the feed parsers.

extension UInt8 {
    /// White space of XML.
    var isFeedSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    var isFeedLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }

    var isFeedDigit: Bool { (0x30...0x39).contains(self) }

    var isFeedNameStart: Bool { isFeedLetter || self == UInt8(ascii: "_") || self == UInt8(ascii: ":") || self >= 0x80 }

    var isFeedNamePart: Bool {
        isFeedNameStart || isFeedDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }
}

extension ArraySlice<UInt8> {
    /// The first position of `bytes`, which must not be empty.
    func feedRange(of bytes: [UInt8]) -> Range<Int>? {
        var from = startIndex
        while let start = self[from...].firstIndex(of: bytes[0]), start + bytes.count <= endIndex {
            if self[start..<start + bytes.count].elementsEqual(bytes) { return start..<start + bytes.count }
            from = start + 1
        }
        return nil
    }

    /// Whether it starts with an ASCII name, ignoring case; `name` is in lowercase.
    func startsFeedName(_ name: String) -> Bool {
        var expected = name.utf8.makeIterator()
        for byte in self {
            guard let next = expected.next() else { return true }
            guard byte == next || (byte.isFeedLetter && byte | 0x20 == next) else { return false }
        }
        return expected.next() == nil
    }
}

extension [UInt8] {
    /// The line of a position, from 1.
    func feedLine(at position: Int) -> Int {
        1 + self[..<position].count { $0 == 0x0A }
    }
}
