// A bound TCP port at which servers accept connections, one after the other.
import Glibc
import Synchronization

/// Listens from its creation until it is closed or released: connections wait until a server accepts them.
package final class ListeningSocket: Sendable {
    package let port: Int
    let descriptor: Int32
    private let isClosed = Atomic<Bool>(false)

    /// Port 0 takes any free port.
    package init(host: String, port: Int) throws(ServerError) {
        descriptor = try Self.listen(host: host, port: port)
        self.port = SocketAddress.port(of: descriptor)
    }

    deinit { close() }

    /// From here on, new connections are refused.
    func close() {
        if !isClosed.exchange(true, ordering: .acquiringAndReleasing) { Glibc.close(descriptor) }
    }

    private static func listen(host: String, port: Int) throws(ServerError) -> Int32 {
        guard (0...65535).contains(port) else {
            throw .system(call: "bind", errno: EINVAL, message: "\(port) is not a port")
        }
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else {
            throw .unknownHost(host)
        }
        defer { freeaddrinfo(found) }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let socket = Glibc.socket(first.pointee.ai_family, type, 0)
        guard socket >= 0 else { throw failure("socket", host, port) }
        var on: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout.size(ofValue: on)))
        guard bind(socket, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0, Glibc.listen(socket, 4096) == 0
        else {
            let failure = failure("bind", host, port)
            Glibc.close(socket)
            throw failure
        }
        return socket
    }

    private static func failure(_ call: String, _ host: String, _ port: Int) -> ServerError {
        switch errno {
        case EADDRINUSE: .portBusy(host: host, port: port)
        case EACCES: .notPermitted(host: host, port: port)
        case EADDRNOTAVAIL: .unknownHost(host)
        default: .system(call: call, errno: errno, message: String(cString: strerror(errno)))
        }
    }
}
