// Suspends a task for a time, or until it is signaled.
import EventLoop
import Synchronization

final class Wakeup: Sendable {
    private struct State {
        var isSignaled = false
        var isEnded = false
        var waiter: CheckedContinuation<Void, Never>?
        var enders: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Resumes the waiter, or lets its next wait return at once.
    func signal() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            if state.waiter == nil { state.isSignaled = true }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Returns after a signal, at the latest after so many milliseconds. Its timer ends with it.
    func wait(milliseconds: Int, on loop: EventLoop) async {
        let timer = Timer()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let passes = state.withLock { state in
                if state.isSignaled {
                    state.isSignaled = false
                    return true
                }
                state.waiter = continuation
                return false
            }
            if passes { return continuation.resume() }
            loop.execute { timer.token = loop.schedule(after: .milliseconds(milliseconds)) { self.timeout() } }
        }
        // Runs after the timer was set, because the loop keeps the order.
        loop.execute { if let token = timer.token { loop.cancel(token) } }
    }

    /// Used on the loop's thread only.
    private final class Timer: @unchecked Sendable {
        var token: TimerQueue.Token?
    }

    private func timeout() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    func end() {
        let enders = state.withLock { state in
            state.isEnded = true
            defer { state.enders = [] }
            return state.enders
        }
        for ender in enders { ender.resume() }
    }

    func waitUntilEnded() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isEnded = state.withLock { state in
                if !state.isEnded { state.enders.append(continuation) }
                return state.isEnded
            }
            if isEnded { continuation.resume() }
        }
    }
}
