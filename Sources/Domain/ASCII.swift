// ASCII character classes of bytes, and fast checks over whole strings.

extension UInt8 {
    package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    package var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    var isHexDigit: Bool { isASCIIDigit || (0x41...0x46).contains(self) || (0x61...0x66).contains(self) }
}

extension String {
    /// Whether every byte is in the range. Reads every byte: a loop without an early exit vectorizes and is much
    /// faster.
    func isASCII(within range: Range<UInt8>) -> Bool {
        var text = self
        return text.withUTF8 { bytes in bytes.reduce(0) { $0 | (range.contains($1) ? 0 : 1) } == 0 }
    }

    /// Without an early exit, too.
    func contains(byte: UInt8) -> Bool {
        var text = self
        return text.withUTF8 { bytes in bytes.reduce(0 as UInt8) { $0 | ($1 == byte ? 1 : 0) } == 1 }
    }
}
