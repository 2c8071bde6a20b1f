// Listens on a notification socket as systemd does, for tests.
import CSystem

final class NotifySocket {
    private let descriptor: Int32

    /// Nil if it can't be created. A leading `@` denotes an abstract name.
    init?(_ name: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var socketName = sockaddr_un()
        socketName.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = name.hasPrefix("@")
        let path = Array((isAbstract ? "\0" + name.dropFirst() : name).utf8)
        withUnsafeMutableBytes(of: &socketName.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count + (isAbstract ? 0 : 1))
        let isBound = withUnsafePointer(to: &socketName) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        guard isBound else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// The next message; nil if none comes within ten seconds.
    func receive() -> String? {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 10_000) == 1 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
