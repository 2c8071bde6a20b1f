// Converts a connection URL into libpq's parameters, with host names looked up off the event loop.
import CPostgres
import EventLoop
import Glibc

/// The server's location. libpq would resolve a host name in the calling thread, and tries the next host only when
/// the first one responds; so names are resolved to IP addresses here, and each attempt starts with another one.
struct DatabaseURL: Sendable {
    private struct Endpoint: Sendable {
        var host: String
        /// Empty for a socket folder.
        var address: String
        var port: String
    }

    private let settings: [(name: String, value: String)]
    private let endpoints: [Endpoint]
    /// Why the URL can't be read; every attempt to connect fails with it.
    let problem: PostgresError?

    init(configuration: PostgresConfiguration) {
        // Later parameters win: those of the URL, except for the encoding that decoding relies on.
        var settings = [
            ("keepalives", "1"), ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "15000"), ("gssencmode", "disable"),
            ("fallback_application_name", configuration.applicationName),
        ]
        var values: [String: String]
        do {
            values = try DatabaseURL.values(of: configuration.url)
        } catch {
            (self.settings, endpoints, problem) = ([], [], error)
            return
        }
        problem = nil
        let lists = ["host", "hostaddr", "port"].map { name in
            values.removeValue(forKey: name).map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? []
        }
        settings += values.map { ($0.key, $0.value) }
        self.settings = settings.map { (name: $0.0, value: $0.1) } + [("client_encoding", "UTF8")]
        let (hosts, addresses, ports) = (lists[0], lists[1], lists[2])
        endpoints = (0..<max(hosts.count, addresses.count, ports.isEmpty ? 0 : 1)).map { index in
            let port = ports.isEmpty ? "" : ports[min(index, ports.count - 1)]
            return Endpoint(
                host: index < hosts.count ? String(hosts[index]) : "",
                address: index < addresses.count ? String(addresses[index]) : "", port: String(port))
        }
    }

    /// The parameters of a URL and of the PGHOST family of variables.
    private static func values(of url: String) throws(PostgresError) -> [String: String] {
        var reason: UnsafeMutablePointer<CChar>?
        defer { PQfreemem(reason) }
        guard let options = PQconninfoParse(url, &reason) else {
            throw .malformedURL(PostgresError.trimmed(reason))
        }
        var values = present(options)
        if values["host"] == nil, values["hostaddr"] == nil, values["service"] == nil, let defaults = PQconndefaults() {
            let fallback = present(defaults)
            for name in ["host", "hostaddr", "port"] { values[name] = values[name] ?? fallback[name] }
        }
        return values
    }

    private static func present(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return values
    }

    /// Calls `done` on the loop with the parameters of the given attempt (from 0), or nil when no host is known.
    func parameters(
        attempt: Int, on loop: EventLoop, done: @escaping @Sendable ([(name: String, value: String)]?) -> Void
    ) {
        guard endpoints.contains(where: DatabaseURL.isName) else {
            done(parameters(endpoints, attempt: attempt))
            return
        }
        let hasStarted = BackgroundThread.run {
            let resolved = endpoints.flatMap(DatabaseURL.resolved)
            let parameters = resolved.isEmpty ? nil : parameters(resolved, attempt: attempt)
            loop.execute { done(parameters) }
        }
        if !hasStarted { done(nil) }
    }

    private func parameters(_ endpoints: [Endpoint], attempt: Int) -> [(name: String, value: String)] {
        guard !endpoints.isEmpty else { return settings }
        let first = attempt % endpoints.count
        let ordered = endpoints[first...] + endpoints[..<first]
        return settings + [
            ("host", ordered.map(\.host).joined(separator: ",")),
            ("hostaddr", ordered.map(\.address).joined(separator: ",")),
            ("port", ordered.map(\.port).joined(separator: ",")),
        ]
    }

    private static func isName(_ endpoint: Endpoint) -> Bool {
        guard endpoint.address.isEmpty, !endpoint.host.isEmpty, endpoint.host.first != "/", endpoint.host.first != "@"
        else { return false }
        return addresses(of: endpoint.host, flags: AI_NUMERICHOST).isEmpty
    }

    /// One endpoint per IP address of a name; none when the name is unknown.
    private static func resolved(_ endpoint: Endpoint) -> [Endpoint] {
        guard isName(endpoint) else { return [endpoint] }
        return addresses(of: endpoint.host, flags: 0).map {
            Endpoint(host: endpoint.host, address: $0, port: endpoint.port)
        }
    }

    private static func addresses(of host: String, flags: Int32) -> [String] {
        var hints = addrinfo()
        hints.ai_flags = flags
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let info = next?.pointee {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(text.count)
            if getnameinfo(info.ai_addr, info.ai_addrlen, &text, length, nil, 0, NI_NUMERICHOST) == 0 {
                addresses.append(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
            }
            next = info.ai_next
        }
        return addresses
    }
}
