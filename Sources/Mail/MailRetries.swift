// When a mail that could not be sent is tried again.

package struct MailRetries: Sendable {
    let first: Double
    /// Each wait is so many times the one before it.
    let growth: Double
    let longest: Double
    /// After so many attempts the mail has failed.
    let attempts: Int

    package init(first: Double, growth: Double, longest: Double, attempts: Int) {
        self.first = first
        self.growth = growth
        self.longest = longest
        self.attempts = attempts
    }

    /// After 5 seconds, 20, 80 and so on, then every hour: about three days in all.
    package static let standard = MailRetries(first: 5, growth: 4, longest: 3600, attempts: 76)

    /// Seconds until the next attempt after `attempts` of them, spread by up to a tenth; nil when there is none. `chance` is
    /// between 0 and 1.
    package func delay(after attempts: Int, chance: Double) -> Double? {
        guard attempts >= 1, attempts < self.attempts else { return nil }
        let seconds = (1..<attempts).reduce(first) { seconds, _ in min(seconds * growth, longest) }
        return seconds * (1 + chance / 10)
    }
}
