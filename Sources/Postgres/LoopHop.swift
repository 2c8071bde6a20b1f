// Reaches an event loop from any thread.
import EventLoop

extension EventLoop {
    /// Runs `body` at once when called on the loop's thread, else soon.
    func perform(_ body: @escaping @Sendable () -> Void) {
        if isCurrent { body() } else { execute(body) }
    }

    /// Calls `action` when the monotonic clock shows `due` milliseconds.
    func schedule(at due: Int64, _ action: @escaping () -> Void) -> TimerQueue.Token {
        schedule(after: .milliseconds(max(0, due - TimerQueue.now())), action)
    }
}
