// The display form of a host: Unicode if unambiguous, otherwise Punycode.

package struct DisplayHost: Sendable {
    package let text: String
    /// Whether it could be confused with another host.
    package let isSuspicious: Bool

    /// Suspicious are mixed scripts, restricted letters, and non-ASCII names that read as ASCII, except under a
    /// top-level
    /// domain of the same script («сор.рф»). A host in Punycode is decoded for the check and displayed unchanged.
    package init(_ host: String) {
        let isASCII = host.utf8.allSatisfy { $0 < 0x80 }
        if isASCII && !host.lowercased().contains("xn--") {
            (text, isSuspicious) = (host, false)
            return
        }
        let read = Confusables.unicode(ofHost: host) ?? host
        let labels = read.split(separator: ".").map(String.init)
        let isUnderForeign = labels.last?.utf8.contains { $0 >= 0x80 } == true
        isSuspicious =
            Confusables.ascii(ofHost: host) == nil
            // Browsers map full-width and similar letters to plain ones.
            || (!isASCII && read != host.lowercased())
            || labels.contains { label in
                guard label.utf8.contains(where: { $0 >= 0x80 }) else { return false }
                return Confusables.areMixed(inHost: label)
                    || (!isUnderForeign && Confusables.lookLikeASCII(label))
            }
        // An invalid host is shown with the code points of its letters.
        text = isSuspicious && !isASCII ? Confusables.ascii(ofHost: host) ?? Self.escaped(host) : host
    }

    private static func escaped(_ host: String) -> String {
        host.unicodeScalars.map { $0.isASCII ? String($0) : "[U+\(String($0.value, radix: 16, uppercase: true))]" }
            .joined()
    }
}
