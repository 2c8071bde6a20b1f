// A URL that outgoing requests may be sent to, read by the parser that will connect.
import CCurl

/// Why no request was sent, as a sentence.
package struct FetchRefusal: Error, Equatable, CustomStringConvertible {
    package let description: String
}

package struct FetchTarget: Sendable {
    /// As parsed by libcurl.
    package let text: String
    /// In lowercase, without percent-encoding and brackets; an international name as it was written.
    package let host: String
    let policy: FetchPolicy

    /// Throws `FetchRefusal` for a URL that the policy forbids whatever its name resolves to.
    package init(_ written: String, policy: FetchPolicy) throws {
        guard written.utf8.count <= 2048,
            written.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        else {
            throw FetchRefusal(
                description:
                    "Enter a URL of at most 2,048 ASCII characters without spaces. Write international names as xn--….")
        }
        guard let url = curl_url() else { throw FetchRefusal(description: "Out of memory.") }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, written, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK else {
            throw FetchRefusal(
                description:
                    "Enter a full URL such as https://hooks.example.org/vitrine, without a user name or password.")
        }
        let scheme = Self.part(url, CURLUPART_SCHEME) ?? ""
        guard scheme == "https" || scheme == "http" && policy.allowsHTTP else {
            throw FetchRefusal(
                description: policy.allowsHTTP
                    ? "Enter a full URL, including https:// or http://." : "Enter a full URL, including https://.")
        }
        guard var host = Self.part(url, CURLUPART_HOST)?.lowercased(), let text = Self.part(url, CURLUPART_URL),
            let port = Self.part(url, CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) })
        else { throw FetchRefusal(description: "Enter a URL with a host name.") }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard policy.allows(host: host, port: port) else {
            throw FetchRefusal(description: "Port \(port) isn't allowed. Use a port that the configuration lists.")
        }
        if let address = IPAddress(host), !policy.allows(host: host, address: address, port: port) {
            throw FetchRefusal(description: Self.inside(host))
        }
        self.text = text
        self.host = host
        self.policy = policy
    }

    static func inside(_ host: String) -> String {
        "\(host) isn't a public internet address, so no request is sent to it."
    }

    private static func part(_ url: OpaquePointer, _ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
