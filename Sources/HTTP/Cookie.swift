// A cookie that a response sets, and the cookies that a request carries.

/// A cookie to set. The defaults are the strict ones: for this host only, whole site, not for scripts, only over https.
package struct Cookie: Sendable, Equatable {
    package enum SameSite: String, Sendable {
        case lax = "Lax"
        case strict = "Strict"
    }

    package let name: String
    package let value: String
    /// Seconds to live; nil ends with the browser's session, zero deletes the cookie.
    package var maxAge: Int?
    package var path = "/"
    package var isSecure = true
    package var isHTTPOnly = true
    package var sameSite = SameSite.lax

    /// Nil when the name is not a token or the value has bytes that a cookie cannot carry (spaces, quotes, commas,
    /// semicolons, backslashes, control bytes, anything beyond ASCII).
    package init?(name: String, value: String, maxAge: Int? = nil) {
        guard name.isToken, value.utf8.allSatisfy(Cookie.isValueByte) else { return nil }
        self.name = name
        self.value = value
        self.maxAge = maxAge
    }

    /// The value of a Set-Cookie header.
    package var headerValue: String {
        var text = "\(name)=\(value); Path=\(path)"
        if let maxAge { text += "; Max-Age=\(maxAge)" }
        if isSecure { text += "; Secure" }
        if isHTTPOnly { text += "; HttpOnly" }
        return text + "; SameSite=" + sameSite.rawValue
    }

    /// The value of a cookie in Cookie header values. If its name comes twice, the first counts; pieces that are no cookie are skipped.
    package static func find(_ name: String, in headerValues: [String]) -> String? {
        // By bytes: a header may be long, and each page asks for several cookies.
        for piece in headerValues.lazy.flatMap({ $0.utf8.split(separator: UInt8(ascii: ";")) }) {
            guard let equals = piece.firstIndex(of: UInt8(ascii: "=")),
                trimmed(piece[..<equals]).elementsEqual(name.utf8)
            else { continue }
            var value = trimmed(piece[piece.index(after: equals)...])
            let quote = UInt8(ascii: "\"")
            if value.count >= 2, value.first == quote, value.last == quote { value = value.dropFirst().dropLast() }
            if value.allSatisfy(isValueByte) { return String(Substring(value)) }
        }
        return nil
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = text.drop(while: isBlank)
        return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? start[..<start.startIndex]
    }

    private static func isValueByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
        default: false
        }
    }
}
