// Dates of HTTP headers, such as `Sun, 06 Nov 1994 08:49:37 GMT`.

/// Seconds since 1970 to and from the one date form that HTTP/1.1 senders use (RFC 9110, IMF-fixdate).
package enum HeaderDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The text for a moment from 1970 to 9999.
    package static func text(_ seconds: Int64) -> String {
        let (day, second) = (seconds / 86400, seconds % 86400)
        let date = civil(day)
        let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(days[Int(day % 7)]), \(padded(date.day, 2)) \(months[Int(date.month) - 1]) "
            + "\(padded(date.year, 4)) \(clock) GMT"
    }

    /// The moment that a text names; nil for every other form, for dates before 1970 and for a wrong day of the week.
    package static func parse(_ text: String) -> Int64? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, let month = months.firstIndex(of: String(parts[2])),
            let day = Int64(parts[1]), let year = Int64(parts[3]), (1970...9999).contains(year), (1...31).contains(day)
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        let seconds = dayNumber(year, Int64(month) + 1, day) * 86400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
        // Writing it again refuses 31 April, single digits and all else that is not this form.
        return HeaderDate.text(seconds) == text ? seconds : nil
    }

    /// The date of a day counted from 1970-01-01, in years that begin in March so that the leap day comes last.
    private static func civil(_ dayNumber: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = dayNumber + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let yearOfEra = marchYear % 400
        return marchYear / 400 * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
