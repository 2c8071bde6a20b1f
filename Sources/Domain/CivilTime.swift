// A date and time of day without a time zone: the arithmetic behind timestamps and wall times.

/// Years 1 to 9999 of the Gregorian calendar, to the second, without leap seconds, like PostgreSQL.
struct CivilTime: Hashable {
    let year, month, day, hour, minute, second: Int

    init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, of: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Reads `YYYY-MM-DDTHH:MM` with optional `:SS`, and advances `text` past it.
    init?(reading text: inout Substring.UTF8View, needsSeconds: Bool) {
        guard let year = text.takeNumber(digits: 4), text.take("-"), let month = text.takeNumber(digits: 2),
            text.take("-"), let day = text.takeNumber(digits: 2), text.take("T") || text.take("t"),
            let hour = text.takeNumber(digits: 2), text.take(":"), let minute = text.takeNumber(digits: 2)
        else { return nil }
        var second = 0
        if text.take(":") {
            guard let value = text.takeNumber(digits: 2) else { return nil }
            second = value
        } else if needsSeconds {
            return nil
        }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// The time `minutes` later; nil outside the years 1 to 9999.
    func adding(minutes: Int) -> CivilTime? {
        let total = Self.dayNumber(year: year, month: month, day: day) * 1440 + hour * 60 + minute + minutes
        guard total >= 0 else { return nil }
        var rest = total / 1440
        // An estimate that is never too high, since a year has at most 366 days.
        var year = max(1, rest / 366)
        while Self.dayNumber(year: year + 1, month: 1, day: 1) <= rest { year += 1 }
        rest -= Self.dayNumber(year: year, month: 1, day: 1)
        var month = 1
        while rest >= Self.days(inMonth: month, of: year) {
            rest -= Self.days(inMonth: month, of: year)
            month += 1
        }
        let minuteOfDay = total % 1440
        return CivilTime(
            year: year, month: month, day: rest + 1, hour: minuteOfDay / 60, minute: minuteOfDay % 60, second: second)
    }

    /// `YYYY-MM-DDTHH:MM:SS`
    var text: String {
        "\(Self.padded(year, to: 4))-\(Self.padded(month))-\(Self.padded(day))T"
            + "\(Self.padded(hour)):\(Self.padded(minute)):\(Self.padded(second))"
    }

    private static func padded(_ number: Int, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// Days since January 1 of year 1, which is day 0.
    static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let before = year - 1
        let years = before * 365 + before / 4 - before / 100 + before / 400
        return (1..<month).reduce(years + day - 1) { $0 + days(inMonth: $1, of: year) }
    }

    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Substring.UTF8View {
    /// Consumes `character` if it is next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard first == UInt8(ascii: character) else { return false }
        removeFirst()
        return true
    }

    /// Consumes exactly `count` decimal digits.
    mutating func takeNumber(digits count: Int) -> Int? {
        let digits = prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        removeFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
