// The day, week or month that the schedule shows.
import Domain
import Localization

struct SchedulePeriod: Sendable, Equatable {
    enum Length: String, Sendable {
        case day, week, month
    }

    let length: Length
    let first: CalendarDay
    let last: CalendarDay

    init(dayOf day: CalendarDay) { (length, first, last) = (.day, day, day) }

    /// The week of a day, from Monday; nil at the ends of the calendar.
    init?(weekOf day: CalendarDay) {
        guard let first = day.adding(days: -day.weekday), let last = first.adding(days: 6) else { return nil }
        (length, self.first, self.last) = (.week, first, last)
    }

    init?(monthOf day: CalendarDay) {
        guard let first = day.adding(days: 1 - day.day), let last = first.adding(days: day.monthLength - 1) else {
            return nil
        }
        (length, self.first, self.last) = (.month, first, last)
    }

    /// `day` and `week` are a day such as `2026-11-20`, `month` such as `2026-11`; without any it is the week of `today`.
    init(day: String? = nil, week: String?, month: String?, today: CalendarDay) throws(Failure) {
        let found: SchedulePeriod?
        if let day {
            found = CalendarDay(day).map { SchedulePeriod(dayOf: $0) }
        } else if let month {
            found = CalendarDay("\(month)-01").flatMap { SchedulePeriod(monthOf: $0) }
        } else if let week {
            found = CalendarDay(week).flatMap { SchedulePeriod(weekOf: $0) }
        } else {
            found = SchedulePeriod(weekOf: today)
        }
        guard let found else {
            let errors =
                day == nil && month != nil
                ? FieldErrors("/month", "format", tr("Enter a month such as 2026-11."))
                : FieldErrors(day == nil ? "/week" : "/day", "format", tr("Enter a day such as 2026-11-20."))
            throw .invalid(errors)
        }
        self = found
    }

    /// Its days in order.
    var days: [CalendarDay] {
        let count =
            switch length {
            case .day: 1
            case .week: 7
            case .month: first.monthLength
            }
        return (0..<count).compactMap { first.adding(days: $0) }
    }

    var previous: SchedulePeriod? { first.adding(days: -1).flatMap { period(of: $0) } }
    var next: SchedulePeriod? { last.adding(days: 1).flatMap { period(of: $0) } }

    /// One of the same length.
    func period(of day: CalendarDay) -> SchedulePeriod? {
        switch length {
        case .day: SchedulePeriod(dayOf: day)
        case .week: SchedulePeriod(weekOf: day)
        case .month: SchedulePeriod(monthOf: day)
        }
    }

    var url: String {
        AdminURL.schedule(query: [length.rawValue: length == .month ? String(first.text.prefix(7)) : first.text])
    }

    /// `November 2026`, `Week of November 23, 2026`, `Mon, November 23, 2026`.
    var heading: String {
        let month = Self.months[first.month - 1]
        return switch length {
        case .day:
            tr("\(Self.weekdays[first.weekday]), \(month) \(first.day), \(first.year)", context: "schedule")
        case .week: tr("Week of \(month) \(first.day), \(first.year)", context: "schedule")
        case .month: "\(month) \(first.year)"
        }
    }

    /// `Mon 23`
    static func label(of day: CalendarDay) -> String { "\(weekdays[day.weekday]) \(day.day)" }

    /// `Sun, November 22, 08:42 Europe/Berlin`, of a time such as `2026-11-22 08:42` in this zone.
    static func label(ofTime local: String, zone: String) -> String {
        guard let day = CalendarDay(String(local.prefix(10))) else { return "\(local) \(zone)" }
        let (weekday, month) = (weekdays[day.weekday], months[day.month - 1])
        let time = String(local.dropFirst(11))
        return tr("\(weekday), \(month) \(day.day), \(time) \(zone)", context: "home")
    }

    private static var months: [String] {
        [
            tr("January", context: "month"), tr("February", context: "month"), tr("March", context: "month"),
            tr("April", context: "month"), tr("May", context: "month"), tr("June", context: "month"),
            tr("July", context: "month"), tr("August", context: "month"), tr("September", context: "month"),
            tr("October", context: "month"), tr("November", context: "month"), tr("December", context: "month"),
        ]
    }

    private static var weekdays: [String] {
        [
            tr("Mon", context: "weekday"), tr("Tue", context: "weekday"), tr("Wed", context: "weekday"),
            tr("Thu", context: "weekday"), tr("Fri", context: "weekday"), tr("Sat", context: "weekday"),
            tr("Sun", context: "weekday"),
        ]
    }
}
