// What each client network holds of a server, so that one can't take all of it from others.
import Synchronization

/// Counts connections, and requests that came through a proxy, on all loops together.
final class ClientShares: Sendable {
    private struct Holding {
        var connections = 0
        var proxiedRequests = 0

        var isNothing: Bool { connections == 0 && proxiedRequests == 0 }
    }

    /// A network with more connections than this is the first to give some up when they run out.
    let share: Int
    private let networks = Mutex<[String: Holding]>([:])

    init(_ configuration: ServerConfiguration) {
        share = max(1, configuration.maxConnections / 4)
    }

    func connected(_ network: String) { change(network) { $0.connections += 1 } }
    func disconnected(_ network: String) { change(network) { $0.connections -= 1 } }

    /// How many connections each network has.
    var connections: [String: Int] { networks.withLock { $0.mapValues(\.connections) } }

    /// A request that came through a proxy; nil if its network has its share of these in flight already. The connections of
    /// others count for themselves.
    func proxiedRequest(of network: String) -> ProxiedRequest? {
        let isBegun = networks.withLock { networks in
            guard networks[network, default: Holding()].proxiedRequests < share else { return false }
            networks[network, default: Holding()].proxiedRequests += 1
            return true
        }
        return isBegun ? ProxiedRequest(of: network, self) : nil
    }

    /// Counts as long as somebody holds it.
    final class ProxiedRequest {
        private let network: String
        private let shares: ClientShares

        fileprivate init(of network: String, _ shares: ClientShares) {
            self.network = network
            self.shares = shares
        }

        deinit { shares.change(network) { $0.proxiedRequests -= 1 } }
    }

    private func change(_ network: String, _ change: (inout Holding) -> Void) {
        networks.withLock { networks in
            var holding = networks[network] ?? Holding()
            change(&holding)
            networks[network] = holding.isNothing ? nil : holding
        }
    }
}
