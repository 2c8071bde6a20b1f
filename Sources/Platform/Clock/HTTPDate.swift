// Formats times for HTTP headers: Sun, 06 Nov 1994 08:49:37 GMT.
import FoundationEssentials
import Synchronization

package enum HTTPDate {
    private static let weekdays: [StaticString] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let latest = Mutex<(second: Int, text: String)>((Int.min, ""))

    /// The current second, formatted once per second.
    package static func now() -> String {
        let second = Int(Date().timeIntervalSince1970)
        return latest.withLock { latest in
            if latest.second != second {
                latest = (second, text(Date(timeIntervalSince1970: Double(second))))
            }
            return latest.text
        }
    }

    /// IMF-fixdate of RFC 9110, whole seconds rounded down.
    package static func text(_ date: Date) -> String {
        let moment = Moment(date)
        return String(unsafeUninitializedCapacity: 29) { buffer in
            var digits = DigitWriter(buffer)
            digits.put(weekdays[moment.weekday])
            digits.put(", ")
            digits.put(moment.day, width: 2)
            digits.put(" ")
            digits.put(months[moment.month - 1])
            digits.put(" ")
            digits.put(moment.year, width: 4)
            digits.put(" ")
            digits.putTime(of: moment)
            digits.put(" GMT")
            return digits.count
        }
    }
}
