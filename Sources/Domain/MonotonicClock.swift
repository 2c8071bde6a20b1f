// The clock of caches and limits, which tests stop and move.

/// Moves forward only, whatever happens to the time of day.
package struct MonotonicClock: Sendable {
    package typealias Instant = ContinuousClock.Instant

    package static let system = MonotonicClock { .now }

    package let now: @Sendable () -> Instant

    package init(now: @escaping @Sendable () -> Instant) { self.now = now }
}
