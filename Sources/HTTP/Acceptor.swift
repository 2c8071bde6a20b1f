// The listening socket: accepts connections and deals them out to the servers of the loops.
import CMicrohttpd
import EventLoop
import Glibc

/// One listening socket, accepted from on the first loop.
final class Acceptor: @unchecked Sendable {
    let listening: ListeningSocket
    private var socket: Int32 { listening.descriptor }
    private let loopServers: [LoopServer]
    private let maxConnections: Int
    private let loop: EventLoop
    private var nextLoopServer = 0
    private var isStopped = false
    /// Counts pauses and their ends, so that each ends once.
    private var pauses = 0

    /// No connection is accepted before `attach()`.
    init(
        _ listening: ListeningSocket, _ configuration: ServerConfiguration, loopServers: [LoopServer], loop: EventLoop
    ) {
        self.listening = listening
        maxConnections = configuration.maxConnections
        self.loopServers = loopServers
        self.loop = loop
    }

    /// Begins to accept; call on the loop's thread.
    func attach() {
        guard !isStopped else { return }
        // Held by the loop until `stop()`: a descriptor that nobody reads any more would keep the loop spinning.
        loop.watch(socket, for: .read) { [self] _ in accept() }
    }

    /// Takes a batch; the rest waits for the next turn, so that connections at work are not kept waiting.
    private func accept() {
        for _ in 0..<512 {
            guard loopServers.reduce(0, { $0 + $1.connectionsOpen }) < maxConnections else { return pause() }
            switch acceptOne() {
            case 0: continue
            case EAGAIN: return
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return pause()
            default: continue  // The client has gone again.
            }
        }
    }

    private func acceptOne() -> Int32 {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout.size(ofValue: address))
        let accepted = vitrine_accept(socket, &address, &length)
        guard accepted >= 0 else { return -accepted }
        let loopServer = loopServers[nextLoopServer]
        nextLoopServer = (nextLoopServer + 1) % loopServers.count
        if loopServer.loop.isCurrent {
            loopServer.add(accepted, address, length)
        } else {
            loopServer.loop.execute { [address, length] in loopServer.add(accepted, address, length) }
        }
        return 0
    }

    /// Without room an accept fails at once, again and again: make room, and look again in a while; soon if there is some.
    private func pause() {
        loop.unwatch(socket)
        pauses += 1
        let pause = pauses
        loop.schedule(after: .milliseconds(20)) { [self] in resume(pause) }
        for loopServer in loopServers {
            loopServer.loop.execute { [self] in
                guard loopServer.makeRoom() else { return }
                loop.execute { [self] in loop.schedule(after: .milliseconds(2)) { [self] in resume(pause) } }
            }
        }
    }

    private func resume(_ pause: Int) {
        guard pause == pauses else { return }
        pauses += 1
        attach()
    }

    /// Accepts the connections that are established already and closes the socket, unless it `keepsListening`; call on the
    /// loop's thread.
    func stop(keepsListening: Bool) {
        guard !isStopped else { return }
        isStopped = true
        loop.unwatch(socket)
        if keepsListening { return }
        vitrine_stop_handshakes(socket)
        while acceptOne() == 0 {}
        listening.close()
    }
}
