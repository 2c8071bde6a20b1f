// Tests publish timing: keywords, instants and wall times.
import Domain
import FoundationEssentials
import Testing

@Suite struct PublishTimingTests {
    @Test("the two keywords are matched exactly")
    func words() throws {
        #expect(try PublishTiming(parsing: "now") == .now)
        #expect(try PublishTiming(parsing: "none") == .approveOnly)
        for text in ["", "Now", "later", "approve_only", "2026-11-20", "2026-11-31T18:00", "2026-11-20T18:00+01"] {
            #expect(problems { _ = try PublishTiming(parsing: text, zone: "UTC") } == ["format /publish"])
        }
    }

    @Test("a wall time keeps its zone and gets seconds")
    func wallTime() throws {
        let time = try WallTime(local: "2026-11-20T18:00:00", zone: "Europe/London")
        #expect(try PublishTiming(parsing: "2026-11-20T18:00", zone: "Europe/London") == .at(time))
        #expect(try PublishTiming(parsing: "2026-11-20T18:00:00", zone: "Europe/London") == .at(time))
        #expect(problems { _ = try PublishTiming(parsing: "2026-11-20T18:00") } == ["required /publish"])
        #expect(
            problems { _ = try PublishTiming(parsing: "2026-11-20T18:00", zone: "Mars Base") } == [
                "format /publish/zone"
            ])
    }

    @Test(
        "an instant is stored in UTC, across days, months and years",
        arguments: [
            ("2026-11-20T18:00:00Z", "2026-11-20T18:00:00"), ("2026-11-20T18:00:00+05:30", "2026-11-20T12:30:00"),
            ("2027-01-01T00:30:00+01:00", "2026-12-31T23:30:00"), ("2026-12-31T23:30:00-01:00", "2027-01-01T00:30:00"),
            ("2024-03-01T00:00:00+00:01", "2024-02-29T23:59:00"), ("2023-02-28T23:59:59-00:01", "2023-03-01T00:00:59"),
            ("2100-02-28T23:59:00-00:01", "2100-03-01T00:00:00"), ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00"),
            ("2000-01-01T00:00:00.999Z", "2000-01-01T00:00:00"), ("9999-12-31T23:59:00Z", "9999-12-31T23:59:00"),
        ])
    func instants(text: String, local: String) throws {
        #expect(try PublishTiming(parsing: text, zone: "Europe/London") == .at(WallTime(local: local, zone: "UTC")))
    }

    @Test("the calendar agrees with Foundation on every tenth day of five centuries")
    func calendar() throws {
        let start = try Date("1800-01-01T00:00:00Z", strategy: .iso8601)
        for day in stride(from: 0, to: 182_000, by: 10) {
            let date = start.addingTimeInterval(Double(day) * 86_400 + 3_600 * 12)
            let text = date.formatted(.iso8601).replacing("T12:", with: "T22:").replacing("Z", with: "+15:00")
            let expected = date.addingTimeInterval(-3_600 * 5).formatted(.iso8601).dropLast()
            #expect(try PublishTiming(parsing: text) == .at(WallTime(local: String(expected), zone: "UTC")))
        }
    }

    @Test(
        "zones have the syntax of IANA names",
        arguments: [
            ("Europe/London", true), ("America/Argentina/Buenos_Aires", true), ("Etc/GMT+12", true), ("UTC", true),
            ("America/Port-au-Prince", true), ("", false), ("/", false), ("Europe/", false), ("../etc", false),
            ("Europe//London", false), ("Europe London", false), ("+01:00", false), ("Zürich", false), ("a'b", false),
            (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
        ])
    func zones(zone: String, isName: Bool) {
        let found = problems { _ = try WallTime(local: "2026-11-20T18:00", zone: zone) }
        #expect(found == (isName ? [] : ["format /zone"]))
    }

    @Test("names of zones that browsers keep are replaced by the current ones")
    func currentZones() {
        for (old, new) in [
            ("Asia/Calcutta", "Asia/Kolkata"), ("Europe/Kiev", "Europe/Kyiv"), ("Etc/UTC", "UTC"),
            ("Europe/Berlin", "Europe/Berlin"), ("Mars/Base", "Mars/Base"),
        ] {
            #expect(ZoneName.current(old) == new)
            #expect(ZoneName.hasForm(old) && ZoneName.hasForm(new))
        }
    }

    @Test("a wall time is an object in JSON, validated when decoded")
    func json() throws {
        let time = try WallTime(local: "2026-11-20T18:00", zone: "UTC")
        let data = try JSONEncoder().encode(time)
        #expect(try JSONDecoder().decode(WallTime.self, from: data) == time)
        #expect(throws: Failure.self) {
            try JSONDecoder().decode(WallTime.self, from: Data(#"{"local":"x","zone":"UTC"}"#.utf8))
        }
        #expect(
            problems { _ = try WallTime(local: "x", zone: "", pointer: "/at") } == [
                "format /at/local", "format /at/zone",
            ])
    }

    @Test("releases have the five states of the database")
    func releaseStates() {
        #expect(ReleaseState.allCases.map(\.rawValue) == ["open", "scheduled", "published", "failed", "canceled"])
    }
}
