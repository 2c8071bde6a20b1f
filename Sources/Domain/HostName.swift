// Validates the host of a URL, so that every client resolves the same one or none.
import Glibc

/// A name, an IPv4 address as four decimal numbers, or an IPv6 address in brackets.
package enum HostName {
    /// The host as it is stored: lowercase, and an international name in ASCII. Nil if it is none.
    package static func ascii(_ host: Substring) -> String? {
        if isInternational(host) { return internationalName(host) }
        let isValid = host.hasPrefix("[") ? host.hasSuffix("]") && isIPv6(host.dropFirst().dropLast()) : isName(host)
        return isValid ? host.lowercased() : nil
    }

    /// Whether it has letters beyond ASCII, written as they are or as `xn--`.
    static func isInternational(_ host: Substring) -> Bool {
        !host.utf8.allSatisfy { $0 < 0x80 } || host.lowercased().split(separator: ".").contains { $0.hasPrefix("xn--") }
    }

    /// An international name in ASCII, mapped as browsers do; nil if it is none. Numbers and brackets that the mapping
    /// makes of other characters are no IP address.
    static func internationalName(_ host: Substring) -> String? {
        guard let name = InternationalName.ascii(host), let last = labels(of: name[...])?.last, !isNumber(last) else {
            return nil
        }
        return name
    }

    private static func isName(_ host: Substring) -> Bool {
        guard let labels = labels(of: host) else { return false }
        // Clients read a name that ends in a number as an IPv4 address, in several notations.
        guard let last = labels.last, isNumber(last) else { return true }
        return labels.count == 4 && labels.allSatisfy(isDecimalByte)
    }

    /// Nil if one of them is invalid. A trailing dot is allowed: it marks a fully qualified name.
    private static func labels(of host: Substring) -> [Substring]? {
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        return host.utf8.count <= 253 && labels.allSatisfy(isLabel) ? labels : nil
    }

    private static func isIPv6(_ literal: Substring) -> Bool {
        var address = in6_addr()
        return literal.utf8.allSatisfy { $0.isHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
            && inet_pton(AF_INET6, String(literal), &address) == 1
    }

    private static func isLabel(_ label: Substring) -> Bool {
        let isPlain = label.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
        guard isPlain, (1...63).contains(label.utf8.count) else { return false }
        guard label.lowercased().hasPrefix("xn--") else { return true }
        // Letters beyond ASCII are what this prefix announces.
        guard let decoded = Punycode.decode(label.lowercased().dropFirst(4)) else { return false }
        return decoded.allSatisfy(isPartOfLabel) && decoded.contains { !$0.isASCII }
    }

    private static func isPartOfLabel(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        // The mapping has checked that joiners are between letters that need them.
        return scalar == "-" || scalar == "_" || properties.isAlphabetic || properties.numericType == .decimal
            || scalar == "\u{200C}" || scalar == "\u{200D}"
            || (!scalar.isASCII && properties.generalCategory == .nonspacingMark)
            || (!scalar.isASCII && properties.generalCategory == .spacingMark)
    }

    /// Decimal, or hexadecimal with `0x`.
    private static func isNumber(_ label: Substring) -> Bool {
        let folded = label.lowercased()
        if folded.hasPrefix("0x") { return folded.utf8.dropFirst(2).allSatisfy(\.isHexDigit) }
        return label.utf8.allSatisfy(\.isASCIIDigit)
    }

    private static func isDecimalByte(_ label: Substring) -> Bool {
        label.utf8.allSatisfy(\.isASCIIDigit) && UInt8(label).map { String($0) == label } == true
    }
}
