// Validates URLs of links by their scheme, after parsing them like a browser.

import FoundationEssentials

package enum LinkURL {
    package enum Use { case link, image }

    /// The URL for `href` (http, https, mailto, tel) or `src` (http, https); nil if not allowed. Resolves a relative URL
    /// against `base`; without a base it is rejected.
    package static func absolute(_ url: String, for use: Use, base: URL? = nil) -> String? {
        let cleaned = cleaned(url)
        if let scheme = scheme(of: cleaned) {
            return isAllowed(scheme, in: cleaned, for: use) ? cleaned : nil
        }
        if use == .image, let path = mediaPath(cleaned) { return path }
        guard !cleaned.isEmpty, let base, let target = URL(string: cleaned, relativeTo: base) else { return nil }
        let resolved = LinkURL.cleaned(target.absoluteString)
        guard let scheme = scheme(of: resolved), isAllowed(scheme, in: resolved, for: use) else { return nil }
        return resolved
    }

    /// The URL for links in pages: absolute as above, or relative to this site; otherwise "#".
    package static func onPage(_ url: String) -> String {
        let cleaned = cleaned(url)
        if let scheme = scheme(of: cleaned) {
            return isAllowed(scheme, in: cleaned, for: .link) ? cleaned : "#"
        }
        // Two slashes or backslashes would lead to another site.
        let second = cleaned.utf8.dropFirst().first
        switch cleaned.utf8.first {
        case UInt8(ascii: "/") where second != UInt8(ascii: "/") && second != UInt8(ascii: "\\"): return cleaned
        case UInt8(ascii: "?"), UInt8(ascii: "#"): return cleaned
        default: return "#"
        }
    }

    /// The path of a file of the media library, which apps resolve against its base URL: `3f/9a….jpg`, also written below
    /// `/media/`.
    private static func mediaPath(_ url: String) -> String? {
        let path = url.hasPrefix("/media/") ? url.dropFirst(7) : url[...]
        return path.wholeMatch(of: #/[0-9a-f]{2}/[0-9a-f]{62}\.(jpg|png)/#) == nil ? nil : String(path)
    }

    /// Percent-encodes everything but letters, digits and `-._~`, so that the text stays one component of a URL.
    static func appendComponent(_ text: String, to output: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                output.append(byte)
            default: output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }

    /// Normalizes like a browser: removes tabs and line endings, and trims controls and spaces. Also removes other
    /// controls,
    /// so that no later step can form a scheme by dropping them.
    private static func cleaned(_ url: String) -> String {
        var scalars = String.UnicodeScalarView()
        var spaces = 0
        for scalar in url.unicodeScalars where !HTMLCharacter.isUnwanted(scalar) {
            switch scalar {
            case "\t", "\n", "\r", "\u{C}": continue
            case " ": spaces += 1
            default:
                if !scalars.isEmpty {
                    for _ in 0..<spaces { scalars.append(contentsOf: "%20".unicodeScalars) }
                }
                spaces = 0
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// The scheme in lowercase; nil for a relative URL.
    private static func scheme(of url: String) -> String? {
        for (index, byte) in url.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: ":"): return String(decoding: url.utf8.prefix(index), as: UTF8.self).lowercased()
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\"): return nil
            default: continue
            }
        }
        return nil
    }

    private static func isAllowed(_ scheme: String, in url: String, for use: Use) -> Bool {
        let rest = url.utf8.dropFirst(scheme.utf8.count + 1)
        switch scheme {
        case "http", "https":
            // Browsers also accept `https:host` and `https:///host`, which are only used maliciously.
            guard rest.starts(with: "//".utf8), let host = rest.dropFirst(2).first else { return false }
            return !"/\\?#".utf8.contains(host)
        case "mailto": return use == .link && !rest.isEmpty
        case "tel":
            return use == .link && rest.contains(where: \.isFeedDigit)
                && rest.allSatisfy { $0.isFeedDigit || $0.isFeedLetter || "+-.()*#;=,%".utf8.contains($0) }
        default: return false
        }
    }
}
