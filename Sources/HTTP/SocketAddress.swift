// Texts for socket addresses, and addresses for texts.
import Glibc

/// Addresses of the internet families.
enum SocketAddress {
    /// The address without its port; an IPv4 address that came through an IPv6 socket is written as IPv4.
    static func text(_ address: UnsafePointer<sockaddr>) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        if Int32(address.pointee.sa_family) == AF_INET {
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                var binary = $0.pointee.sin_addr
                _ = inet_ntop(AF_INET, &binary, &text, socklen_t(text.count))
            }
        } else if Int32(address.pointee.sa_family) == AF_INET6 {
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                var binary = $0.pointee.sin6_addr
                _ = inet_ntop(AF_INET6, &binary, &text, socklen_t(text.count))
            }
        }
        let written = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let isMapped = written.hasPrefix("::ffff:") && written.contains(".")
        return isMapped ? String(written.dropFirst(7)) : written
    }

    /// The port of a bound socket.
    static func port(of socket: Int32) -> Int {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout.size(ofValue: address))
        return withUnsafeMutablePointer(to: &address) { storage in
            let result = storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket, $0, &length)
            }
            guard result == 0 else { return 0 }
            // The port stands at the same place in both families.
            return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int(UInt16(bigEndian: $0.pointee.sin_port))
            }
        }
    }
}
