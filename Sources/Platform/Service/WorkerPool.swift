// Runs work that takes long (password hashing, parsing of long markup) on dedicated threads, so that it never delays
// other requests.
import CSystem
import Dispatch
import Synchronization

/// Too many callers wait: respond "try again in a moment" (503 or 429) instead of queuing more.
package struct WorkersBusy: Error {}

/// A fixed number of threads, which also limits the memory of their work, and a bounded queue.
package final class WorkerPool: Sendable {
    private typealias Work = @Sendable () -> Void

    private struct Queue {
        var pending: [Work] = []
        var running = 0
        var started = 0
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

    /// Runs `work` on one of the threads. Throws `WorkersBusy` at once if the queue is full, or would have fewer than
    /// `places` left for others.
    package func run<Result: Sendable>(
        leaving places: Int = 0, _ work: @escaping @Sendable () -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Result, any Error>) in
            let isQueued = enqueue(leaving: places) { caller.resume(returning: work()) }
            if !isQueued {
                caller.resume(throwing: WorkersBusy())
            }
        }
    }

    private func enqueue(leaving places: Int, _ work: @escaping Work) -> Bool {
        let isQueued = queue.withLock { queue in
            guard queue.running + queue.pending.count < threads + waiting - places else { return false }
            if queue.started < threads, queue.started <= queue.running + queue.pending.count {
                guard startThread() || queue.started > 0 else { return false }
                queue.started += 1
            }
            queue.pending.append(work)
            return true
        }
        if isQueued {
            arrivals.signal()
        }
        return isQueued
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

    private func work() {
        while true {
            arrivals.wait()
            let work = queue.withLock { queue -> Work? in
                guard !queue.pending.isEmpty else { return nil }
                queue.running += 1
                return queue.pending.removeFirst()
            }
            guard let work else { continue }
            work()
            queue.withLock { $0.running -= 1 }
        }
    }
}
