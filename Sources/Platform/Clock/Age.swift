// Formats an age compactly: 40 s, 5 min, 2 h, 3 d.
import FoundationEssentials
import Localization

package enum Age {
    private static let minute = 60
    private static let hour = 60 * minute
    private static let day = 24 * hour
    private static let month = 30 * day
    private static let year = 365 * day

    /// Whole units, rounded down. Each unit is used from 1 on, months from 60 days on. Times in the future (clock skew) are
    /// `0 s` old.
    package static func text(seconds: Int) -> String {
        switch seconds {
        case ..<0: "0 s"
        case ..<minute: tr("\(seconds) s", context: "age")
        case ..<hour: tr("\(seconds / minute) min", context: "age")
        case ..<day: tr("\(seconds / hour) h", context: "age")
        case ..<(2 * month): tr("\(seconds / day) d", context: "age")
        case ..<(2 * year): tr("\(seconds / month) mo", context: "age")
        default: tr("\(seconds / year) y", context: "age")
        }
    }

    package static func text(since start: Date, now: Date = Date()) -> String {
        let seconds = now.timeIntervalSince(start)
        return text(seconds: seconds > 0 ? Int(min(seconds, 1e12)) : 0)
    }
}
