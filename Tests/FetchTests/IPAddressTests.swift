// Tests which IP addresses are public, at the boundaries of every network that is not.
import Fetch
import Testing

@Suite("Public IP addresses")
struct IPAddressTests {
    @Test(
        "S33: internal, reserved or wrapped IP addresses are not public",
        arguments: [
            "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
            "127.255.255.255", "168.63.129.16", "169.254.0.0", "169.254.169.254", "172.16.0.0", "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.1",
            "203.0.113.9",
            "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255", "::", "::1", "::7f00:1", "::ffff:127.0.0.1",
            "::ffff:8.8.8.8", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:1ff::1",
            "2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "3fff::1", "3fff:fff::1", "1fff:ffff::1", "4000::1",
            "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "5f00::1",
        ])
    func closed(text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic == false)
    }

    @Test(
        "S33: their neighbors are public",
        arguments: [
            "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
            "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
            "192.0.1.1", "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "8.8.8.8", "2000::1", "2001:200::1",
            "2001:db7::1", "2001:db9::1", "2003::1", "2606:4700::1111", "3ffe::1", "3fff:1000::1",
        ])
    func open(text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic)
    }

    @Test(
        "An invalid IP address is rejected",
        arguments: ["", "localhost", "127.1", "[::1]", "1.2.3.4.5", "0x7f000001"])
    func names(text: String) {
        #expect(IPAddress(text) == nil)
    }
}
