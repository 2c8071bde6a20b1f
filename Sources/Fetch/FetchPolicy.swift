// Which hosts outgoing requests may reach (S33): the public internet on web ports, and hosts listed in the
// configuration.

package struct FetchPolicy: Sendable {
    /// An internal host or IP address that may be reached, on one port or on the default ports.
    package struct Exception: Sendable, Equatable {
        let host: String
        let address: IPAddress?
        let port: Int?

        /// Parses `intranet.example`, `10.0.0.5`, `localhost:9000`, `[::1]:9000`, `::1`.
        package init?(_ text: String) {
            var host = text.lowercased()
            var port: Int?
            // An address of IPv6 without brackets has colons of its own, and no port.
            if IPAddress(host) == nil, let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
                guard let number = Int(host[host.index(after: colon)...]), (1...65535).contains(number) else {
                    return nil
                }
                port = number
                host = String(host[..<colon])
            }
            if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
            guard !host.isEmpty, !host.utf8.contains(UInt8(ascii: "/")) else { return nil }
            address = IPAddress(host)
            guard address != nil || !host.utf8.contains(UInt8(ascii: ":")) else { return nil }
            self.host = host
            self.port = port
        }

        /// Whether the check concerns the host named by the URL, or the IP address it resolved to.
        func names(_ host: String, _ address: IPAddress?) -> Bool {
            self.host == host || self.address.map { $0 == address } ?? false
        }
    }

    package let allowsHTTP: Bool
    package let ports: Set<Int>
    package let exceptions: [Exception]

    package init(allowsHTTP: Bool = false, ports: Set<Int> = [443], exceptions: [Exception] = []) {
        self.allowsHTTP = allowsHTTP
        self.ports = allowsHTTP && ports == [443] ? [443, 80] : ports
        self.exceptions = exceptions
    }

    var schemes: String { allowsHTTP ? "http,https" : "https" }

    /// Whether a URL may name this host and port at all.
    func allows(host: String, port: Int) -> Bool {
        let address = IPAddress(host)
        if exceptions.contains(where: { $0.names(host, address) && $0.port == port }) { return true }
        return ports.contains(port)
    }

    /// Whether a request to `host` may connect to this address: asked when the socket is opened, so that no name can
    /// lead elsewhere between the check and the connection.
    func allows(host: String, address: IPAddress, port: Int) -> Bool {
        if exceptions.contains(where: {
            $0.names(host, address) && ($0.port.map { $0 == port } ?? ports.contains(port))
        }) {
            return true
        }
        return address.isPublic && ports.contains(port)
    }
}
