// When a mail that could not be sent is retried.

package struct MailRetries: Sendable {
    let first: Double
    /// Each wait is this many times the previous one.
    let growth: Double
    let longest: Double
    /// The mail fails after this many attempts.
    let attempts: Int

    package init(first: Double, growth: Double, longest: Double, attempts: Int) {
        self.first = first
        self.growth = growth
        self.longest = longest
        self.attempts = attempts
    }

    /// 5, 20, 80 seconds and so on, then every hour: about three days in all.
    package static let standard = MailRetries(first: 5, growth: 4, longest: 3600, attempts: 76)

    /// Seconds from attempt number `attempts` to the next, with up to a tenth of jitter; nil after the last. `chance` is
    /// between 0 and 1.
    package func delay(after attempts: Int, chance: Double) -> Double? {
        guard attempts >= 1, attempts < self.attempts else { return nil }
        let seconds = (1..<attempts).reduce(first) { seconds, _ in min(seconds * growth, longest) }
        return seconds * (1 + chance / 10)
    }
}
