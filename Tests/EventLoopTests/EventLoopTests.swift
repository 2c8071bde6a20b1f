// Tests that the event loop runs tasks, timers and file events on its own thread, in order.
import EventLoop
import Glibc
import Synchronization
import Testing

@Suite("Event loop")
struct EventLoopTests {
    /// Runs a task on a new loop and returns its result.
    private func onLoop<Value: Sendable>(_ body: @escaping @Sendable (EventLoop) async -> Value) async -> Value {
        let loop = EventLoop(name: "test")
        loop.start()
        let value = await withCheckedContinuation { (continuation: CheckedContinuation<Value, Never>) in
            loop.spawn { continuation.resume(returning: await body(loop)) }
        }
        loop.stop()
        return value
    }

    @Test("A task stays on the loop's thread across suspensions")
    func tasksStay() async {
        let stayed = await onLoop { loop in
            var stayed = loop.isCurrent
            for _ in 0..<100 {
                await Task.yield()
                stayed = stayed && loop.isCurrent
            }
            await loop.sleep(for: .milliseconds(1))
            return stayed && loop.isCurrent
        }
        #expect(stayed)
    }

    @Test("Work submitted from another thread runs in the order of the calls")
    func orderOfClosures() async {
        let seen = Mutex<[Int]>([])
        await onLoop { loop in
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                for number in 0..<1000 { loop.execute { seen.withLock { $0.append(number) } } }
                loop.execute { continuation.resume() }
            }
        }
        #expect(seen.withLock { $0 } == Array(0..<1000))
    }

    @Test("Timers fire in the order of their due times, and a canceled one does not fire")
    func timers() async {
        let seen = Mutex<[String]>([])
        await onLoop { loop in
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                loop.execute {
                    let canceled = loop.schedule(after: .milliseconds(5)) { seen.withLock { $0.append("never") } }
                    loop.schedule(after: .milliseconds(30)) {
                        seen.withLock { $0.append("second") }
                        // A timer created by a timer.
                        loop.schedule(after: .milliseconds(5)) {
                            seen.withLock { $0.append("nested") }
                            continuation.resume()
                        }
                    }
                    loop.schedule(after: .milliseconds(10)) { seen.withLock { $0.append("first") } }
                    loop.cancel(canceled)
                }
            }
        }
        #expect(seen.withLock { $0 } == ["first", "second", "nested"])
    }

    @Test("A watched descriptor reports readable data until it is unregistered")
    func watches() async {
        let bytes = await onLoop { loop in
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { return 0 }
            let (reader, writer) = (ends[0], ends[1])
            let count: Int = await withCheckedContinuation { continuation in
                loop.execute {
                    loop.watch(reader, for: .read) { _ in
                        var buffer = [UInt8](repeating: 0, count: 16)
                        let count = read(reader, &buffer, buffer.count)
                        loop.unwatch(reader)
                        continuation.resume(returning: count)
                    }
                    _ = write(writer, "hello", 5)
                }
            }
            close(reader)
            close(writer)
            return count
        }
        #expect(bytes == 5)
    }

    @Test("A hook runs at the end of an iteration and again while it makes progress")
    func hooks() async {
        let rounds = await onLoop { loop in
            let rounds = Mutex(0)
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                loop.execute {
                    loop.addTurnHook {
                        rounds.withLock {
                            $0 += 1
                            if $0 == 3 { continuation.resume() }
                            return $0 < 3
                        }
                    }
                }
            }
            return rounds.withLock { $0 }
        }
        #expect(rounds >= 3)
    }
}
