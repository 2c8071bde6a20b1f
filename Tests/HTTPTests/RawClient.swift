// A minimal client that sends any bytes to a server and reads the response.
import Glibc
import HTTP

/// One blocking socket to a server on this machine. A read times out after ten seconds.
final class RawClient {
    struct Reply {
        let status: Int
        let head: String
        let body: String

        func header(_ name: String) -> String? {
            head.split(separator: "\r\n").dropFirst().first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
                .map { String($0.dropFirst(name.utf8.count + 2)) }
        }
    }

    private let socket: Int32
    private var received: [UInt8] = []
    private(set) var isAtEnd = false
    /// Whether the connection ended with a reset.
    private(set) var wasReset = false

    /// `source`: the client's own address, any of 127.0.0.0/8.
    init(_ port: Int, from source: String = "127.0.0.1", receiveBuffer: Int32? = nil) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout.size(ofValue: timeout)))
        if var size = receiveBuffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout.size(ofValue: size)))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(source)
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        isAtEnd = result != 0
    }

    deinit { close(socket) }

    @discardableResult
    func send(_ text: String) -> RawClient {
        send(Array(text.utf8))
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> RawClient {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        return self
    }

    /// Closes the sending side.
    func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Reads one response; nil when the connection ended (or nothing arrived) before it was complete. The response to
    /// HEAD has no body.
    func response(toHead: Bool = false) -> Reply? {
        while true {
            if let end = headEnd() {
                let head = String(decoding: received[..<end], as: UTF8.self)
                let status = Int(head.split(separator: " ")[1]) ?? 0
                let response = Reply(status: status, head: head, body: "")
                let hasBody = !toHead && status >= 200 && status != 204 && status != 304
                let length = hasBody ? Int(response.header("Content-Length") ?? "") ?? 0 : 0
                if received.count >= end + 4 + length {
                    let body = String(decoding: received[(end + 4)..<(end + 4 + length)], as: UTF8.self)
                    received.removeFirst(end + 4 + length)
                    return Reply(status: status, head: head, body: body)
                }
            }
            if !read() { return nil }
        }
    }

    /// Everything until the server closes the connection.
    func rest() -> [UInt8] {
        while read() {}
        defer { received = [] }
        return received
    }

    /// Whether a response has begun, without waiting for it.
    func hasBegun() -> Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
    }

    /// Whether the server has closed the connection, without waiting for it.
    func hasEnded() -> Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN)
    }

    private func headEnd() -> Int? {
        guard received.count >= 4 else { return nil }
        return (0...(received.count - 4)).first { received[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) }
    }

    private func read() -> Bool {
        guard !isAtEnd else { return false }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(socket, &buffer, buffer.count, 0)
        if count == 0 { isAtEnd = true }
        if count < 0, errno == ECONNRESET {
            isAtEnd = true
            wasReset = true
        }
        if count > 0 { received += buffer[..<count] }
        return count > 0
    }
}
