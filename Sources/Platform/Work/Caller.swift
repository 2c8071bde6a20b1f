// Who causes the work of a task: whose share of a queue it takes.
import FoundationEssentials

/// An API client, an account, or, where nobody has signed in, a network. Work of the daemon itself has none.
/// Of a wider network, such as an IPv4 /24, at most ten have turns of their own.
package enum Caller: Hashable, Sendable {
    case daemon
    case client(UUID)
    case account(UUID)
    case network(String, within: String? = nil)

    static let mostOfWiderNetwork = 10

    @TaskLocal package static var current = Caller.daemon

    /// The network that it shares with other networks.
    var widerNetwork: String? {
        if case .network(_, within: let wider) = self { wider } else { nil }
    }
}
