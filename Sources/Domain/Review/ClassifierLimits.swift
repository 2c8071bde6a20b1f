// How often an external classifier is asked: its budget, its breaker, and how long an answer is reused.

package struct ClassifierLimits: Sendable {
    /// Calls in one clock hour, and in one day (UTC). At the limit (>=), submissions are skipped.
    package var perHour: Int
    package var perDay: Int
    /// An answer about the same text is reused while it is younger than this (<).
    package var cacheSeconds: Int
    /// How long a call may take.
    package var timeoutMilliseconds: Int
    /// Consecutive failures that open the breaker. While it is open, nothing is asked; after its pause one call is tried.
    package var breakerFailures = 5
    /// Each failure of that one call doubles the pause.
    package var firstPauseSeconds = 30
    package var longestPauseSeconds = 3600
    /// Seconds after the first and the second attempt for one submission; after the third, there is no answer.
    package var retries = RetrySchedule(seconds: [10, 60])
    package var maxAttempts = 3

    package init(perHour: Int, perDay: Int, cacheSeconds: Int, timeoutMilliseconds: Int) {
        self.perHour = perHour
        self.perDay = perDay
        self.cacheSeconds = cacheSeconds
        self.timeoutMilliseconds = timeoutMilliseconds
    }

    /// Longer than any call takes: a submission whose daemon died is asked about again after this.
    package var leaseSeconds: Int { timeoutMilliseconds / 1000 + 20 }
}

/// Whether an external classifier is asked at the moment.
package enum BreakerState: String, Sendable, CaseIterable {
    case closed
    /// The pause is over, and one call is tried.
    case halfOpen = "half_open"
    /// It failed too often; nothing is asked until the pause is over.
    case open
}
