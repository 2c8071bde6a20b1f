// The networks of a client's IP address, for limits: who has one IPv6 address has a whole network of them.
import Glibc

/// A network whose requests count together.
package struct ClientNetwork: Sendable, Equatable {
    /// In CIDR notation, or the address itself where it counts alone.
    package let name: String
    /// How many times the limit of a single client applies to it: more clients share a larger network.
    package let clients: Int

    /// IPv4: the address and its /24. IPv6: its /64, which one client has, and its /48, which one site has. Anything else is
    /// its own. The smallest is first.
    package static func all(of address: String) -> [ClientNetwork] {
        var four = in_addr()
        if inet_pton(AF_INET, address, &four) == 1 { return networks(ofFour: withUnsafeBytes(of: &four) { Array($0) }) }
        var binary = in6_addr()
        guard inet_pton(AF_INET6, address, &binary) == 1 else { return [ClientNetwork(name: address, clients: 1)] }
        let bytes = withUnsafeBytes(of: &binary) { Array($0) }
        if bytes.starts(with: mappedPrefix) { return networks(ofFour: Array(bytes[12...])) }
        return [prefix(64, of: bytes, clients: 1), prefix(48, of: bytes, clients: 10)]
    }

    private static func networks(ofFour bytes: [UInt8]) -> [ClientNetwork] {
        let numbers = bytes.map(String.init)
        return [
            ClientNetwork(name: numbers.joined(separator: "."), clients: 1),
            ClientNetwork(name: numbers.prefix(3).joined(separator: ".") + ".0/24", clients: 10),
        ]
    }

    /// `::ffff:0:0/96`
    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    private static func prefix(_ bits: Int, of bytes: [UInt8], clients: Int) -> ClientNetwork {
        let groups = stride(from: 0, to: bits / 8, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }
        return ClientNetwork(name: groups.joined(separator: ":") + "::/\(bits)", clients: clients)
    }
}
