// Tests that a wait ends with a signal or its own time, never with the timer of an earlier wait.
import EventLoop
import Platform
import Testing

@testable import Tasks

@Suite("Wakeup")
struct WakeupTests {
    private func onLoop(_ body: (EventLoop, Wakeup) async -> Void) async {
        let loop = EventLoop(name: "wakeup")
        loop.start()
        await body(loop, Wakeup())
        loop.stop()
    }

    @Test("After a burst of signals, a wait still lasts its whole time")
    func burst() async {
        await onLoop { loop, wake in
            for _ in 0..<200 {
                loop.execute { _ = loop.schedule(after: .milliseconds(1)) { wake.signal() } }
                await wake.wait(milliseconds: 60, on: loop)
            }
            // A signal that came after its wait's time ends one more wait.
            await loop.sleep(for: .milliseconds(10))
            await wake.wait(milliseconds: 1, on: loop)
            // The timers of the burst would be due within the next 60 ms.
            let clock = Stopwatch()
            await wake.wait(milliseconds: 300, on: loop)
            #expect(clock.milliseconds >= 300)
        }
    }

    @Test("A wait ends with a signal, also with one that came before it")
    func signals() async {
        await onLoop { loop, wake in
            let clock = Stopwatch()
            wake.signal()
            await wake.wait(milliseconds: 60_000, on: loop)
            loop.execute { _ = loop.schedule(after: .milliseconds(1)) { wake.signal() } }
            await wake.wait(milliseconds: 60_000, on: loop)
            #expect(clock.milliseconds < 60_000)
        }
    }
}
