// Callers that wait for a connection: in order, for a bounded time, and no more than a limit.
import EventLoop

/// Used on its loop's thread only.
final class WaitQueue<Caller> {
    private let loop: EventLoop
    private let wait: Duration
    private let limit: Int
    private let noun: String
    private let keepers: [ReconnectingConnection]
    private let fail: (Caller, PostgresError) -> Void
    private var waiting = LoopQueue<(caller: Caller, until: Int64)>()
    private var timer: TimerQueue.Token?
    private(set) var isClosed = false

    /// - Parameters:
    ///   - wait: how long a caller waits at the most.
    ///   - limit: how many callers may wait; more are refused at once.
    ///   - noun: what the callers are, for the message of a refusal: `statements`.
    ///   - keepers: the connections they wait for.
    ///   - fail: ends a caller without a connection.
    init(
        loop: EventLoop, wait: Duration, limit: Int, noun: String, keepers: [ReconnectingConnection],
        fail: @escaping (Caller, PostgresError) -> Void
    ) {
        self.loop = loop
        self.wait = wait
        self.limit = limit
        self.noun = noun
        self.keepers = keepers
        self.fail = fail
    }

    var count: Int { waiting.count }
    var isEmpty: Bool { waiting.isEmpty }

    /// Whether the caller waits from now on; one that may not has been failed. It waits until `deadline` at the most
    /// (monotonic milliseconds), once `watch` was called.
    @discardableResult
    func append(_ caller: Caller, deadline: Int64 = .max) -> Bool {
        if isClosed {
            fail(caller, .unavailable("the database client was closed"))
            return false
        }
        if waiting.count >= limit {
            fail(caller, .unavailable("too many \(noun) wait for a connection to PostgreSQL"))
            return false
        }
        waiting.append((caller, min(TimerQueue.now() + wait.wholeMilliseconds, deadline)))
        return true
    }

    func popFirst() -> Caller? { waiting.popFirst()?.caller }

    /// Removes the first caller that fulfills the condition, without failing it.
    func removeFirst(where isIt: (Caller) -> Bool) -> Caller? {
        waiting.removeFirst { isIt($0.caller) }?.caller
    }

    /// Fails callers when their time is over. Most get a connection in the same turn and need no timer, so that pools call this
    /// at its end.
    func watch() {
        guard timer == nil, let first = waiting.first else { return }
        timer = loop.schedule(at: first.until) { [weak self] in self?.failLate() }
    }

    private func failLate() {
        timer = nil
        let now = TimerQueue.now()
        while let first = waiting.first, first.until <= now {
            _ = waiting.popFirst()
            fail(first.caller, .noConnection(keepers))
        }
        watch()
    }

    /// Closes the connections, and fails all callers, also later ones.
    func close() {
        isClosed = true
        for keeper in keepers { keeper.stop() }
        if let timer { loop.cancel(timer) }
        for next in waiting.removeAll() { fail(next.caller, .unavailable("the database client was closed")) }
    }
}
