// Decodes the text of clients that still send a Western European encoding, and say so.

enum WesternText {
    private static let charsets: Set = ["iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "windows-1252", "cp1252"]

    /// What windows-1252 has in place of the control characters 0x80 to 0x9F of ISO 8859-1.
    private static let punctuation: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    /// The bytes as UTF-8, else in the charset that is announced: text in another encoding is almost never valid as UTF-8.
    /// Nil if they are neither.
    static func decode(_ bytes: [UInt8], charset: String?) -> String? {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        guard let charset, charsets.contains(charset.lowercased()) else { return nil }
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            let value = (0x80..<0xA0).contains(byte) ? punctuation[Int(byte) - 0x80] : UInt32(byte)
            if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
        }
        return String(scalars)
    }
}
