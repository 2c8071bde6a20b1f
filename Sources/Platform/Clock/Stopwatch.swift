// Measures elapsed time with a monotonic clock.
import Dispatch

/// Starts on creation. Reading it costs well under a microsecond.
package struct Stopwatch: Sendable {
    private let start = DispatchTime.now().uptimeNanoseconds

    package init() {}

    package var elapsed: Duration {
        .nanoseconds(Int64(clamping: nanoseconds))
    }

    /// Whole milliseconds, rounded down.
    package var milliseconds: Int {
        Int(nanoseconds / 1_000_000)
    }

    /// Whole microseconds, rounded down.
    package var microseconds: Int {
        Int(nanoseconds / 1000)
    }

    private var nanoseconds: UInt64 {
        DispatchTime.now().uptimeNanoseconds - start
    }
}

extension Duration {
    /// Rounded down, for C interfaces.
    package var wholeMilliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }

    /// Rounded down.
    package var wholeSeconds: Int {
        Int(components.seconds)
    }
}
