// Limits how much expensive work of one kind runs at once, and shares it among the callers.
import Synchronization

/// At most `width` pieces of work run at once; a bounded number waits for a bounded time. A single caller may use all of
/// it. As soon as others wait, callers take turns, and a full queue drops the newest work of the caller that waits most.
package final class FairLane: Sendable {
    private struct Waiter {
        let number: Int
        let since: ContinuousClock.Instant
        let continuation: CheckedContinuation<Void, any Error>

        func resume(_ error: (any Error)?) {
            if let error { continuation.resume(throwing: error) } else { continuation.resume() }
        }
    }

    private struct State {
        var running = 0
        var queue = FairQueue<Waiter>()
        var lastNumber = 0
    }

    private let width: Int
    private let waiting: Int
    private let longestWait: Duration
    private let state = Mutex(State())

    /// Late work is found when other work ends, so what runs here must have a time limit of its own.
    package init(width: Int, waiting: Int, longestWait: Duration) {
        self.width = width
        self.waiting = waiting
        self.longestWait = longestWait
    }

    /// How many wait now.
    package var waitingCount: Int { state.withLock { $0.queue.count } }

    /// Runs `work` for the current caller when it is its turn. Throws `WorkersBusy` if it can't be in time. A task that is
    /// canceled while it waits leaves the queue at once.
    package func run<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        try await enter(Caller.current)
        defer { leave() }
        try Task.checkCancellation()
        return try await work()
    }

    private func enter(_ caller: Caller) async throws {
        try Task.checkCancellation()
        let number = state.withLock { state -> Int? in
            if state.running < width {
                state.running += 1
                return nil
            }
            state.lastNumber += 1
            return state.lastNumber
        }
        guard let number else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                enqueue(Waiter(number: number, since: .now, continuation: continuation), for: caller)
            }
        } onCancel: {
            let waiter = state.withLock { $0.queue.remove(of: caller) { $0.number == number } }
            waiter?.resume(CancellationError())
        }
    }

    private func enqueue(_ waiter: Waiter, for caller: Caller) {
        let outcome = state.withLock { state -> (next: Waiter?, error: (any Error)?) in
            // Canceled before it was in the queue, where the handler looks for it.
            if Task.isCancelled { return (waiter, CancellationError()) }
            // It may have become free meanwhile.
            if state.running < width {
                state.running += 1
                return (waiter, nil)
            }
            if state.queue.count >= waiting {
                let isOwnDoing = state.queue.isLongest(caller)
                guard let displaced = state.queue.displace(for: caller) else {
                    return (waiter, WorkersBusy(isOwnDoing: isOwnDoing))
                }
                state.queue.append(waiter, for: caller)
                return (displaced, WorkersBusy(isOwnDoing: true))
            }
            state.queue.append(waiter, for: caller)
            return (nil, nil)
        }
        outcome.next?.resume(outcome.error)
    }

    private func leave() {
        let now = ContinuousClock.now
        let (late, next) = state.withLock { state -> ([Waiter], Waiter?) in
            var late: [Waiter] = []
            while let waiter = state.queue.popFirst() {
                if now - waiter.since <= longestWait { return (late, waiter) }
                late.append(waiter)
            }
            state.running -= 1
            return (late, nil)
        }
        for waiter in late { waiter.resume(WorkersBusy()) }
        next?.resume(nil)
    }
}
