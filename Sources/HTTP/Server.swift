// The HTTP server: starts, counts and drains.
import EventLoop
import Glibc
import Synchronization

/// Serves HTTP/1.1 on event loops that were started before. Each connection stays on one loop.
package final class Server: Sendable {
    private struct Running: Sendable {
        let workers: [Worker]
        let listener: Listener
    }

    private let configuration: ServerConfiguration
    private let loops: [EventLoop]
    private let handler: Handler
    private let running = Mutex<Running?>(nil)

    package init(configuration: ServerConfiguration, loops: [EventLoop], handler: @escaping Handler) {
        precondition(!loops.isEmpty, "a server needs a loop")
        self.configuration = configuration
        self.loops = loops
        self.handler = handler
    }

    /// Listens and begins to answer until `drain`, even when nobody holds the server. Call once. From then on a write
    /// to a closed socket raises no SIGPIPE.
    package func start() throws(ServerError) {
        signal(SIGPIPE, SIG_IGN)
        var workers: [Worker] = []
        for loop in loops {
            workers.append(try Worker(loop: loop, configuration: configuration, handler: handler))
        }
        let listener = try Listener(configuration, workers: workers, loop: loops[0])
        for worker in workers { worker.loop.execute { worker.attach() } }
        loops[0].execute { listener.attach() }
        running.withLock { $0 = Running(workers: workers, listener: listener) }
    }

    /// The port listened on; 0 before `start()`.
    package var port: Int { running.withLock { $0?.listener.port ?? 0 } }

    /// Requests whose head has come and whose answer is not yet written.
    package var inFlight: Int { workers.reduce(0) { $0 + $1.requestsInFlight } }

    package var connections: Int { workers.reduce(0) { $0 + $1.connectionsOpen } }

    private var workers: [Worker] { running.withLock { $0?.workers ?? [] } }

    /// Accepts no more connections, finishes the requests that have begun (for at most `grace`), and stops. Requests
    /// not finished by then are answered 503 where they still wait for their handler.
    package func drain(grace: Duration) async {
        guard let running = running.withLock({ $0 }) else { return }
        for worker in running.workers { await worker.loop.run { worker.stopKeeping() } }
        await loops[0].run { running.listener.stop() }
        await withTaskGroup { group in
            for worker in running.workers {
                group.addTask(executorPreference: worker.loop) { await worker.drain(grace: grace) }
            }
        }
    }
}

extension EventLoop {
    /// Runs `work` on the loop's thread and waits for it.
    fileprivate func run(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            execute {
                work()
                continuation.resume()
            }
        }
    }
}
