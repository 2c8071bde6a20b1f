// The number of a publication or an event with its random tag: names one state of one history.

/// After a restore or a failover with loss, numbers repeat and tags don't. Publications with equal number and tag have
/// the same content.
package struct TaggedNumber: Sendable, Hashable {
    /// Before the first one.
    package static let none = TaggedNumber(number: 0, tag: "")

    package let number: Int64
    /// Twelve hexadecimal digits: short enough to be stored in the string itself.
    package let tag: String

    package init(number: Int64, tag: String) {
        self.number = number
        self.tag = tag
    }

    /// Reads `42-9f3ac1e07b52`, or `0` for none; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        switch parts.count {
        case 1 where text == "0": self = .none
        case 2:
            guard let number = Self.number(parts[0]), number > 0, Self.isTag(parts[1].utf8) else { return nil }
            self.init(number: number, tag: String(parts[1]))
        default: return nil
        }
    }

    package var text: String { self == .none ? "0" : "\(number)-\(tag)" }

    /// Reads digits without a sign and without leading zeros.
    static func number(_ text: some StringProtocol) -> Int64? {
        guard text == "0" || text.first != "0", text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    private static func isTag(_ digits: some Collection<UInt8>) -> Bool {
        digits.count == 12 && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
