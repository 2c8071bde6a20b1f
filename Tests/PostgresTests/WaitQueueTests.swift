// Tests the queue of callers that wait for a connection: order, limit, time and end.
import EventLoop
import TestBasics
import Testing

@testable import Postgres

@Suite("Queue of callers that wait for a connection")
struct WaitQueueTests {
    private static let late = "no connection to PostgreSQL was free in time"
    private static let closed = "the database client was closed"

    private static func make(
        _ loop: EventLoop, wait: Duration = .seconds(600), limit: Int = 8, fail: @escaping (String) -> Void
    ) -> WaitQueue<Int> {
        WaitQueue(loop: loop, wait: wait, limit: limit, noun: "callers", keepers: []) { fail("\($0): \($1.message)") }
    }

    /// Runs `body` on a loop of its own.
    private func onLoop(_ body: @escaping @Sendable (EventLoop) async -> [String]) async -> [String] {
        let loop = EventLoop(name: "wait-queue")
        loop.start()
        let value = await Task(executorPreference: loop) { await body(loop) }.value
        loop.stop()
        return value
    }

    @Test("Callers leave in their order, and one more than the limit is refused")
    func limit() async {
        let seen = await onLoop { loop in
            var seen: [String] = []
            let queue = Self.make(loop, limit: 2) { seen.append($0) }
            for caller in 1...3 where queue.append(caller) { seen.append("\(caller) waits") }
            while let caller = queue.popFirst() { seen.append("\(caller) leaves") }
            if queue.append(4) { seen.append("4 waits") }
            return seen
        }
        #expect(
            seen == [
                "1 waits", "2 waits", "3: too many callers wait for a connection to PostgreSQL", "1 leaves", "2 leaves",
                "4 waits",
            ])
    }

    @Test("Callers that have waited too long fail; one that left does not")
    func late() async {
        let seen = await onLoop { loop in
            var seen: [String] = []
            let queue = Self.make(loop, wait: .milliseconds(20)) { seen.append($0) }
            queue.append(1)
            queue.watch()
            _ = queue.popFirst()
            queue.append(2)
            queue.append(3)
            await until("both have failed") { seen.count == 2 }
            return seen + ["\(queue.count) wait"]
        }
        #expect(seen == ["2: \(Self.late)", "3: \(Self.late)", "0 wait"])
    }

    @Test("A caller waits until its deadline at the most, and others stay")
    func deadline() async {
        let seen = await onLoop { loop in
            var seen: [String] = []
            let queue = Self.make(loop) { seen.append($0) }
            queue.append(1, deadline: TimerQueue.now())
            queue.append(2)
            queue.watch()
            await until("one has failed") { !seen.isEmpty }
            return seen + ["\(queue.count) waits"]
        }
        #expect(seen == ["1: \(Self.late)", "1 waits"])
    }

    @Test("A caller that is taken out is not failed; closing fails the others and all that come later")
    func close() async {
        let seen = await onLoop { loop in
            var seen: [String] = []
            let queue = Self.make(loop) { seen.append($0) }
            for caller in 1...3 { queue.append(caller) }
            if let taken = queue.removeFirst(where: { $0 == 2 }) { seen.append("\(taken) is taken out") }
            queue.close()
            queue.append(4)
            return seen
        }
        #expect(seen == ["2 is taken out", "1: \(Self.closed)", "3: \(Self.closed)", "4: \(Self.closed)"])
    }
}
