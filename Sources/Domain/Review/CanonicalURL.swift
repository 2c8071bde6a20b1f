// The address of a page without what does not change the page, so that the same page has one address.

package enum CanonicalURL {
    /// Parameters that say where a reader came from.
    private static let tracking: Set<String> = ["fbclid", "gclid", "igshid", "mc_cid", "mc_eid", "ref_src", "cmpid"]

    /// Nil for what is no address. Scheme, `www.`, the anchor, a slash at the end and tracking parameters do not count.
    package static func of(_ written: String) -> String? {
        guard let address = try? WebURL(written, httpsOnly: false).text,
            let slashes = address.firstRange(of: "://")
        else { return nil }
        var rest = address[slashes.upperBound...].prefix { $0 != "#" }
        if rest.hasPrefix("www.") { rest = rest.dropFirst(4) }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var page = parts[0]
        while page.last == "/" { page = page.dropLast() }
        let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").filter { parameter in
            let name = parameter.prefix { $0 != "=" }.lowercased()
            return !name.hasPrefix("utm_") && !tracking.contains(name)
        }
        return page + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
}
