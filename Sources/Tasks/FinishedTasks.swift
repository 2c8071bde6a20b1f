// Counts the background tasks that this process finished, by kind and state, for its metrics.
import Domain
import Synchronization

package final class FinishedTasks: Sendable {
    package struct Key: Hashable, Sendable {
        package let kind: BackgroundTaskKind
        package let state: BackgroundTaskState
    }

    private let counts = Mutex<[Key: Int]>([:])

    package init() {}

    func add(_ kind: BackgroundTaskKind, _ state: BackgroundTaskState, _ count: Int = 1) {
        counts.withLock { $0[Key(kind: kind, state: state), default: 0] += count }
    }

    package subscript(kind: BackgroundTaskKind, state: BackgroundTaskState) -> Int {
        counts.withLock { $0[Key(kind: kind, state: state), default: 0] }
    }
}
