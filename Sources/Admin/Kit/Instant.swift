// A date for templates: as UTC text, in ISO 8601, and relative to now.
import FoundationEssentials
import Localization
import Markup
import Platform

extension Date: TemplateConvertible {
    package var templateModel: any Encodable { Instant(self) }
}

package struct Instant: Encodable, Sendable {
    /// `2026-11-20 18:00 UTC`
    package let text: String
    /// For the attribute `datetime`.
    package let iso: String
    /// `2 h ago` or `in 3 d`
    let relative: String

    package init(_ date: Date, now: Date = Date()) {
        iso = InstantText.text(date, milliseconds: false)
        let parts = iso.split(whereSeparator: { $0 == "T" || $0 == "Z" })
        text = "\(parts[0]) \(parts[1].prefix(5)) UTC"
        relative =
            date > now
            ? tr("in \(Age.text(since: now, now: date))", context: "instant")
            : tr("\(Age.text(since: date, now: now)) ago", context: "instant")
    }
}
