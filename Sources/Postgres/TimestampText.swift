// The ISO text of timestamps, to the microsecond.
import FoundationEssentials

enum TimestampText {
    private static let secondsPerDay: Int64 = 86_400
    /// From 1970-01-01, where civil days are counted from, to 2001-01-01, where `Date` counts from.
    private static let referenceDay: Int64 = 11_323
    /// Past the last year PostgreSQL knows (294276), in seconds.
    private static let limit = 1e13

    /// `2024-05-01 10:20:30.123456+00`; what is no date becomes a text that the server refuses.
    static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        guard abs(seconds) < limit else { return "date out of range" }
        // Whole seconds apart from their fraction, for a Double does not hold far dates in microseconds.
        var second = Int64(seconds.rounded(.down))
        var microsecond = Int64(((seconds - Double(second)) * 1e6).rounded())
        if microsecond == 1_000_000 {
            second += 1
            microsecond = 0
        }
        let (dayOfReference, inDay) = second.quotientAndRemainder(floorDividingBy: secondsPerDay)
        let (year, month, day) = civil(fromDays: dayOfReference + referenceDay)
        // There is no year 0: the year before 1 is 1 BC.
        return padded(year > 0 ? year : 1 - year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + " "
            + padded(inDay / 3600, 2) + ":" + padded(inDay / 60 % 60, 2) + ":" + padded(inDay % 60, 2) + "."
            + padded(microsecond, 6) + "+00" + (year > 0 ? "" : " BC")
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// Reads what PostgreSQL writes for `timestamptz`, `timestamp` (taken as UTC) and `date` in ISO style.
    static func date(from text: UnsafeBufferPointer<UInt8>) -> Date? {
        var reader = DigitReader(text: text)
        guard let year = reader.number(), reader.skip("-"), let month = reader.number(), reader.skip("-"),
            let day = reader.number()
        else { return nil }
        var seconds: Int64 = 0
        var microseconds: Int64 = 0
        if reader.skip(" ") && !reader.isAtEra {
            guard let hour = reader.number(), reader.skip(":"), let minute = reader.number(), reader.skip(":"),
                let second = reader.number()
            else { return nil }
            seconds = hour * 3600 + minute * 60 + second
            if reader.skip(".") {
                guard let fraction = reader.fraction() else { return nil }
                microseconds = fraction
            }
            guard let offset = reader.offset() else { return nil }
            seconds -= offset
            _ = reader.skip(" ")
        }
        let isBeforeChrist = reader.skip("B") && reader.skip("C")
        guard reader.isAtEnd else { return nil }
        let days = days(fromYear: isBeforeChrist ? 1 - year : year, month, day) - referenceDay
        return Date(timeIntervalSinceReferenceDate: Double(days * secondsPerDay + seconds) + Double(microseconds) / 1e6)
    }

    // Days are counted in eras of 400 years that begin on 1 March, so that the leap day is a year's last day.

    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(floorDividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func days(fromYear year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = marchYear.quotientAndRemainder(floorDividingBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

/// Walks over the digits and signs of a timestamp.
private struct DigitReader {
    let text: UnsafeBufferPointer<UInt8>
    var position = 0

    var isAtEnd: Bool { position == text.count }
    var isAtEra: Bool { !isAtEnd && text[position] == UInt8(ascii: "B") }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard !isAtEnd, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Up to six digits: PostgreSQL's longest year.
    mutating func number() -> Int64? {
        var number: Int64 = 0
        let start = position
        while !isAtEnd, position - start < 6, case let digit = text[position] &- UInt8(ascii: "0"), digit < 10 {
            number = number * 10 + Int64(digit)
            position += 1
        }
        return position == start ? nil : number
    }

    /// The digits after the point, in microseconds.
    mutating func fraction() -> Int64? {
        let start = position
        guard var number = number() else { return nil }
        for _ in (position - start)..<6 { number *= 10 }
        return number
    }

    /// Seconds east of UTC: `+02`, `-03:30`, `+00:19:32`, or nothing.
    mutating func offset() -> Int64? {
        let isWest = skip("-")
        guard isWest || skip("+") else { return 0 }
        guard var seconds = number().map({ $0 * 3600 }) else { return nil }
        for unit: Int64 in [60, 1] where skip(":") {
            guard let number = number() else { return nil }
            seconds += number * unit
        }
        return isWest ? -seconds : seconds
    }
}

extension Int64 {
    fileprivate func quotientAndRemainder(floorDividingBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
