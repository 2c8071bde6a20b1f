// Tests which addresses count as one client.
import Domain
import Testing

@Suite("Networks of clients")
struct ClientNetworkTests {
    private func networks(_ address: String) -> [String] {
        ClientNetwork.all(of: address).map { "\($0.name) x\($0.clients)" }
    }

    @Test("S10, S47: an IPv4 address counts alone, however it is written, and with its /24 at ten times the limit")
    func four() {
        #expect(networks("192.0.2.7") == ["192.0.2.7 x1", "192.0.2.0/24 x10"])
        #expect(networks("::ffff:192.0.2.7") == networks("192.0.2.7"))
        #expect(networks("192.0.2.8").first == "192.0.2.8 x1")
        #expect(networks("192.0.2.255").last == networks("192.0.2.0").last)
        #expect(networks("192.0.3.0").last == "192.0.3.0/24 x10")
    }

    @Test("S10, S47: an IPv6 address counts with its /64, and with its /48 at ten times the limit")
    func six() {
        #expect(networks("2001:db8:7:9:1:2:3:4") == ["2001:db8:7:9::/64 x1", "2001:db8:7::/48 x10"])
        #expect(networks("2001:DB8:7:9:ffff::") == networks("2001:db8:7:9::1"))
        // One bit beyond the prefix is another network; one within is not.
        #expect(networks("2001:db8:7:8::1").first == "2001:db8:7:8::/64 x1")
        #expect(networks("2001:db8:7:8::1").last == networks("2001:db8:7:9::1").last)
        #expect(networks("2001:db8:6:9::1").last != networks("2001:db8:7:9::1").last)
        #expect(networks("::1") == ["0:0:0:0::/64 x1", "0:0:0::/48 x10"])
    }

    @Test("Anything else counts under its own name")
    func other() {
        #expect(networks("") == [" x1"])
        #expect(networks("localhost") == ["localhost x1"])
        #expect(networks("2001:db8::1%eth0") == ["2001:db8::1%eth0 x1"])
    }
}
