// The proxies that are believed when they say for whom they ask.
import Glibc

/// Addresses and networks (`10.0.0.0/8`). Anyone can write an X-Forwarded-For header, so it counts only as far as
/// trusted proxies wrote it: from its right end to the first address that is not one of them.
package struct TrustedProxies: Sendable, Equatable {
    /// An address as its 16 bytes; those of IPv4 are mapped into IPv6, so that both spellings are one address.
    private struct Network: Sendable, Equatable {
        let bytes: [UInt8]
        let prefix: Int

        func contains(_ address: [UInt8]) -> Bool {
            let whole = prefix / 8
            guard bytes[..<whole] == address[..<whole] else { return false }
            let rest = prefix % 8
            return rest == 0 || (bytes[whole] ^ address[whole]) >> (8 - rest) == 0
        }
    }

    private let networks: [Network]

    package static let nobody = TrustedProxies(networks: [])

    private init(networks: [Network]) {
        self.networks = networks
    }

    /// Reads addresses and networks between commas; nil when one of them is neither.
    package init?(_ list: String) {
        var networks: [Network] = []
        for item in list.split(separator: ",") {
            guard let network = Self.network(Self.trimmed(item)) else { return nil }
            networks.append(network)
        }
        self.init(networks: networks)
    }

    /// Who asks: `peer`, or whom trusted proxies name in the values of X-Forwarded-For, in the order of their lines.
    package func client(of peer: String, forwardedFor values: [String]) -> String {
        guard !networks.isEmpty, isTrusted(peer) else { return peer }
        var client = peer
        for value in values.reversed() {
            for item in value.split(separator: ",", omittingEmptySubsequences: false).reversed() {
                // What is no address was not written by a proxy that can be believed: the one that passed it on counts.
                guard let bytes = Self.bytes(Self.trimmed(item)) else { return client }
                client = Self.text(bytes)
                if !networks.contains(where: { $0.contains(bytes) }) { return client }
            }
        }
        return client
    }

    private func isTrusted(_ address: String) -> Bool {
        guard let bytes = Self.bytes(address) else { return false }
        return networks.contains { $0.contains(bytes) }
    }

    private static func network(_ text: String) -> Network? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let bytes = bytes(parts[0]) else { return nil }
        let isMapped = !parts[0].contains(":")
        guard parts.count == 2 else { return Network(bytes: bytes, prefix: 128) }
        let most = isMapped ? 32 : 128
        guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let prefix = Int(parts[1]), prefix <= most
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

    /// As the server writes the addresses of its peers.
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
