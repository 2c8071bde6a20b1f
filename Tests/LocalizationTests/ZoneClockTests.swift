// Offsets of time zones, before and after their clocks change.
import FoundationEssentials
import Localization
import Testing

@Suite struct ZoneClockTests {
    @Test(
        "The offset is the one at that time",
        arguments: [
            // 2026-10-25T00:59:59Z and 01:00:00Z: the clocks of Berlin go back.
            ("Europe/Berlin", 1_792_889_999, 7200), ("Europe/Berlin", 1_792_890_000, 3600),
            // 2099-05-31T17:00:00Z
            ("Europe/London", 4_083_930_000, 3600), ("Asia/Kathmandu", 4_083_930_000, 20_700),
            ("America/St_Johns", 1_767_225_600, -12_600), ("UTC", 0, 0), ("Europe/Berlin", 0, 3600),
            // Before 1970 and after 2100 it is the first and the last one.
            ("Europe/Berlin", -1, 3600), ("Europe/Berlin", 32_503_680_000, 3600),
        ])
    func offset(zone: String, time: Int, offset: Int) throws {
        let clock = try #require(ZoneClock.of(zone))
        #expect(clock.zone == zone)
        #expect(clock.offset(at: Date(timeIntervalSince1970: TimeInterval(time))) == offset)
    }

    @Test(arguments: ["Mars/Base", "", String(repeating: "A", count: 200)])
    func unknownZonesHaveNoClock(zone: String) {
        #expect(ZoneClock.of(zone) == nil)
    }
}
