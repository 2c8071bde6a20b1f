// Runs work that takes long (password hashing, parsing of long markup) on dedicated threads, so that it never delays
// other requests.
import CSystem
import Dispatch
import Synchronization

/// Too much work waits: respond "try again in a moment" (503 or 429) instead of queuing more.
package struct WorkersBusy: Error {
    /// Whether the caller itself has more waiting than others.
    package var isOwnDoing = false
}

/// A fixed number of threads, which also limits the memory of their work, and a bounded queue in which callers take turns.
package final class WorkerPool: Sendable {
    private struct Work: Sendable {
        let number: Int
        let run: @Sendable () -> Void
        let refuse: @Sendable (any Error) -> Void
    }

    private struct Queue {
        var pending = FairQueue<Work>()
        var running = 0
        var started = 0
        var lastNumber = 0
    }

    private let threads: Int
    private let waiting: Int
    private let queue = Mutex(Queue())
    private let arrivals = DispatchSemaphore(value: 0)

    /// `waiting` is the capacity of the queue while all `threads` are busy.
    package init(threads: Int, waiting: Int) {
        self.threads = threads
        self.waiting = waiting
    }

    /// How many wait for a thread now.
    package var waitingCount: Int { queue.withLock { $0.pending.count } }

    /// Runs `work` on one of the threads. Throws `WorkersBusy` if the queue is full, or would have fewer than `places` left
    /// for others, unless another caller has more waiting: then that one's newest work is refused instead. The work of a task
    /// that is canceled while it waits leaves the queue at once; work that has begun ends.
    package func run<Result: Sendable>(
        leaving places: Int = 0, _ work: @escaping @Sendable () -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        let caller = Caller.current
        let number = queue.withLock { queue in
            queue.lastNumber += 1
            return queue.lastNumber
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Result, any Error>) in
                let refused = enqueue(
                    Work(
                        number: number, run: { continuation.resume(returning: work()) },
                        refuse: { continuation.resume(throwing: $0) }),
                    for: caller, leaving: places)
                if let refused { refused.work.refuse(refused.error) }
            }
        } onCancel: {
            let canceled = queue.withLock { $0.pending.remove(of: caller) { $0.number == number } }
            canceled?.refuse(CancellationError())
        }
    }

    /// Returns what has no place, this or other work.
    private func enqueue(
        _ work: Work, for caller: Caller, leaving places: Int
    ) -> (work: Work, error: any Error)? {
        let (isQueued, refused, error) = queue.withLock { queue -> (Bool, Work?, any Error) in
            // Canceled before it was in the queue, where the handler looks for it.
            if Task.isCancelled { return (false, work, CancellationError()) }
            var displaced: Work?
            if queue.running + queue.pending.count >= threads + waiting - places {
                displaced = queue.pending.displace(for: caller)
                guard displaced != nil else { return (false, work, WorkersBusy()) }
            }
            if queue.started < threads, queue.started <= queue.running + queue.pending.count {
                guard startThread() || queue.started > 0 else { return (false, work, WorkersBusy()) }
                queue.started += 1
            }
            queue.pending.append(work, for: caller)
            return (true, displaced, WorkersBusy())
        }
        if isQueued {
            arrivals.signal()
        }
        return refused.map { ($0, error) }
    }

    private func startThread() -> Bool {
        var thread = pthread_t()
        let workers = Unmanaged.passRetained(self)
        guard pthread_create(&thread, nil, WorkerPool.threadBody, workers.toOpaque()) == 0 else {
            workers.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Called by the C library, so it must not be isolated to an actor.
    private static let threadBody: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        if let context {
            Unmanaged<WorkerPool>.fromOpaque(context).takeRetainedValue().work()
        }
        return nil
    }

    /// At a lower priority: without idle cores, requests that don't need workers go first.
    private func work() {
        csystem_lower_priority()
        while true {
            arrivals.wait()
            let work = queue.withLock { queue -> Work? in
                let next = queue.pending.popFirst()
                if next != nil { queue.running += 1 }
                return next
            }
            guard let work else { continue }
            work.run()
            queue.withLock { $0.running -= 1 }
        }
    }
}
