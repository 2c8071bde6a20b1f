// Decides which addresses the outside may use: https, or this very machine.
import FoundationEssentials

enum PublicURL {
    /// What is wrong with `address`, as the end of a sentence; nil if it may be used. Session cookies are `__Host-`
    /// cookies, which browsers take over https and on loopback only: any other plain address could not sign anyone in.
    static func objection(to address: String) -> String? {
        guard let parts = URLComponents(string: address), let scheme = parts.scheme?.lowercased(),
            let host = parts.host, !host.isEmpty, scheme == "https" || scheme == "http"
        else {
            return "must be an address such as https://vitrine.example.org, not \"\(address)\""
        }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            parts.path.isEmpty || parts.path == "/"
        else {
            return "must hold nothing but scheme, host and port, not \"\(address)\""
        }
        guard scheme == "https" || isLoopback(host) else {
            return "must begin with https:// unless it is this machine itself (localhost, 127.0.0.1, [::1]), "
                + "not \"\(address)\": sign-in cookies do not work over plain http"
        }
        return nil
    }

    /// `localhost`, names below it, 127.0.0.0/8 and ::1.
    static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" || host == "::1" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }
}
