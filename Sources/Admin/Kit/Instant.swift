// A date for templates: by the clock of the person, in ISO 8601, and relative to now.
import Domain
import FoundationEssentials
import Localization
import Markup
import Platform

extension Date: TemplateConvertible {
    package var templateModel: any Encodable { Instant(self) }
}

package struct Instant: Encodable, Sendable {
    /// `2026-11-20 18:00 Europe/Berlin`: by the clock of the person, or of UTC.
    package let text: String
    /// In UTC, for the attribute `datetime`.
    package let iso: String
    /// `2 h ago` or `in 3 d`
    let relative: String

    package init(_ date: Date, now: Date = Date()) {
        iso = InstantText.text(date, milliseconds: false)
        text = "\(Self.local(date).replacing("T", with: " ")) \(Self.zone)"
        relative =
            date > now
            ? tr("in \(Age.text(since: now, now: date))", context: "instant")
            : tr("\(Age.text(since: date, now: now)) ago", context: "instant")
    }

    /// A time as somebody entered it, with its zone; nil if the text says the same.
    func entered(_ local: String?) -> String? { local == text ? nil : local }

    /// The zone of the texts.
    static var zone: String { ZoneClock.current?.zone ?? ZoneName.standard }

    /// `2026-11-20T18:00`: by the clock of the person, or of UTC, as inputs for dates and times have it.
    static func local(_ date: Date) -> String {
        let offset = ZoneClock.current?.offset(at: date) ?? 0
        return String(InstantText.text(date.addingTimeInterval(TimeInterval(offset)), milliseconds: false).prefix(16))
    }
}
