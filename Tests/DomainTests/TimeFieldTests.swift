// Tests datetime and duration fields.
import Domain
import Testing

@Suite struct TimeFieldTests {
    @Test(
        "S50: instants are RFC 3339 within the years 1 to 9999",
        arguments: [
            ("2026-11-20T18:00:00Z", "2026-11-20T18:00:00Z"), ("2026-11-20t18:00:00.5z", "2026-11-20T18:00:00.5Z"),
            ("2024-02-29T23:59:59+15:59", "2024-02-29T23:59:59+15:59"),
            ("2000-02-29T00:00:00-00:00", "2000-02-29T00:00:00-00:00"),
            ("2026-01-01T00:00:00.123456789Z", "2026-01-01T00:00:00.123456Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
        ])
    func instants(written: String, stored: String) throws {
        #expect(try ContentFixture.field("datetime").stored(.string(written)) == .string(stored))
    }

    @Test(
        "S50: other instants are rejected",
        arguments: [
            "2026-11-20", "2026-11-20T18:00:00", "2026-11-20 18:00:00Z", "2026-11-20T18:00Z", "2026-11-20T24:00:00Z",
            "2026-11-20T18:60:00Z", "2026-06-30T23:59:60Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2026-04-31T00:00:00Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "0000-01-01T00:00:00Z",
            "10000-01-01T00:00:00Z", "-001-01-01T00:00:00Z", "2026-11-20T18:00:00+16:00", "2026-11-20T18:00:00+01:60",
            "2026-11-20T18:00:00+0100", "2026-11-20T18:00:00+99999999999999999999", "2026-11-20T18:00:00.Z",
            "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "2026-11-20T18:00:00ZZ", "２０２６-11-20T18:00:00Z",
            "2026-11-20T18:00:00.1234567890Z",
        ])
    func wrongInstants(written: String) throws {
        #expect(try ContentFixture.field("datetime").problems(.string(written)) == ["format /fields/x"])
    }

    @Test(
        "durations are stored in seconds",
        arguments: [
            ("1:02:03", 3723.0), ("62:03", 3723), ("3723", 3723), ("PT1H2M3S", 3723), ("pt1h2m3.5s", 3723.5),
            ("P1D", 86_400),
            ("P1DT1S", 86_401), ("PT90M", 5400), ("0:00", 0), ("0", 0), (" 42.25 ", 42.25), ("1:00:00.5", 3600.5),
            ("PT0,5S", 0.5), ("3155760000", 3_155_760_000),
        ])
    func durations(written: String, seconds: Double) throws {
        #expect(try ContentFixture.field("duration").stored(.string(written)) == .number(seconds))
        #expect(try ContentFixture.field("duration").stored(.number(seconds)) == .number(seconds))
    }

    @Test(
        "other durations are rejected",
        arguments: [
            "-1", "1:60", "1:2:3:4", "1:2", "1:02:3", "1.5:00", ":30", "1:", "P", "PT", "PT1", "P1DT", "PT1S1M",
            "PT1H1H",
            "PT1HT1M", "P1Y", "PT1.5H", "1h", "1e5", "3155760001", "99999999999999999999999999999999999999999", "P-1D",
            "PT.5S",
        ])
    func wrongDurations(written: String) throws {
        #expect(try ContentFixture.field("duration").problems(.string(written)) == ["format /fields/x"])
    }

    @Test("negative and infinite durations are rejected, and limits in seconds apply")
    func durationLimits() throws {
        let type = try ContentFixture.field("duration", #","maximum":60"#)
        #expect(type.problems(.int(-1)) == ["format /fields/x"])
        #expect(type.problems(.double(.infinity)) == ["format /fields/x"])
        #expect(try type.stored("1:00") == .int(60))
        #expect(type.problems("1:01") == ["too_large /fields/x"])
        #expect(type.problems(.bool(true)) == ["type /fields/x"])
    }
}
