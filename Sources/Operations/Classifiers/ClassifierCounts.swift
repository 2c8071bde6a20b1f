// Counts what became of the questions that this process handled, and how long answers took, for its metrics.
import Synchronization

package final class ClassifierCounts: Sendable {
    package enum Result: String, Sendable, CaseIterable {
        case scored, reused, failed, skipped
    }

    private let state = Mutex((counts: [Result: Int](), milliseconds: 0))

    package init() {}

    /// `milliseconds`: how long an answer took.
    package func add(_ result: Result, milliseconds: Int = 0) {
        state.withLock { state in
            state.counts[result, default: 0] += 1
            state.milliseconds += milliseconds
        }
    }

    package subscript(result: Result) -> Int { state.withLock { $0.counts[result, default: 0] } }

    /// Of all answers together.
    package var milliseconds: Int { state.withLock { $0.milliseconds } }
}
