// A day of the Gregorian calendar, without a time zone.

/// Years 1 to 9999, like `CivilTime`.
package struct CalendarDay: Sendable, Hashable {
    private let midnight: CivilTime

    private init(_ midnight: CivilTime) {
        self.midnight = midnight
    }

    /// Reads exactly `2026-11-20`.
    package init?(_ text: String) {
        guard text.utf8.count == 10 else { return nil }
        var rest = Substring("\(text)T00:00").utf8
        guard let midnight = CivilTime(reading: &rest, needsSeconds: false), rest.isEmpty else { return nil }
        self.midnight = midnight
    }

    package var year: Int { midnight.year }
    package var month: Int { midnight.month }
    package var day: Int { midnight.day }

    /// `2026-11-20`
    package var text: String { String(midnight.text.prefix(10)) }

    /// 0 is Monday, as January 1 of year 1 was.
    package var weekday: Int { CivilTime.dayNumber(year: year, month: month, day: day) % 7 }

    /// The number of days in its month.
    package var monthLength: Int { CivilTime.days(inMonth: month, of: year) }

    /// Nil outside the years 1 to 9999.
    package func adding(days: Int) -> CalendarDay? {
        midnight.adding(minutes: days * 24 * 60).map { CalendarDay($0) }
    }
}
