// A calendar month of scheduled releases; each is on its day in its own time zone.
import Domain
import Localization
import Store

struct ReleaseCalendar: Encodable, Sendable {
    struct Day: Encodable, Sendable {
        /// Nil before the first and after the last of the month.
        let number: Int?
        let isToday: Bool
        let releases: [Release]
    }

    struct Release: Encodable, Sendable {
        let number: Int64
        let title: String
        let time: String
        let zone: String
    }

    struct Week: Encodable, Sendable {
        let days: [Day]
    }

    let name: String
    let weeks: [Week]
    let previous: String
    let next: String

    private static var names: [String] {
        [
            tr("January", context: "month"), tr("February", context: "week"), tr("March", context: "week"),
            tr("April", context: "week"), tr("May", context: "week"), tr("June", context: "week"),
            tr("July", context: "week"), tr("August", context: "week"), tr("September", context: "week"),
            tr("October", context: "week"), tr("November", context: "week"),
            tr("December", context: "month"),
        ]
    }

    /// `month` as `2026-11`; nil for the month of `today` (`2026-11-20`). Weeks start on Monday.
    init(month: String?, scheduled: [ReleaseRow], today: String) throws(Failure) {
        let wanted = month ?? String(today.prefix(7))
        let parts = wanted.split(separator: "-")
        guard parts.count == 2, parts[0].count == 4, let year = Int(parts[0]), let number = Int(parts[1]), year > 0,
            (1...12).contains(number)
        else { throw .invalid(FieldErrors("/month", "format", tr("Enter a month such as 2026-11."))) }
        let key = Self.key(year, number)
        var byDay: [Int: [Release]] = [:]
        for row in scheduled {
            guard let local = row.localTime, local.hasPrefix(key), let day = Int(local.dropFirst(8).prefix(2)) else {
                continue
            }
            byDay[day, default: []].append(
                Release(
                    number: row.number, title: row.title, time: String(local.dropFirst(11)), zone: row.zone ?? ""))
        }
        name = "\(Self.names[number - 1]) \(year)"
        previous = number == 1 ? Self.key(year - 1, 12) : Self.key(year, number - 1)
        next = number == 12 ? Self.key(year + 1, 1) : Self.key(year, number + 1)
        let blanks = Self.weekday(year, number)
        let length = Self.length(year, number)
        let cells = (0..<(blanks + length + 6) / 7 * 7).map { cell in
            let day = cell - blanks + 1
            guard (1...length).contains(day) else { return Day(number: nil, isToday: false, releases: []) }
            return Day(
                number: day, isToday: today == "\(key)-\(day < 10 ? "0" : "")\(day)", releases: byDay[day] ?? [])
        }
        weeks = stride(from: 0, to: cells.count, by: 7).map { Week(days: Array(cells[$0..<$0 + 7])) }
    }

    private static func key(_ year: Int, _ month: Int) -> String {
        let text = String(year)
        return String(repeating: "0", count: max(0, 4 - text.count)) + text + "-\(month < 10 ? "0" : "")\(month)"
    }

    private static func length(_ year: Int, _ month: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The weekday of the first of a month, Monday is 0 (Sakamoto's rule, which counts from Sunday).
    private static func weekday(_ year: Int, _ month: Int) -> Int {
        let shift = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][month - 1]
        let y = month < 3 ? year - 1 : year
        let fromSunday = (y + y / 4 - y / 100 + y / 400 + shift + 1) % 7
        return (fromSunday + 6) % 7
    }
}
