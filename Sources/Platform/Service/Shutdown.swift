// Tells every part of a service that it is time to stop.
import Synchronization

/// Requested once, by the first SIGTERM, SIGINT or by the service itself; it cannot be taken back.
package final class Shutdown: Sendable {
    private struct State {
        var isRequested = false
        var listeners: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var isRequested: Bool {
        state.withLock { $0.isRequested }
    }

    /// Runs the listeners on the calling thread, in the order in which they came. Later calls do nothing.
    package func request() {
        let listeners = state.withLock { state in
            state.isRequested = true
            defer { state.listeners = [] }
            return state.listeners
        }
        for listener in listeners { listener() }
    }

    /// Calls `listener` once, when stopping is requested; at once if it already was. It should only wake something.
    package func onRequest(_ listener: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.isRequested { state.listeners.append(listener) }
            return state.isRequested
        }
        if isLate { listener() }
    }

    /// Returns when stopping is requested.
    package func wait() async {
        await withCheckedContinuation { continuation in
            onRequest { continuation.resume() }
        }
    }
}
