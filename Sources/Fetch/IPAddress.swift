// An IP address of a connection, and whether it belongs to the public internet.
import CCurl

package struct IPAddress: Sendable, Equatable {
    /// 4 or 16 bytes, in network order.
    let bytes: [UInt8]

    /// Parses an IP address in text form; nil for anything else (names, `127.1`, brackets).
    package init?(_ text: String) {
        var four = in_addr()
        var sixteen = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &sixteen) == 1 {
            bytes = withUnsafeBytes(of: &sixteen) { Array($0) }
        } else {
            return nil
        }
    }

    /// Reads the address and the port that a socket is about to connect to; nil for families other than IP.
    static func read(_ socket: UnsafePointer<sockaddr>, length: Int) -> (address: IPAddress, port: Int)? {
        let raw = UnsafeRawBufferPointer(start: socket, count: length)
        switch Int32(socket.pointee.sa_family) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let known = raw.loadUnaligned(as: sockaddr_in.self)
            return (IPAddress(bytes: withUnsafeBytes(of: known.sin_addr) { Array($0) }), port(known.sin_port))
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            let known = raw.loadUnaligned(as: sockaddr_in6.self)
            return (IPAddress(bytes: withUnsafeBytes(of: known.sin6_addr) { Array($0) }), port(known.sin6_port))
        default:
            return nil
        }
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private static func port(_ networkOrder: UInt16) -> Int { Int(UInt16(bigEndian: networkOrder)) }

    /// False for this machine, private networks, link-local, shared (CGNAT), multicast, documentation and reserved
    /// addresses, and for those of IPv6 that carry an address of IPv4 inside (mapped, compatible, NAT64, 6to4, Teredo).
    package var isPublic: Bool {
        bytes.count == 4
            ? !Self.closed4.contains { $0.contains(bytes) }
            // In IPv6 only 2000::/3 is allocated, and some of its networks contain no public hosts.
            : Self.open6.contains(bytes) && !Self.closed6.contains { $0.contains(bytes) }
    }

    private struct Network {
        let start: [UInt8]
        let bits: Int

        init(_ start: [UInt8], _ bits: Int) {
            self.start = start
            self.bits = bits
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            for (index, wanted) in start.enumerated() {
                let left = bits - index * 8
                if left <= 0 { return true }
                let mask: UInt8 = left >= 8 ? 0xFF : ~(0xFF >> UInt8(left))
                if bytes[index] & mask != wanted & mask { return false }
            }
            return true
        }
    }

    /// IANA's registry of special-purpose addresses that are not globally reachable, and 168.63.129.16, at which machines of
    /// Azure reach their host, with their metadata.
    private static let closed4 = [
        Network([0], 8), Network([10], 8), Network([100, 64], 10), Network([127], 8), Network([169, 254], 16),
        Network([168, 63, 129, 16], 32),
        Network([172, 16], 12), Network([192, 0, 0], 24), Network([192, 0, 2], 24), Network([192, 88, 99], 24),
        Network([192, 168], 16), Network([198, 18], 15), Network([198, 51, 100], 24), Network([203, 0, 113], 24),
        Network([224], 3),
    ]
    private static let open6 = Network([0x20], 3)
    private static let closed6 = [
        Network([0x20, 0x01, 0x00], 23), Network([0x20, 0x01, 0x0D, 0xB8], 32), Network([0x20, 0x02], 16),
        Network([0x3F, 0xFF, 0x00], 20),
    ]
}
