// Notifies all parts of a service of a shutdown.
import Synchronization

/// Requested once, by the first SIGTERM or SIGINT or by the service itself; can't be canceled.
package final class Shutdown: Sendable {
    private struct State {
        var isRequested = false
        var listeners: [@Sendable () -> Void] = []
        var hangUpHandler: (@Sendable () -> Void)?
        var exitHandler: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    package var isRequested: Bool {
        state.withLock { $0.isRequested }
    }

    /// Runs the listeners on the calling thread, in the order of registration. Later calls do nothing.
    package func request() {
        let listeners = state.withLock { state in
            state.isRequested = true
            defer { state.listeners = [] }
            return state.listeners
        }
        for listener in listeners { listener() }
    }

    /// Calls `listener` once when a shutdown is requested; at once if it already was. Listeners must return quickly.
    package func onRequest(_ listener: @escaping @Sendable () -> Void) {
        let isRequested = state.withLock { state in
            if !state.isRequested { state.listeners.append(listener) }
            return state.isRequested
        }
        if isRequested { listener() }
    }

    /// Calls `handler` at each SIGHUP, which requests a shutdown otherwise: the terminal was closed.
    package func onHangUp(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.hangUpHandler = handler }
    }

    /// Returns false if there is no handler.
    func handleHangUp() -> Bool {
        guard let handler = state.withLock({ $0.hangUpHandler }) else { return false }
        handler()
        return true
    }

    /// Calls `handler` when a second signal ends the process at once. It must return quickly.
    package func onImmediateExit(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.exitHandler = handler }
    }

    func handleImmediateExit() { state.withLock { $0.exitHandler }?() }

    /// Returns when a shutdown is requested.
    package func wait() async {
        await withCheckedContinuation { continuation in
            onRequest { continuation.resume() }
        }
    }
}
