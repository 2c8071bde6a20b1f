// Resolves relative URLs (RFC 3986, section 5).

struct FeedURL {
    private var scheme: Substring?
    private var authority: Substring?
    private var path: Substring
    private var query: Substring?
    private var fragment: Substring?

    /// The absolute http or https URL with a host; nil if it is not one.
    static func web(_ reference: String?, against base: String?) -> String? {
        guard let reference, let absolute = resolve(reference, against: base) else { return nil }
        let parts = FeedURL(absolute)
        guard let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = parts.authority, !host.isEmpty
        else { return nil }
        return absolute
    }

    /// The absolute URL in any scheme; nil if it is relative and there is no base.
    static func resolve(_ reference: String, against base: String?) -> String? {
        guard let reference = clean(reference), reference.utf8.count <= FeedLimits.addressBytes else { return nil }
        var target = FeedURL(reference)
        if target.scheme != nil { return reference }
        guard let base = base.flatMap(clean).map(FeedURL.init), base.scheme != nil else { return nil }
        target.scheme = base.scheme
        if target.authority == nil {
            target.authority = base.authority
            if target.path.isEmpty {
                target.path = base.path
                target.query = target.query ?? base.query
            } else if !target.path.hasPrefix("/") {
                let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? "/"
                target.path = folder + target.path
            }
        }
        target.path = withoutDots(target.path)
        return target.text
    }

    /// Trims the URL, removes line endings and escapes other invalid characters.
    private static func clean(_ text: String) -> String? {
        var cleaned = ""
        for scalar in FeedText.trim(text).unicodeScalars {
            switch scalar {
            case "\n", "\r", "\t": continue
            case " ": cleaned += "%20"
            case "\"": cleaned += "%22"
            case "<": cleaned += "%3C"
            case ">": cleaned += "%3E"
            case "\\": cleaned += "%5C"
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}": return nil
            default: cleaned.unicodeScalars.append(scalar)
            }
        }
        return cleaned.isEmpty ? nil : cleaned
    }

    private init(_ text: String) {
        var rest = text[...]
        if let hash = rest.firstIndex(of: "#") {
            fragment = rest[rest.index(after: hash)...]
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) {
            scheme = rest[..<colon]
            rest = rest[rest.index(after: colon)...]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = rest[..<end]
            rest = rest[end...]
        }
        path = rest
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isFeedLetter else { return false }
        return text.utf8.allSatisfy { $0.isFeedLetter || $0.isFeedDigit || [0x2B, 0x2D, 0x2E].contains($0) }
    }

    /// Removes `.` and `..` from a path.
    private static func withoutDots(_ path: Substring) -> Substring {
        guard path.hasPrefix("/") else { return path }
        var kept: [Substring] = []
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for part in parts {
            switch part {
            case ".": continue
            case "..": _ = kept.popLast()
            default: kept.append(part)
            }
        }
        if parts.last == "." || parts.last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/")[...]
    }

    private var text: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }
}
