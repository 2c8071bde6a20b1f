// Decides whether an address from outside may stand in a link: by its scheme, after reading it as a browser does.

import FoundationEssentials

package enum LinkURL {
    package enum Use { case link, image }

    /// The address as it may be written into `href` (http, https, mailto) or `src` (http, https), or nil.
    /// A relative address is resolved against `base`, and is refused without one.
    package static func absolute(_ address: String, for use: Use, base: URL? = nil) -> String? {
        let cleaned = cleaned(address)
        if let scheme = scheme(of: cleaned) {
            return isAllowed(scheme, in: cleaned, for: use) ? cleaned : nil
        }
        guard !cleaned.isEmpty, let base, let url = URL(string: cleaned, relativeTo: base) else { return nil }
        let resolved = LinkURL.cleaned(url.absoluteString)
        guard let scheme = scheme(of: resolved), isAllowed(scheme, in: resolved, for: use) else { return nil }
        return resolved
    }

    /// The address as a page of ours may link it: absolute as above, or relative to this site, or else "#".
    package static func onPage(_ address: String) -> String {
        let cleaned = cleaned(address)
        if let scheme = scheme(of: cleaned) {
            return isAllowed(scheme, in: cleaned, for: .link) ? cleaned : "#"
        }
        // Two slashes of either kind would lead to another site.
        let second = cleaned.utf8.dropFirst().first
        switch cleaned.utf8.first {
        case UInt8(ascii: "/") where second != UInt8(ascii: "/") && second != UInt8(ascii: "\\"): return cleaned
        case UInt8(ascii: "?"), UInt8(ascii: "#"): return cleaned
        default: return "#"
        }
    }

    /// Percent-encodes everything but letters, digits and `-._~`, so that the text stays one part of an address.
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

    /// What a browser makes of it first: tabs and line ends vanish, controls and spaces vanish at the ends.
    /// Controls elsewhere vanish too, so that nothing downstream can make a scheme by dropping them.
    private static func cleaned(_ address: String) -> String {
        var scalars = String.UnicodeScalarView()
        var spaces = 0
        for scalar in address.unicodeScalars where !HTMLCharacter.isUnwanted(scalar) {
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

    /// In lower case; nil for a relative address.
    private static func scheme(of address: String) -> String? {
        for (index, byte) in address.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: ":"): return String(decoding: address.utf8.prefix(index), as: UTF8.self).lowercased()
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\"): return nil
            default: continue
            }
        }
        return nil
    }

    private static func isAllowed(_ scheme: String, in address: String, for use: Use) -> Bool {
        let rest = address.utf8.dropFirst(scheme.utf8.count + 1)
        switch scheme {
        case "http", "https":
            // A browser also accepts `https:host` and `https:///host`; nobody means well with them.
            guard rest.starts(with: "//".utf8), let host = rest.dropFirst(2).first else { return false }
            return !"/\\?#".utf8.contains(host)
        case "mailto": return use == .link && !rest.isEmpty
        default: return false
        }
    }
}
