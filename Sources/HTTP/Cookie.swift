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

    /// Reads Cookie header values. Of a name that comes twice the first counts; pieces that are no cookie are skipped.
    package static func parse(_ headerValues: [String]) -> [String: String] {
        var cookies: [String: String] = [:]
        for piece in headerValues.flatMap({ $0.split(separator: ";") }) {
            guard let equals = piece.firstIndex(of: "=") else { continue }
            let name = trimmed(piece[..<equals])
            var value = trimmed(piece[piece.index(after: equals)...])
            if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
            guard String(name).isToken, value.utf8.allSatisfy(isValueByte), cookies[String(name)] == nil else {
                continue
            }
            cookies[String(name)] = String(value)
        }
        return cookies
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }

    private static func isValueByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
        default: false
        }
    }
}
