// The HTTP server: starts, counts and drains.
import EventLoop
import Glibc
import Synchronization

/// Serves HTTP/1.1 on event loops that were started before. Each connection stays on one loop.
package final class Server: Sendable {
    private struct Running: Sendable {
        let loopServers: [LoopServer]
        let acceptor: Acceptor
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

    /// Listens and responds until `drain`, even when nobody holds the server. Call once. From then on a write
    /// to a closed socket raises no SIGPIPE.
    package func start() throws(ServerError) {
        try start(on: ListeningSocket(host: configuration.host, port: configuration.port))
    }

    /// The same on a socket that listens already.
    package func start(on listening: ListeningSocket) throws(ServerError) {
        signal(SIGPIPE, SIG_IGN)
        var loopServers: [LoopServer] = []
        let shares = ClientShares(configuration)
        let memory = BodyMemory(configuration)
        var ofLoop = configuration
        // With many loops, each has room for a few of the longest pages all the same.
        ofLoop.responseMemory = max(
            min(configuration.responseMemory, 8 << 20), configuration.responseMemory / max(1, loops.count))
        for loop in loops {
            loopServers.append(
                try LoopServer(
                    loop: loop, configuration: ofLoop, shares: shares, memory: memory, handler: handler))
        }
        let acceptor = Acceptor(listening, configuration, loopServers: loopServers, loop: loops[0])
        for loopServer in loopServers { loopServer.loop.execute { loopServer.attach() } }
        loops[0].execute { acceptor.attach() }
        running.withLock { $0 = Running(loopServers: loopServers, acceptor: acceptor) }
    }

    /// The port listened on; 0 before `start()`.
    package var port: Int { running.withLock { $0?.acceptor.listening.port ?? 0 } }

    /// Requests whose head has come and whose response is not yet written.
    package var inFlight: Int { loopServers.reduce(0) { $0 + $1.requestsInFlight } }

    package var connections: Int { loopServers.reduce(0) { $0 + $1.connectionsOpen } }

    /// Large bodies that wait unread for memory.
    package var waitingBodies: Int { loopServers.first?.memory.waitingCount ?? 0 }

    private var loopServers: [LoopServer] { running.withLock { $0?.loopServers ?? [] } }

    /// Accepts no more connections, finishes the requests that have begun (for at most `grace`), and stops. Requests
    /// not finished by then get 503 where they still wait for their handler. A socket that `keepsListening` is for another
    /// server: connections that this one has not accepted wait for it.
    package func drain(grace: Duration, keepsListening: Bool = false) async {
        guard let running = running.withLock({ $0 }) else { return }
        for loopServer in running.loopServers { await loopServer.loop.run { loopServer.stopKeeping() } }
        await loops[0].run { running.acceptor.stop(keepsListening: keepsListening) }
        await withTaskGroup { group in
            for loopServer in running.loopServers {
                group.addTask(executorPreference: loopServer.loop) { await loopServer.drain(grace: grace) }
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
