// Runs file events, timers and Swift tasks on one thread over epoll.
import CLinux
import Glibc
import Synchronization

/// One thread that waits on epoll and runs everything of the requests that belong to it.
///
/// A task started with this executor preference runs its nonisolated code here, so that a request's state stays on
/// one thread: the socket, the database connections and the code between them need no lock and no thread hop.
/// Work may be handed in from any thread; file watches, timers and turn hooks belong to the loop's own thread.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    /// Readiness of a watched file descriptor.
    package struct Readiness: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        package static let read = Readiness(rawValue: 0x001)
        package static let write = Readiness(rawValue: 0x004)
        /// The peer hung up or the descriptor is in error; reported even when it was not asked for.
        package static let hangup = Readiness(rawValue: 0x010 | 0x008)
    }

    private enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    private struct Inbox: Sendable {
        nonisolated(unsafe) var works: [Work] = []
        var signalled = false
        var stopping = false
    }

    package let name: String
    private let epoll: Int32
    private let wake: Int32
    private let inbox = Mutex(Inbox())
    private let finished = Mutex(false)
    private let finishedCondition = ThreadGate()

    // Touched on the loop's own thread only.
    private var local: [Work] = []
    private var watchers: [Int32: (Readiness) -> Void] = [:]
    private var hooks: [() -> Bool] = []
    private let timers = TimerQueue()

    /// Creates a loop; nothing runs before `start()`.
    package init(name: String) {
        self.name = name
        epoll = vitrine_epoll_create()
        wake = vitrine_eventfd_create()
        precondition(epoll >= 0 && wake >= 0, "no file descriptor is available for an event loop")
        _ = vitrine_epoll_add(epoll, wake, Readiness.read.rawValue)
    }

    deinit {
        close(epoll)
        close(wake)
    }

    /// The loop of the current thread, or nil on any other thread.
    package static var current: EventLoop? {
        guard let slot = vitrine_thread_slot_get() else { return nil }
        return Unmanaged<EventLoop>.fromOpaque(slot).takeUnretainedValue()
    }

    /// Whether the caller runs on this loop's thread.
    package var isCurrent: Bool { EventLoop.current === self }

    /// Starts the loop's thread. Call once.
    package func start() {
        startThread(of: self)
    }

    /// Asks the loop to stop after its current work, and waits until its thread has ended.
    package func stop() {
        inbox.withLock { $0.stopping = true }
        vitrine_eventfd_signal(wake)
        if !isCurrent { finishedCondition.wait() }
    }

    // MARK: Work from any thread

    package func enqueue(_ job: consuming ExecutorJob) {
        submit(.job(UnownedJob(job)))
    }

    /// Runs `closure` on the loop's thread, soon; in the order of the calls.
    package func execute(_ closure: @escaping @Sendable () -> Void) {
        submit(.closure(closure))
    }

    /// Starts a task whose nonisolated code runs on this loop; begins at once when called on the loop's thread.
    package func spawn(_ body: @escaping @Sendable () async -> Void) {
        if isCurrent {
            Task.immediate(executorPreference: self) { await body() }
        } else {
            Task(executorPreference: self) { await body() }
        }
    }

    private func submit(_ work: Work) {
        if isCurrent {
            local.append(work)
            return
        }
        let mustSignal = inbox.withLock { inbox in
            inbox.works.append(work)
            defer { inbox.signalled = true }
            return !inbox.signalled
        }
        if mustSignal { vitrine_eventfd_signal(wake) }
    }

    // MARK: For code on the loop's thread

    /// Calls `handler` on the loop's thread whenever `fd` is ready for what is asked (level triggered).
    package func watch(_ fd: Int32, for readiness: Readiness, handler: @escaping (Readiness) -> Void) {
        let known = watchers.updateValue(handler, forKey: fd) != nil
        let result =
            known
            ? vitrine_epoll_change(epoll, fd, readiness.rawValue) : vitrine_epoll_add(epoll, fd, readiness.rawValue)
        if result == -EEXIST { _ = vitrine_epoll_change(epoll, fd, readiness.rawValue) }
    }

    /// Changes what is waited for on a watched descriptor.
    package func rewatch(_ fd: Int32, for readiness: Readiness) {
        _ = vitrine_epoll_change(epoll, fd, readiness.rawValue)
    }

    /// Stops watching a descriptor; call before closing it.
    package func unwatch(_ fd: Int32) {
        if watchers.removeValue(forKey: fd) != nil { _ = vitrine_epoll_remove(epoll, fd) }
    }

    /// Runs `hook` at the end of every turn, after all ready work and before the loop waits. It returns true when
    /// it made progress and the turn must be repeated (for example so that queued queries are sent in one write).
    package func addTurnHook(_ hook: @escaping () -> Bool) {
        hooks.append(hook)
    }

    /// Calls `action` on the loop's thread once `delay` has passed (monotonic clock, millisecond steps).
    @discardableResult
    package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> TimerQueue.Token {
        timers.add(at: TimerQueue.now() &+ delay.wholeMilliseconds, action)
    }

    /// Cancels a timer; a timer that has fired or was canceled is ignored.
    package func cancel(_ timer: TimerQueue.Token) {
        timers.cancel(timer)
    }

    // MARK: From any task

    /// Suspends the calling task for `delay`, without leaving the loop.
    package func sleep(for delay: Duration) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            execute { [self] in schedule(after: delay) { continuation.resume() } }
        }
    }

    // MARK: The thread

    fileprivate func run() {
        vitrine_thread_slot_set(Unmanaged.passUnretained(self).toOpaque())
        vitrine_thread_name(String(name.prefix(15)))
        var events = [epoll_event](repeating: epoll_event(), count: 512)
        var stopping = false
        while !stopping {
            stopping = runReadyWork()
            let wait: Int32 = stopping ? 0 : timers.millisecondsToNext()
            let count = vitrine_epoll_wait(epoll, &events, Int32(events.count), wait)
            for index in 0..<count { dispatch(events, index) }
            timers.fireDue()
        }
        vitrine_thread_slot_set(nil)
        finished.withLock { $0 = true }
        finishedCondition.open()
    }

    private func dispatch(_ events: [epoll_event], _ index: Int32) {
        let fd = vitrine_epoll_fd(events, index)
        if fd == wake {
            vitrine_eventfd_clear(wake)
            return
        }
        watchers[fd]?(Readiness(rawValue: vitrine_epoll_events(events, index)))
    }

    /// Runs everything that is ready, then the hooks, until nothing is left; returns whether the loop was asked to
    /// stop.
    private func runReadyWork() -> Bool {
        var stopping = false
        var rounds = 0
        repeat {
            inbox.withLock { inbox in
                stopping = inbox.stopping
                inbox.signalled = false
                if local.isEmpty {
                    swap(&local, &inbox.works)
                } else {
                    local.append(contentsOf: inbox.works)
                    inbox.works.removeAll(keepingCapacity: true)
                }
            }
            runLocal()
            var progress = false
            for hook in hooks where hook() { progress = true }
            rounds += 1
            if local.isEmpty && !progress { return stopping }
        } while rounds < 64
        // Sockets must not starve behind tasks that keep adding work: poll them, then continue.
        timers.wakeNow()
        return stopping
    }

    private func runLocal() {
        var index = 0
        while index < local.count {
            switch local[index] {
            case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
            case .closure(let closure): closure()
            }
            index += 1
        }
        local.removeAll(keepingCapacity: true)
    }
}

/// Starts the thread outside any actor: a closure written in an isolated place would trap when C calls it.
private func startThread(of loop: EventLoop) {
    var thread = pthread_t()
    let retained = Unmanaged.passRetained(loop).toOpaque()
    let result = pthread_create(
        &thread, nil,
        { pointer in
            guard let pointer else { return nil }
            Unmanaged<EventLoop>.fromOpaque(pointer).takeRetainedValue().run()
            return nil
        }, retained)
    precondition(result == 0, "no thread is available for an event loop")
    pthread_detach(thread)
}
