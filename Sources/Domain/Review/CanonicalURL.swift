// Normalizes page URLs so that one page has one URL.

package enum CanonicalURL {
    /// Tracking parameters.
    private static let tracking: Set<String> = ["fbclid", "gclid", "igshid", "mc_cid", "mc_eid", "ref_src", "cmpid"]

    /// The URL without scheme, `www.`, the port of a scheme, fragment, trailing slash and tracking parameters; nil if the text is
    /// not a URL.
    package static func of(_ written: String) -> String? {
        guard let url = try? WebURL(written, httpsOnly: false).text,
            let slashes = url.firstRange(of: "://")
        else { return nil }
        var rest = url[slashes.upperBound...].prefix { $0 != "#" }
        if rest.hasPrefix("www.") { rest = rest.dropFirst(4) }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var page = parts[0]
        while page.last == "/" { page = page.dropLast() }
        let host = page.prefix { $0 != "/" }
        for port in [":443", ":80"] where host.hasSuffix(port) {
            page = host.dropLast(port.count) + page[host.endIndex...]
        }
        let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").filter { parameter in
            let name = parameter.prefix { $0 != "=" }.lowercased()
            return !name.hasPrefix("utm_") && !tracking.contains(name)
        }
        return page + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
}
