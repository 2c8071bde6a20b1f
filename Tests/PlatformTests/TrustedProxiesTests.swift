// Tests which X-Forwarded-For headers are trusted, and how far.
import Platform
import Testing

@Suite("Trusted proxies")
struct TrustedProxiesTests {
    private func client(_ trusted: String, _ peer: String, _ forwarded: String...) throws -> String {
        try #require(TrustedProxies(trusted)).client(of: peer, forwardedFor: forwarded)
    }

    @Test("S22: only the header of a trusted proxy counts")
    func untrusted() throws {
        #expect(try client("", "198.51.100.9", "192.0.2.1") == "198.51.100.9")
        #expect(try client("10.0.0.1", "198.51.100.9", "192.0.2.1") == "198.51.100.9")
        #expect(try client("10.0.0.1", "", "192.0.2.1") == "")
        #expect(TrustedProxies.empty.client(of: "127.0.0.1", forwardedFor: ["192.0.2.1"]) == "127.0.0.1")
    }

    @Test("S22: the rightmost untrusted IP address is the client, whatever precedes it")
    func rightmost() throws {
        #expect(try client("10.0.0.1", "10.0.0.1", "192.0.2.1") == "192.0.2.1")
        #expect(try client("10.0.0.1", "10.0.0.1", "203.0.113.5, 192.0.2.1") == "192.0.2.1")
        #expect(try client("10.0.0.0/8", "10.0.0.1", "203.0.113.5,192.0.2.1 ,\t10.9.9.9") == "192.0.2.1")
        #expect(try client("10.0.0.1", "10.0.0.1", "203.0.113.5", "192.0.2.1") == "192.0.2.1")
        #expect(try client("10.0.0.0/8", "10.0.0.1", "10.0.0.3", "10.0.0.2") == "10.0.0.3")
    }

    @Test(
        "S22: where the header ends or is malformed, the last trusted proxy is the client",
        arguments: ["", "unknown", "192.0.2.1:80", "192.0.2.256", "1", "a,", "for=192.0.2.1", "192.0.2.1;x"])
    func malformed(header: String) throws {
        #expect(try client("10.0.0.0/8", "10.0.0.1", header) == "10.0.0.1")
        #expect(try client("10.0.0.0/8", "10.0.0.1", header + ",10.0.0.2") == "10.0.0.2")
        #expect(try client("10.0.0.0/8", "10.0.0.1") == "10.0.0.1")
    }

    @Test("All notations of an IP address are equal")
    func spellings() throws {
        #expect(try client("::ffff:10.0.0.1", "10.0.0.1", "::ffff:192.0.2.1") == "192.0.2.1")
        #expect(try client("2001:DB8:0::1", "2001:db8::1", "2001:0db8::0007") == "2001:db8::7")
    }

    @Test(
        "A network contains its IP addresses and no others",
        arguments: [
            ("10.1.2.0/23", "10.1.3.255", true), ("10.1.2.0/23", "10.1.4.0", false), ("0.0.0.0/0", "192.0.2.1", true),
            ("0.0.0.0/0", "2001:db8::1", false), ("2001:db8::/33", "2001:db8:7fff::1", true),
            ("2001:db8::/33", "2001:db8:8000::1", false), ("::/0", "192.0.2.1", true),
            ("192.0.2.1/32", "192.0.2.2", false),
        ])
    func network(_ network: String, _ peer: String, isInside: Bool) throws {
        #expect(try client(network, peer, "203.0.113.5") == (isInside ? "203.0.113.5" : peer))
    }

    @Test(
        "Malformed IP addresses and networks are rejected",
        arguments: [
            "proxy.example", "10.0.0.1/33", "::1/129", "10.0.0.1/", "10.0.0.1/-1", "10.0.0.1/+1", "10.0.0.1, x",
        ])
    func refused(list: String) {
        #expect(TrustedProxies(list) == nil)
    }
}
