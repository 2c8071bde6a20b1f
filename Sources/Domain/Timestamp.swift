// An instant in RFC 3339 format, with an offset or Z.

package struct Timestamp: Sendable, Hashable {
    /// The text as written, such as `2026-11-20T18:00:00+01:00`, but with uppercase `T` and `Z` and at most six digits
    /// of fraction.
    package let text: String

    /// The same instant in UTC, to the second: `2026-11-20T17:00:00`.
    let universal: CivilTime

    /// The fraction of the second.
    private let microseconds: Int

    /// Nil unless the text is a full date, time and offset in the years 1 to 9999, also in UTC. Rejects leap seconds
    /// and
    /// offsets of 16 hours or more, which PostgreSQL does not support.
    package init?(_ written: String) {
        var rest = Substring(written).utf8
        guard written.utf8.count <= 40, let local = CivilTime(reading: &rest, needsSeconds: true) else { return nil }
        var fraction = ""
        if rest.take(".") {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard (1...9).contains(digits.count) else { return nil }
            // PostgreSQL stores microseconds.
            fraction = "." + String(Substring(digits).prefix(6))
            rest = rest.dropFirst(digits.count)
        }
        microseconds = Int(fraction.dropFirst().padded(to: 6)) ?? 0
        guard let (offset, offsetText) = Self.readOffset(&rest), rest.isEmpty,
            let universal = local.adding(minutes: -offset)
        else { return nil }
        self.universal = universal
        text = local.text + fraction + offsetText
    }

    /// Whether this instant is later (>), regardless of the offsets.
    package func isAfter(_ other: Timestamp) -> Bool {
        (universal.text, microseconds) > (other.universal.text, other.microseconds)
    }

    /// Whether this instant is more than that many times 24 hours later (>).
    package func isAfter(_ other: Timestamp, byDays days: Int) -> Bool {
        guard let limit = other.universal.adding(minutes: days * 1440) else { return false }
        return (universal.text, microseconds) > (limit.text, other.microseconds)
    }

    /// The offset in minutes east of UTC.
    private static func readOffset(_ rest: inout Substring.UTF8View) -> (minutes: Int, text: String)? {
        if rest.take("Z") || rest.take("z") { return (0, "Z") }
        let text = String(Substring(rest))
        let isWest = rest.take("-")
        guard isWest || rest.take("+"), let hours = rest.takeNumber(digits: 2), rest.take(":"),
            let minutes = rest.takeNumber(digits: 2), hours <= 15, minutes <= 59
        else { return nil }
        return ((isWest ? -1 : 1) * (hours * 60 + minutes), text)
    }
}

extension Substring {
    fileprivate func padded(to length: Int) -> String {
        self + String(repeating: "0", count: Swift.max(0, length - count))
    }
}
