// Lets a task wait for a while, or until someone wakes it.
import EventLoop
import Synchronization

final class Wakeup: Sendable {
    private struct State {
        var isSignalled = false
        var isEnded = false
        var waiter: CheckedContinuation<Void, Never>?
        var enders: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Wakes the waiter now, or lets its next wait pass at once.
    func signal() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            if state.waiter == nil { state.isSignalled = true }
            return state.waiter
        }
        waiter?.resume()
    }

    func wait(milliseconds: Int, on loop: EventLoop) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let passes = state.withLock { state in
                if state.isSignalled {
                    state.isSignalled = false
                    return true
                }
                state.waiter = continuation
                return false
            }
            if passes { return continuation.resume() }
            loop.execute { loop.schedule(after: .milliseconds(milliseconds)) { self.timeout() } }
        }
    }

    /// A timer that comes after its wait was over wakes a later wait early, which only makes one more turn.
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
