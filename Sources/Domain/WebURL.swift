// Validates http and https URLs strictly, so that every parser reads the same URL.
import Localization

/// A URL as stored: scheme and host in lowercase, an international host in ASCII, the rest as written.
package struct WebURL {
    enum Problem: Error {
        case scheme, form, login, tooLong, control

        func described(httpsOnly: Bool) -> (code: String, message: String) {
            switch self {
            case .scheme:
                ("scheme", tr("Enter a full URL, including \(httpsOnly ? "https://" : "https:// or http://")."))
            case .form: ("format", tr("Enter a full URL, such as https://example.org/page."))
            case .login: ("format", tr("Remove the user name and password from the URL."))
            case .tooLong: ("too_long", tr("Shorten the URL to at most \(WebURL.maxLength) bytes."))
            case .control: ("control_characters", tr("Remove the invisible characters from the URL."))
            }
        }
    }

    /// The maximum length in bytes.
    static let maxLength = 2048

    let text: String

    /// Whether the text is an http or https URL that a field accepts.
    package static func isValid(_ written: String) -> Bool {
        (try? WebURL(written, httpsOnly: false)) != nil
    }

    init(_ written: String, httpsOnly: Bool) throws(Problem) {
        let url = NormalForm.composed(Self.trimmed(written))
        guard url.utf8.count <= Self.maxLength else { throw .tooLong }
        guard !url.unicodeScalars.contains(where: { Self.isControl($0) && !Self.isJoiner($0) }) else { throw .control }
        // Browsers treat a backslash as a slash, servers do not; white space ends a URL in most texts.
        guard !url.unicodeScalars.contains(where: { $0 == "\\" || $0.properties.isWhitespace }) else { throw .form }
        guard let colon = url.firstIndex(of: ":") else { throw .scheme }
        let scheme = url[..<colon].lowercased()
        guard scheme == "https" || (scheme == "http" && !httpsOnly) else { throw .scheme }
        guard url[colon...].hasPrefix("://") else { throw .form }

        let rest = url[colon...].dropFirst(3)
        let end = rest.unicodeScalars.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        // Some scripts need joiners, in hosts too; elsewhere in a URL they are invisible.
        guard !rest[end...].unicodeScalars.contains(where: Self.isJoiner) else { throw .control }
        let authority = rest[..<end]
        guard !authority.unicodeScalars.contains("@") else { throw .login }
        guard let (name, port) = Self.split(authority), let host = HostName.ascii(name), Self.isPort(port) else {
            throw .form
        }
        let stored = "\(scheme)://\(host)\(port)\(rest[end...])"
        // A name may be longer in ASCII.
        guard stored.utf8.count <= Self.maxLength else { throw .tooLong }
        text = stored
    }

    private static func trimmed(_ written: String) -> String {
        var scalars = Substring(written).unicodeScalars
        while let first = scalars.first, first == " " || first == "\n" || first == "\r" || first == "\t" {
            scalars.removeFirst()
        }
        while let last = scalars.last, last == " " || last == "\n" || last == "\r" || last == "\t" {
            scalars.removeLast()
        }
        return String(scalars)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || (0x200B...0x200F).contains(scalar.value)
            || (0x202A...0x202E).contains(scalar.value) || (0x2060...0x2069).contains(scalar.value)
            || scalar.value == 0xFEFF
    }

    /// U+200C and U+200D.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { (0x200C...0x200D).contains(scalar.value) }

    /// The port includes its colon; it is empty if there is none.
    private static func split(_ authority: Substring) -> (host: Substring, port: Substring)? {
        if authority.hasPrefix("[") {
            guard let close = authority.firstIndex(of: "]") else { return nil }
            let next = authority.index(after: close)
            return (authority[..<next], authority[next...])
        }
        let colon = authority.firstIndex(of: ":") ?? authority.endIndex
        return (authority[..<colon], authority[colon...])
    }

    private static func isPort(_ port: Substring) -> Bool {
        guard !port.isEmpty else { return true }
        let digits = port.dropFirst()
        return digits.utf8.count <= 5 && digits.utf8.allSatisfy(\.isASCIIDigit)
            && Int(digits).map { (1...65535).contains($0) } == true
    }
}
