// Validates the public URL: https, or http on loopback.
import FoundationEssentials

package enum PublicURL {
    /// Whether the `Host` of a request is that of the deployment at `url`, or this machine. Ports don't matter.
    package static func isOwn(host header: String, of url: String) -> Bool {
        let own = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let host = name(header[...])
        return isLoopback(host) || host == name(own)
    }

    /// A host without its port, in lowercase; an IPv6 address in brackets.
    private static func name(_ host: Substring) -> String {
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return host[...end].lowercased() }
        return host.prefix { $0 != ":" && $0 != "/" }.lowercased()
    }

    /// Why `url` is invalid, as the end of a sentence; nil if it is valid. Session cookies are `__Host-` cookies, which
    /// browsers accept only over https and on loopback: sign-in would fail at any other http URL.
    static func objection(to url: String) -> String? {
        // What browsers send as Host, and what is compared with it.
        guard url.utf8.allSatisfy({ $0 < 0x80 }) else {
            return "must have its host in ASCII, an internationalized one as xn--…, not \"\(url)\""
        }
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            let host = parts.host, !host.isEmpty, scheme == "https" || scheme == "http"
        else {
            return "must be a URL such as https://vitrine.example.org, not \"\(url)\""
        }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            parts.path.isEmpty || parts.path == "/"
        else {
            return "must contain only scheme, host and port, not \"\(url)\""
        }
        guard scheme == "https" || isLoopback(host) else {
            return "must start with https:// unless it is this machine (localhost, 127.0.0.1, [::1]), "
                + "not \"\(url)\": sign-in cookies do not work over plain http"
        }
        return nil
    }

    /// `localhost` and its subdomains, 127.0.0.0/8 and ::1.
    static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" || host == "::1" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }
}
