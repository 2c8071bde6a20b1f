// Determines the client IP address behind trusted proxies.
import Glibc

/// IP addresses and networks (`10.0.0.0/8`). Anyone can send an X-Forwarded-For header, so it is trusted only as far as
/// trusted proxies wrote it: from its right end to the first IP address that is not a trusted proxy.
package struct TrustedProxies: Sendable, Equatable {
    /// 16 bytes of an IP address. IPv4 is mapped into IPv6, so that both notations are equal.
    private struct Network: Sendable, Equatable {
        let bytes: [UInt8]
        let prefix: Int

        func contains(_ ip: [UInt8]) -> Bool {
            let whole = prefix / 8
            guard bytes[..<whole] == ip[..<whole] else { return false }
            let rest = prefix % 8
            return rest == 0 || (bytes[whole] ^ ip[whole]) >> (8 - rest) == 0
        }
    }

    private let networks: [Network]

    package static let empty = TrustedProxies(networks: [])

    private init(networks: [Network]) {
        self.networks = networks
    }

    /// Parses comma-separated IP addresses and networks; nil if any is invalid.
    package init?(_ list: String) {
        var networks: [Network] = []
        for item in list.split(separator: ",") {
            guard let network = Self.network(Self.trimmed(item)) else { return nil }
            networks.append(network)
        }
        self.init(networks: networks)
    }

    /// The client: `peer`, or the IP address that trusted proxies name in X-Forwarded-For. `values` are its lines in order.
    package func client(of peer: String, forwardedFor values: [String]) -> String {
        guard !networks.isEmpty, isTrusted(peer) else { return peer }
        var client = peer
        for value in values.reversed() {
            for item in value.split(separator: ",", omittingEmptySubsequences: false).reversed() {
                // A trusted proxy writes only IP addresses: stop at anything else and use the last proxy.
                guard let bytes = Self.bytes(Self.trimmed(item)) else { return client }
                client = Self.text(bytes)
                if !networks.contains(where: { $0.contains(bytes) }) { return client }
            }
        }
        return client
    }

    package func isTrusted(_ ip: String) -> Bool {
        guard let bytes = Self.bytes(ip) else { return false }
        return networks.contains { $0.contains(bytes) }
    }

    private static func network(_ text: String) -> Network? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let bytes = bytes(parts[0]) else { return nil }
        let isMapped = !parts[0].contains(":")
        guard parts.count == 2 else { return Network(bytes: bytes, prefix: 128) }
        let maxPrefix = isMapped ? 32 : 128
        guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let prefix = Int(parts[1]), prefix <= maxPrefix
        else { return nil }
        return Network(bytes: bytes, prefix: isMapped ? prefix + 96 : prefix)
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, text, &bytes) == 1 { return bytes }
        var short = [UInt8](repeating: 0, count: 4)
        guard inet_pton(AF_INET, text, &short) == 1 else { return nil }
        return mappedPrefix + short
    }

    /// In the notation in which the server reports its peers.
    private static func text(_ bytes: [UInt8]) -> String {
        let isMapped = bytes.starts(with: mappedPrefix)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = inet_ntop(
            isMapped ? AF_INET : AF_INET6, isMapped ? Array(bytes[12...]) : bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
