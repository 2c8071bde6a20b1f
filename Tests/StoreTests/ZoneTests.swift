// Tests the rule for wall times that a clock change skips or repeats, in every time zone that PostgreSQL knows.
import Domain
import FoundationEssentials
import Postgres
import Store
import TestSupport
import Testing

@Suite("Wall times at clock changes", .databases)
struct ZoneTests {
    /// Every clock change in two years with the wall times around it and their expected instants: a skipped time is
    /// read by the clock before the change, a repeated one by the clock after it.
    private static let expected: SQL = """
        with zone as (select name from pg_timezone_names where name !~ '^(posix|right)/'),
        day as (
            select name, u from zone, generate_series(timestamptz '2026-01-01Z', '2027-12-31Z', '1 day') u
            where (u at time zone name) + interval '1 day' <> ((u + interval '1 day') at time zone name)),
        step as (
            select name, v + interval '15 minutes' as instant, (v at time zone name) - (v at time zone 'UTC') as before,
                ((v + interval '15 minutes') at time zone name) - ((v + interval '15 minutes') at time zone 'UTC') as after
            from day, generate_series(u, u + interval '1 day' - interval '15 minutes', '15 minutes') v),
        change as (
            select name, instant at time zone 'UTC' as x, before, after from step where before <> after),
        wall as (
            select name, w.wall, w.wall - w.shift as instant, after > before as skips
            from change cross join lateral (values
                -- the last second that is beyond doubt, the first and last in doubt, the first beyond doubt again
                (x + least(before, after) - interval '1 second', before),
                (x + least(before, after), case when after > before then before else after end),
                (x + greatest(before, after) - interval '1 second', case when after > before then before else after end),
                (x + greatest(before, after), after)) w (wall, shift))
        select name, wall::text as wall, instant at time zone 'UTC' as instant, skips from wall
        """

    @Test(
        "R12: a skipped time is read by the clock before the change, a repeated one by the clock after it, in every zone"
    )
    func everyZone() async throws {
        let test = try await TestDatabase.make()
        // Queries every zone for every day of two years.
        let counted = try await test.client.runLong(
            """
            select count(*) as walls, count(distinct name) as zones, count(*) filter (where skips) as skipped,
                count(*) filter (where wall::timestamp at time zone name <> instant) as wrong,
                min(name || ' ' || wall) filter (where wall::timestamp at time zone name <> instant) as first_wrong
            from (\(Self.expected)) x
            """
        ).rows
        guard let row = counted.first else {
            Issue.record("nothing was counted")
            return
        }
        let (walls, zones, skipped): (Int, Int, Int) = (try row("walls"), try row("zones"), try row("skipped"))
        // About two hundred zones change their clocks twice a year.
        #expect(zones > 100 && walls >= zones * 16 && skipped > 0 && skipped < walls)
        let (wrong, first): (Int, String?) = (try row("wrong"), try row("first_wrong"))
        #expect(wrong == 0, "\(first ?? "")")
    }

    @Test(
        "R12: scheduled times follow that rule",
        arguments: [
            // London skips 01:00 to 02:00 on 29 March 2026, and repeats it on 25 October.
            ("2026-03-29T00:59:59", "Europe/London", "2026-03-29T00:59:59Z"),
            ("2026-03-29T01:00:00", "Europe/London", "2026-03-29T01:00:00Z"),
            ("2026-03-29T01:59:59", "Europe/London", "2026-03-29T01:59:59Z"),
            ("2026-03-29T02:00:00", "Europe/London", "2026-03-29T01:00:00Z"),
            ("2026-10-25T00:59:59", "Europe/London", "2026-10-24T23:59:59Z"),
            ("2026-10-25T01:00:00", "Europe/London", "2026-10-25T01:00:00Z"),
            ("2026-10-25T01:59:59", "Europe/London", "2026-10-25T01:59:59Z"),
            // Lord Howe Island moves its clocks by half an hour.
            ("2026-10-04T02:15:00", "Australia/Lord_Howe", "2026-10-03T15:45:00Z"),
            ("2026-04-05T01:45:00", "Australia/Lord_Howe", "2026-04-04T15:15:00Z"),
        ])
    func scheduled(local: String, zone: String, instant: String) async throws {
        let test = try await TestDatabase.make()
        let found = try await test.database.releases.instant(of: WallTime(local: local, zone: zone))
        let wanted: Date = try await test.client.one("select \(instant)::timestamptz as at")("at")
        #expect(found.dueAt == wanted)
    }

    @Test("Zones are known by their exact names; each time has the offset of its zone by the same rule")
    func offsets() async throws {
        let test = try await TestDatabase.make()
        let zones = test.database.zones
        for (name, isKnown) in [
            ("Europe/London", true), ("UTC", true), ("Etc/GMT+5", true), ("europe/london", false), ("Mars/Base", false),
            ("CEST", false), ("XYZ5", false), ("", false),
        ] {
            // Twice: it is read from the database and remembered.
            for _ in 1...2 { #expect(try await zones.contains(name) == isKnown, "\(name)") }
        }
        let times = try [
            ("2026-03-29T00:59:59", "Europe/London"), ("2026-03-29T01:30:00", "Europe/London"),
            ("2026-03-29T02:00:00", "Europe/London"), ("2026-10-25T00:59:59", "Europe/London"),
            ("2026-10-25T01:30:00", "Europe/London"), ("2026-07-01T12:00:00", "America/St_Johns"),
            ("2026-07-01T12:00:00", "Mars/Base"), ("2026-04-05T01:45:00", "Australia/Lord_Howe"),
        ].map { try WallTime(local: $0.0, zone: $0.1) }
        #expect(try await zones.offsets(of: times) == [0, 0, 60, 60, 0, -150, nil, 630])
        #expect(try await zones.offsets(of: []) == [])
    }
}
