// The caller of a request whose sender has not signed in.
import Domain
import Platform

extension Caller {
    /// The network of a client's IP address, which shares turns with others of a wider one.
    package static func at(_ remoteAddress: String) -> Caller {
        let networks = ClientNetwork.all(of: remoteAddress)
        return .network(networks[0].name, within: networks.count > 1 ? networks[1].name : nil)
    }
}
