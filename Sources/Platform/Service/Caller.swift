// Who causes the work of a task: whose share of a queue it takes.
import FoundationEssentials

/// An API client, an account, or, where nobody has signed in, a network. Work of the daemon itself has none.
package enum Caller: Hashable, Sendable {
    case daemon
    case client(UUID)
    case account(UUID)
    case network(String)

    @TaskLocal package static var current = Caller.daemon
}
