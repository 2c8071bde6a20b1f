// Decodes HTML entities such as &uuml; and &#8217;.

import CXML2

enum FeedEntity {
    /// The entity at the start of `bytes`, which begin with `&`, and its length in bytes including `&` and `;`. Nil
    /// without
    /// `;` or if unknown.
    static func read(_ bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
        let body = bytes.dropFirst().prefix(longest)
        guard let end = body.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = body[..<end]
        let value = name.first == UInt8(ascii: "#") ? number(name.dropFirst()) : named[Array(name)]
        guard let value, let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, end + 1 - bytes.startIndex)
    }

    private static let longest = 12

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt32? {
        let hexadecimal = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let text = String(decoding: hexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
        guard text.first?.isHexDigit == true, let value = UInt32(text, radix: hexadecimal ? 16 : 10) else { return nil }
        switch value {
        // Like browsers, maps numbers of control characters to windows-1252.
        case 0x80...0x9F: return windows1252[Int(value) - 0x80]
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...0x10FFFF: return value
        default: return 0xFFFD
        }
    }

    /// `&#146;` is an apostrophe in HTML, which maps these numbers to windows-1252, but a control character in XML. No
    /// feed means the control character.
    static func withoutControls(_ text: String) -> String {
        // In UTF-8, all of them begin with this byte.
        guard text.utf8.contains(0xC2), text.unicodeScalars.contains(where: { (0x80...0x9F).contains($0.value) }) else {
            return text
        }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    guard (0x80...0x9F).contains(scalar.value) else { return scalar }
                    return Unicode.Scalar(windows1252[Int(scalar.value) - 0x80]) ?? scalar
                }))
    }

    private static let windows1252: [UInt32] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
        0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
        0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
    ]

    /// The named entities of HTML 4 as libxml2 knows them; its own search is linear.
    private static let named: [[UInt8]: UInt32] = {
        var named: [[UInt8]: UInt32] = [:]
        for value in UInt32(0x22)...0x2666 {
            guard let name = htmlEntityValueLookup(value)?.pointee.name else { continue }
            named[Array(String(cString: name).utf8)] = value
        }
        return named
    }()
}
