// The clock of a time zone, by ICU: how far it is from UTC at any time. Times are shown by the clock of the person.
import CICU
import FoundationEssentials
import Synchronization

package final class ZoneClock: Sendable {
    /// The name of the zone, such as `Europe/Berlin`.
    package let zone: String
    /// When an offset begins, in seconds since 1970, ascending. The first offset is also that of all times before.
    private let starts: [Double]
    /// In seconds.
    private let offsets: [Int32]

    /// That of the person for whom the current task produces a page; nil is UTC.
    @TaskLocal package static var current: ZoneClock?

    /// By zone. Zones of people are names that the database knows, so they are few.
    private static let known = Mutex<[String: ZoneClock]>([:])

    /// Zones change their offset up to four times a year, until 2100.
    private static let capacity = 1024

    /// Nil for a zone that ICU doesn't know.
    package static func of(_ zone: String) -> ZoneClock? {
        known.withLock { clocks in
            if let clock = clocks[zone] { return clock }
            let clock = ZoneClock(zone)
            clocks[zone] = clock
            return clock
        }
    }

    private init?(_ zone: String) {
        var starts = [Double](repeating: 0, count: Self.capacity)
        var offsets = [Int32](repeating: 0, count: Self.capacity)
        let count = vitrine_zone_offsets(zone, &starts, &offsets, Int32(Self.capacity))
        guard count > 0 else { return nil }
        self.zone = zone
        self.starts = Array(starts.prefix(Int(count)))
        self.offsets = Array(offsets.prefix(Int(count)))
    }

    /// The offset from UTC at a time, in seconds.
    package func offset(at date: Date) -> Int {
        let time = date.timeIntervalSince1970
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return Int(offsets[max(0, low - 1)])
    }
}
