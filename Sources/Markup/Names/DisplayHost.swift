// A host as a curator sees it: as people write it where nobody can take it for another, else as DNS spells it.

package struct DisplayHost: Sendable {
    package let text: String
    /// It could be taken for another host.
    package let isDoubtful: Bool

    /// Doubtful are letters of scripts that are not written together, letters that no name needs, and a name that reads as
    /// ASCII and is not; the last is usual under a top-level domain of its own script («сор.рф»). Of a host that is written
    /// in DNS's spelling the letters count that it stands for; it stays as it is.
    package init(_ host: String) {
        let isASCII = host.utf8.allSatisfy { $0 < 0x80 }
        if isASCII && !host.lowercased().contains("xn--") {
            (text, isDoubtful) = (host, false)
            return
        }
        let read = Confusables.unicode(ofHost: host) ?? host
        let labels = read.split(separator: ".").map(String.init)
        let isUnderForeign = labels.last?.utf8.contains { $0 >= 0x80 } == true
        isDoubtful =
            Confusables.ascii(ofHost: host) == nil
            // Browsers take full-width and other letters for plain ones.
            || (!isASCII && read != host.lowercased())
            || labels.contains { label in
                guard label.utf8.contains(where: { $0 >= 0x80 }) else { return false }
                return Confusables.areMixed(inHost: label)
                    || (!isUnderForeign && Confusables.lookLikeASCII(label))
            }
        // What is no host at all is shown by the numbers of its letters.
        text = isDoubtful && !isASCII ? Confusables.ascii(ofHost: host) ?? Self.escaped(host) : host
    }

    private static func escaped(_ host: String) -> String {
        host.unicodeScalars.map { $0.isASCII ? String($0) : "[U+\(String($0.value, radix: 16, uppercase: true))]" }
            .joined()
    }
}
