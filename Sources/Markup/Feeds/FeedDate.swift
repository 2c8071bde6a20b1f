// Parses the dates of feeds and formats them as RFC 3339 in UTC.

struct FeedDate {
    var year = 0
    var month = 1
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0
    /// Minutes east of UTC.
    var offsetMinutes = 0

    /// Converts RFC 822, RFC 3339, ISO 8601 and common variants to `2024-03-10T17:15:00Z`. Drops fractions of seconds.
    /// A
    /// date without a zone counts as UTC, one without a time as midnight. Nil for invalid dates, and outside the years 2 to 9999
    /// in UTC: programs write the first moment of year 1 if they have no date.
    static func rfc3339(_ text: String) -> String? {
        let text = FeedText.collapse(text)
        guard (4...100).contains(text.utf8.count) else { return nil }
        let digits = text.utf8.prefix { $0.isFeedDigit }.count
        let date = digits >= 4 ? FeedDateScanner.iso8601(text) : FeedTextDate.rfc822(text)
        return date?.utc
    }

    private var utc: String? {
        guard Self.years.contains(year), (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year),
            (0...24).contains(hour), (0...59).contains(minute), (0...60).contains(second),
            hour < 24 || (minute == 0 && second == 0), abs(offsetMinutes) <= 15 * 60
        else { return nil }
        let time = hour * 3_600 + minute * 60 + min(second, 59) - offsetMinutes * 60
        let shift = time >= 0 ? time / 86_400 : -1
        guard let date = shifted(by: shift) else { return nil }
        let left = time - shift * 86_400
        let parts = [
            (date.year, 4), (date.month, 2), (date.day, 2), (left / 3_600, 2), (left / 60 % 60, 2), (left % 60, 2),
        ]
        let text = parts.map { Self.padded($0.0, to: $0.1) }
        return "\(text[0])-\(text[1])-\(text[2])T\(text[3]):\(text[4]):\(text[5])Z"
    }

    /// The day before, the same or the next one.
    private func shifted(by days: Int) -> FeedDate? {
        var date = self
        date.day += days
        if date.day < 1 {
            date.month -= 1
            if date.month < 1 { (date.year, date.month) = (date.year - 1, 12) }
            date.day = Self.days(in: date.month, of: date.year)
        } else if date.day > Self.days(in: date.month, of: date.year) {
            date.day = 1
            date.month += 1
            if date.month > 12 { (date.year, date.month) = (date.year + 1, 1) }
        }
        return Self.years.contains(date.year) ? date : nil
    }

    private static let years = 2...9999

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
