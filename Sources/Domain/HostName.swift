// Validates the host of a URL, so that every client resolves the same one or none.
import Glibc

/// A name, an IPv4 address as four decimal numbers, or an IPv6 address in brackets.
enum HostName {
    static func isValid(_ host: Substring) -> Bool {
        if host.hasPrefix("[") { return host.hasSuffix("]") && isIPv6(host.dropFirst().dropLast()) }
        var labels = host.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
        // A trailing dot is allowed: it marks a fully qualified name.
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        guard host.utf8.count <= 253, labels.allSatisfy({ isLabel(String($0)) }) else { return false }
        // Clients read a name that ends in a number as an IPv4 address, in several notations.
        guard let last = labels.last, isNumber(String(last)) else { return true }
        return labels.count == 4 && labels.allSatisfy { isDecimalByte(String($0)) }
    }

    private static func isIPv6(_ literal: Substring) -> Bool {
        var address = in6_addr()
        return literal.utf8.allSatisfy { $0.isHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
            && inet_pton(AF_INET6, String(literal), &address) == 1
    }

    private static func isLabel(_ label: String) -> Bool {
        guard !label.isEmpty, label.utf8.count <= 63, label.unicodeScalars.allSatisfy(isPartOfLabel) else {
            return false
        }
        guard label.lowercased().hasPrefix("xn--") else { return true }
        // Letters beyond ASCII are what this prefix announces.
        guard let decoded = Punycode.decode(label.lowercased().dropFirst(4)) else { return false }
        return decoded.allSatisfy(isPartOfLabel) && decoded.contains { !$0.isASCII }
    }

    private static func isPartOfLabel(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return scalar == "-" || scalar == "_" || properties.isAlphabetic || properties.numericType == .decimal
            || (!scalar.isASCII && properties.generalCategory == .nonspacingMark)
            || (!scalar.isASCII && properties.generalCategory == .spacingMark)
    }

    /// Decimal in any script, or hexadecimal with `0x`.
    private static func isNumber(_ label: String) -> Bool {
        let folded = label.lowercased()
        if folded.hasPrefix("0x") { return folded.utf8.dropFirst(2).allSatisfy(\.isHexDigit) }
        return label.unicodeScalars.allSatisfy { $0.properties.numericType == .decimal }
    }

    private static func isDecimalByte(_ label: String) -> Bool {
        label.utf8.allSatisfy(\.isASCIIDigit) && UInt8(label).map { String($0) == label } == true
    }
}
