// A local listening socket that detects connections.

import Glibc

struct LocalListener {
    struct Failure: Error {}

    private let socket: Int32
    let port: UInt16

    init() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let handle = socket
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(handle, pointer, length) == 0 && listen(handle, 8) == 0
                    && getsockname(handle, pointer, &length) == 0
            }
        }
        guard bound else { throw Failure() }
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Whether a connection is waiting to be accepted.
    var wasCalled: Bool {
        let connection = accept(socket, nil, nil)
        if connection >= 0 { Glibc.close(connection) }
        return connection >= 0
    }

    func close() {
        Glibc.close(socket)
    }
}
