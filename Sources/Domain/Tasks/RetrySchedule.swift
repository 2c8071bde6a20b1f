// When a message that could not be sent is tried again: after growing waits, and no earlier than its receiver asks.

package struct RetrySchedule: Sendable {
    /// Seconds to wait after the first attempt, the second and so on; after the last, the message has failed.
    private let waits: [Double]

    package init(seconds: [Double]) {
        waits = seconds
    }

    /// Each wait is `growth` times the previous one, and at most `longest`.
    package init(first: Double, growth: Double, longest: Double, attempts: Int) {
        var waits: [Double] = []
        while waits.count < attempts - 1 { waits.append(waits.last.map { min($0 * growth, longest) } ?? first) }
        self.waits = waits
    }

    /// 5, 20, 80 seconds and so on, then every hour: about three days in all.
    package static let mail = RetrySchedule(first: 5, growth: 4, longest: 3600, attempts: 76)

    /// Standard Webhooks 1.0: about three days in all.
    package static let webhookDelivery = RetrySchedule(seconds: [
        5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ])

    /// Seconds from attempt number `attempts` to the next, with up to a tenth of jitter; nil after the last. `chance` is
    /// between 0 and 1.
    package func delay(after attempts: Int, chance: Double, atLeast pause: Int = 0) -> Double? {
        guard attempts >= 1, attempts <= waits.count else { return nil }
        return max(waits[attempts - 1] * (1 + chance / 10), Double(pause))
    }
}
