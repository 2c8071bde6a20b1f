// Tests which URLs a request may be sent to, before any name is resolved.
import Fetch
import Testing

@Suite("Request targets")
struct FetchTargetTests {
    private func refusal(_ url: String, _ policy: FetchPolicy = FetchPolicy()) -> String? {
        do {
            _ = try FetchTarget(url, policy: policy)
            return nil
        } catch {
            return String(describing: error)
        }
    }

    @Test(
        "S33: a public https URL is accepted",
        arguments: [
            "https://hooks.example.org/x?y=1", "https://hooks.example.org:443/", "HTTPS://8.8.8.8/",
            "https://[2606:4700::1111]/",
        ])
    func accepted(url: String) {
        #expect(refusal(url) == nil)
    }

    @Test(
        "S33: other schemes, logins, ports, internal IP addresses and invalid URLs are rejected",
        arguments: [
            "http://hooks.example.org/", "ftp://hooks.example.org/", "file:///etc/passwd", "gopher://127.0.0.1/_x",
            "https://user@hooks.example.org/", "https://user:word@hooks.example.org/",
            "https://hooks.example.org:8443/",
            "https://hooks.example.org:65979/", "https://hooks.example.org:0/", "https://127.0.0.1/", "https://127.1/",
            "https://0x7f000001/", "https://2130706433/", "https://017700000001/", "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://10.0.0.1/", "https://169.254.169.254/latest/", "https://example.org\\@127.0.0.1/",
            "https://example.org /",
            "https://example.org/\n", "https://①②⑦.0.0.1/", "https://127。0。0。1/",
            "https://%31%32%37.0.0.1/", "", "hooks.example.org",
            "//hooks.example.org/", "https://",
        ])
    func refused(url: String) {
        #expect(refusal(url) != nil)
    }

    @Test("S33: http and its port are accepted only when the configuration says so")
    func http() {
        let policy = FetchPolicy(allowsHTTP: true)
        #expect(refusal("http://hooks.example.org/", policy) == nil)
        #expect(refusal("http://hooks.example.org:8080/", policy) != nil)
        #expect(refusal("http://127.0.0.1/", policy) != nil)
    }

    @Test("S33: an exception allows its host on its port and nothing else")
    func exceptions() throws {
        let exceptions = try ["127.0.0.1:9000", "intranet.example", "[::1]:9000", "10.0.0.5"].map {
            try #require(FetchPolicy.Exception($0))
        }
        let policy = FetchPolicy(exceptions: exceptions)
        for url in [
            "https://127.0.0.1:9000/", "https://127.1:9000/", "https://[::1]:9000/", "https://intranet.example/",
            "https://10.0.0.5/",
        ] {
            #expect(refusal(url, policy) == nil, "\(url)")
        }
        for url in [
            "https://127.0.0.1/", "https://127.0.0.1:9001/", "https://127.0.0.2:9000/", "https://[::1]/",
            "https://intranet.example:8443/", "https://10.0.0.6/", "https://10.0.0.5:8443/",
        ] {
            #expect(refusal(url, policy) != nil, "\(url)")
        }
        for text in ["", ":9000", "a/b", "host:0", "host:65536", "host:x", "10.0.0.0/8", "[::1"] {
            #expect(FetchPolicy.Exception(text) == nil, "\(text)")
        }
    }
}
