// Cancels the work of a request whose client has left, unless it has begun to change something. Work that belongs to no
// request, such as background tasks, is canceled by its own rules.
import Synchronization

/// A request may change something in several transactions. It is canceled before the first of them commits, or not at all, so
/// that nothing stays half done.
package final class CancelUntilCommit: Sendable {
    /// That of the request whose work the current task does; nil for everything else.
    @TaskLocal package static var current: CancelUntilCommit?

    private let hasCommitted = Mutex(false)
    private let isReading: Bool

    /// - Parameter isReading: what it commits on the way, such as the time of its session, doesn't matter.
    package init(isReading: Bool = false) { self.isReading = isReading }

    /// Call before something is read. Throws `CancellationError` if the client of the request has left.
    package static func checkCancellation() throws {
        if current != nil { try Task.checkCancellation() }
    }

    /// Call before something is committed. Throws `CancellationError` if the client of the request has left: nothing may be
    /// committed then.
    package static func willCommit() throws {
        guard let current else { return }
        try current.hasCommitted.withLock { hasCommitted in
            try Task.checkCancellation()
            if !current.isReading { hasCommitted = true }
        }
    }

    /// From now on the work ends although its client leaves.
    package static func keep() {
        current?.hasCommitted.withLock { $0 = true }
    }

    /// Cancels the task of the request, unless something was committed.
    package func cancel(_ task: Task<Void, Never>) {
        hasCommitted.withLock { hasCommitted in
            if !hasCommitted { task.cancel() }
        }
    }
}
