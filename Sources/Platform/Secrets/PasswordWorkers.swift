// Threads of their own for password hashing, so that 70 ms of CPU never hold up a request of someone else.
import CSystem
import Dispatch
import Synchronization

/// Too many people are waiting to sign in; answer "try again in a moment" (503 or 429) rather than queue them.
package struct PasswordsBusy: Error {}

/// A fixed number of threads (each hash needs 64 MiB, so they cap memory too) and a bounded queue before them.
final class PasswordWorkers: Sendable {
    /// Two hashes at once; 32 waiting take a little over a second on two cores.
    static let shared = PasswordWorkers(threads: 2, waiting: 32)

    private typealias BackgroundTask = @Sendable () -> Void

    private struct Queue {
        var jobs: [BackgroundTask] = []
        var running = 0
        var started = 0
    }

    private let threads: Int
    private let waiting: Int
    private let queue = Mutex(Queue())
    private let arrivals = DispatchSemaphore(value: 0)

    /// `waiting` is how many jobs may stand in the queue while all `threads` are at work.
    init(threads: Int, waiting: Int) {
        self.threads = threads
        self.waiting = waiting
    }

    /// Runs `work` on one of the threads. Throws `PasswordsBusy` at once when the queue is full.
    func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Result, any Error>) in
            let isClaimed = enqueue { caller.resume(returning: work()) }
            if !isClaimed {
                caller.resume(throwing: PasswordsBusy())
            }
        }
    }

    private func enqueue(_ job: @escaping BackgroundTask) -> Bool {
        let isClaimed = queue.withLock { queue in
            guard queue.running + queue.jobs.count < threads + waiting else { return false }
            if queue.started < threads, queue.started <= queue.running + queue.jobs.count {
                guard startThread() || queue.started > 0 else { return false }
                queue.started += 1
            }
            queue.jobs.append(job)
            return true
        }
        if isClaimed {
            arrivals.signal()
        }
        return isClaimed
    }

    private func startThread() -> Bool {
        var thread = pthread_t()
        let workers = Unmanaged.passRetained(self)
        guard pthread_create(&thread, nil, PasswordWorkers.threadBody, workers.toOpaque()) == 0 else {
            workers.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Called by the C library: must not belong to any actor.
    private static let threadBody: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        if let context {
            Unmanaged<PasswordWorkers>.fromOpaque(context).takeRetainedValue().work()
        }
        return nil
    }

    private func work() {
        while true {
            arrivals.wait()
            let job = queue.withLock { queue -> BackgroundTask? in
                guard !queue.jobs.isEmpty else { return nil }
                queue.running += 1
                return queue.jobs.removeFirst()
            }
            guard let job else { continue }
            job()
            queue.withLock { $0.running -= 1 }
        }
    }
}
