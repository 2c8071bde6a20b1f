// Tests that newer observations replace older ones of their source, their history, deletions, and files as downloaded.
import Domain
import FoundationEssentials
import Operations
import Postgres
import Routes
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Observations", .databases, .packs(.routes))
struct ObservationTests {
    private static let header = "place,latitude,longitude,from,to,index"

    private func row(_ site: String, _ latitude: Double, _ from: String, _ to: String, _ value: Int) -> String {
        "\(site),\(latitude),10,2093-03-01T\(from):00Z,2093-03-01T\(to):00Z,\(value)"
    }

    /// Current observations or those of the history, oldest first: `10:00-11:00 a 3 test`.
    private func lines(_ world: RouteWorld, history: Bool = false) async throws -> [String] {
        func clock(_ date: Date) -> String {
            let minutes = Int(date.timeIntervalSince1970) / 60 % 1440
            return [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        }
        return try await world.test.database.observations.list(ObservationFilter(), ofHistory: history, limit: 1000)
            .map {
                "\(clock($0.from))-\(clock($0.until)) \($0.site) \(Int($0.value)) \($0.source)"
                    + ($0.reason.map { " " + $0 } ?? "")
            }.sorted()
    }

    @Test("C20: rolling polls of one source are accepted; each replaces what it overlaps, and the history has the rest")
    func rolling() async throws {
        let world = try await RouteWorld.make()
        let route = try await world.route("Short", [(50, 10, nil), (50.001, 10, nil)])
        func poll(_ from: String, _ to: String, _ value: Int, far: Int) async throws {
            let outcome = try await world.record(
                .air,
                [Self.header, row("a", 50, from, to, value), row("b", 51, from, to, far)].joined(separator: "\n"))
            #expect(outcome.recorded == 2 && outcome.refused.isEmpty && outcome.publication != nil)
        }
        try await poll("10:00", "11:00", 1, far: 5)
        try await poll("10:30", "11:30", 5, far: 1)
        #expect(
            try await lines(world) == [
                "10:00-10:30 a 1 test", "10:00-10:30 b 5 test", "10:30-11:00 a 5 test", "10:30-11:00 b 1 test",
                "11:00-11:30 a 5 test", "11:00-11:30 b 1 test",
            ])
        #expect(
            try await lines(world, history: true) == [
                "10:30-11:00 a 1 test replaced", "10:30-11:00 b 5 test replaced",
            ])
        #expect(try await world.results(route) == ["10 heart given", "10 heart not_given", "11 heart not_given"])
        // A poll whose end and start touch others replaces nothing.
        try await poll("11:30", "12:00", 1, far: 5)
        #expect(try await lines(world, history: true).count == 2)
        #expect(try await world.isVerified())
    }

    @Test("C20: a mistaken time is corrected by deleting that part of it; a dry run shows the rows and changes nothing")
    func deletion() async throws {
        let world = try await RouteWorld.make()
        let route = try await world.route()
        // The report was for 10 to 11, not for the day.
        try await world.record(
            .obstruction, "place,latitude,longitude,from,to,count\nx,50,10,2093-03-01T00:00:00Z,2093-03-02T00:00:00Z,3",
            source: "morning.csv")
        let delete = world.test.services.deleteObservations
        var filter = ObservationFilter()
        await #expect(throws: Failure.self) {
            try await delete(.obstruction, city: "London", filter, by: TestDatabase.administrator)
        }
        filter.source = "morning.csv"
        filter.from = Timestamp("2093-03-01T11:00:00Z")
        let (count, plan) = try await delete.plan(
            .obstruction, city: "LONDON", filter, limit: nil, by: TestDatabase.administrator)
        #expect(count == 1 && plan.rows.map { "\($0.table) \($0.operation)" } == ["route_badge update"])
        #expect(try await lines(world) == ["00:00-00:00 x 3 morning.csv"])
        let first = try await delete(.obstruction, city: "LONDON", filter, by: TestDatabase.administrator)
        #expect(first.count == 1 && first.publication != nil)
        #expect(try await lines(world) == ["00:00-11:00 x 3 morning.csv"])
        filter.until = Timestamp("2093-03-01T10:00:00Z")
        filter.from = nil
        _ = try await delete(.obstruction, city: "London", filter, by: TestDatabase.administrator)
        #expect(try await lines(world) == ["10:00-11:00 x 3 morning.csv"])
        #expect(
            try await lines(world, history: true) == [
                "00:00-10:00 x 3 morning.csv deleted", "11:00-00:00 x 3 morning.csv deleted",
            ])
        #expect(try await world.results(route) == ["10 zoom unknown"])
        // Nothing matches: no publication.
        let none = try await delete(.obstruction, city: "London", filter, by: TestDatabase.administrator)
        #expect(none.count == 0 && none.publication == nil)
        filter = ObservationFilter()
        filter.site = "x"
        _ = try await delete(.obstruction, city: "London", filter, by: TestDatabase.administrator)
        #expect(try await lines(world).isEmpty)
        #expect(try await world.results(route).isEmpty)
        let periods: Int = try await world.test.client.one("select count(*) as n from curation.validity_period")("n")
        #expect(periods == 0)
        let actions: [String] = try await world.test.client.query(
            "select distinct action from ops.audit_event where action like 'observation.%' order by 1"
        ).map { try $0("action") }
        #expect(actions == ["observation.delete", "observation.import", "observation.publish"])
        filter.from = Timestamp("2093-03-01T11:00:00Z")
        filter.until = Timestamp("2093-03-01T11:00:00Z")
        await #expect(throws: Failure.self) {
            try await delete(.obstruction, city: "London", filter, by: TestDatabase.administrator)
        }
        #expect(try await world.isVerified())
    }

    @Test("A row whose times are no period of at most 31 days is refused, and the others are recorded")
    func periods() async throws {
        let world = try await RouteWorld.make()
        func line(_ from: String, _ to: String) -> String { "a,50,10,\(from)T00:00:00Z,\(to)T00:00:00Z,3" }
        let rows = [
            Self.header, line("2093-03-02", "2093-03-01"), line("2093-03-01", "2093-03-01"),
            line("2093-03-01", "2093-04-02"), line("2093-03-01", "2093-04-01"),
        ]
        let outcome = try await world.record(.air, rows.joined(separator: "\n"))
        #expect(outcome.recorded == 1 && outcome.refused.map(\.line) == [2, 3, 4])
        #expect(outcome.refused.allSatisfy { $0.reason == "to must be after from, and at most 31 days later." })
    }

    @Test("C20: another source replaces nothing; both count, and the import says so")
    func sources() async throws {
        let world = try await RouteWorld.make()
        let route = try await world.route("Short", [(50, 10, nil), (50.001, 10, nil)])
        let first = [Self.header, row("a", 50, "10:00", "11:00", 2), row("b", 51, "10:00", "11:00", 3)]
        let alone = try await world.record(.air, first.joined(separator: "\n"), source: "north")
        #expect(alone.otherSources.isEmpty)
        #expect(try await world.results(route) == ["10 heart given"])
        let second = try await world.record(
            .air, [Self.header, row("a", 50, "10:30", "12:00", 9)].joined(separator: "\n"), source: "south")
        #expect(second.recorded == 1 && second.otherSources == ["north"])
        #expect(
            try await lines(world) == [
                "10:00-10:30 a 2 north", "10:00-10:30 b 3 north", "10:30-11:00 a 2 north", "10:30-11:00 a 9 south",
                "10:30-11:00 b 3 north", "11:00-12:00 a 9 south",
            ])
        #expect(try await lines(world, history: true).isEmpty)
        // At one site the highest value counts.
        #expect(try await world.results(route) == ["10 heart given", "10 heart not_given", "11 heart not_given"])
        #expect(try await world.isVerified())
    }

    @Test(
        "C20: after random imports and deletions every half hour has the newest value of each source and site",
        arguments: TestScale.seeds(1, 2, 3))
    func model(seed: Int) async throws {
        let world = try await RouteWorld.make()
        _ = try await world.route()
        var generator = SeededGenerator(seed: UInt64(seed))
        struct Slot: Hashable {
            let slot: Int
            let site: Int
            let source: Int
        }
        func time(_ slot: Int) -> String { "2093-03-01T\(slot / 2 < 10 ? "0" : "")\(slot / 2):\(slot % 2 * 3)0:00Z" }
        var expected: [Slot: Int] = [:]
        for round in 1...40 {
            let start = Int.random(in: 0..<20, using: &generator)
            let slots = start..<(start + Int.random(in: 1...8, using: &generator))
            let source = Int.random(in: 1...2, using: &generator)
            if round % 5 == 0 {
                var filter = ObservationFilter()
                filter.source = "s\(source)"
                filter.from = Timestamp(time(slots.lowerBound))
                filter.until = Timestamp(time(slots.upperBound))
                _ = try await world.test.services.deleteObservations(
                    .air, city: "London", filter, by: TestDatabase.administrator)
                for slot in slots { for site in 1...3 { expected[Slot(slot: slot, site: site, source: source)] = nil } }
                continue
            }
            var rows = [Self.header]
            for site in 1...3 where Int.random(in: 0...2, using: &generator) > 0 {
                let value = Int.random(in: 1...9, using: &generator)
                rows.append(
                    "p\(site),50.00\(site),10,\(time(slots.lowerBound)),\(time(slots.upperBound)),\(value)")
                for slot in slots { expected[Slot(slot: slot, site: site, source: source)] = value }
            }
            if rows.count > 1 { try await world.record(.air, rows.joined(separator: "\n"), source: "s\(source)") }
            if round % 10 == 0 { #expect(try await world.isVerified(), "after action \(round)") }
        }
        let found: [String] = try await world.test.client.query(
            """
            select to_char(t at time zone 'UTC', 'HH24:MI') || ' ' || f.site || ' ' || f.source || ' ' || f.value as line
            from generate_series('2093-03-01 00:00Z'::timestamptz, '2093-03-01 23:30Z', '30 minutes') t
            join curation.validity_period s on s.valid_from <= t and t < s.valid_to
            join curation.observation f on f.period_id = s.id
            """
        ).map { try $0("line") }
        let wanted = expected.map { key, value in
            "\(time(key.slot).dropFirst(11).prefix(5)) p\(key.site) s\(key.source) \(value)"
        }
        #expect(found.sorted() == wanted.sorted())
        let empty: Int = try await world.test.client.one(
            """
            select count(*) as n from curation.validity_period s
            where not exists (select from curation.observation f where f.period_id = s.id)
            """)("n")
        #expect(empty == 0)
    }

    @Test("C20: site files of the London network with or without coordinates, and sites known from earlier imports")
    func sites() async throws {
        let world = try await RouteWorld.make()
        let daily = "date,NO2,site_code\n2093-03-29,68,A\n2093-03-29,10,B"
        // As downloaded: codes and names, no coordinates.
        let names = "site_code,site_name,authority_id\nA,Camden - High Road,1\nB,Brent - Ikea,2\n"
        let first = try await world.record(.air, daily, sites: [names])
        #expect(first.recorded == 2 && first.refusedRows == 0 && first.unlocatedSites == ["A", "B"])
        let means = ",Ward,Monitor,Longitude,Latitude,NO2\nX,X,A,10,50,24\n"
        let second = try await world.record(.air, daily, sites: [names, means])
        #expect(second.recorded == 1 && second.unlocatedSites == ["B"])
        let document = #"{"Sites":{"Site":[{"@SiteCode":"B","@Latitude":"50.01","@Longitude":"10"}]}}"#
        let third = try await world.record(.air, daily, sites: [document])
        #expect(third.recorded == 1 && third.unlocatedSites.isEmpty)
        // Known by now, by code and, with a file of names, by name.
        let later = try await world.record(.air, "date,NO2,site_code\n2093-03-30,68,A\n2093-03-30,10,B")
        #expect(later.recorded == 2 && later.unlocatedSites.isEmpty)
        let named = try await world.record(
            .air,
            "location,utc,parameter,value,unit\nBrent - Ikea,2093-03-30T10:00:00.000Z,no2,70,µg/m³", sites: [names])
        #expect(named.recorded == 1 && named.unlocatedSites.isEmpty)
        // Only sites with coordinates are near a sample; all count for the city.
        let total: Int = try await world.test.client.one(
            "select count(*) as n from curation.observation where latitude is null")("n")
        #expect(total == 0)
        await #expect(throws: Failure.self) { try await world.record(.air, daily, sites: ["a,b\n1,2"]) }
        #expect(try await world.isVerified())
    }

    @Test("C20: exports of OpenAQ and London Air as downloaded: columns of every version, cities, units and gaps")
    func exports() async throws {
        let world = try await RouteWorld.make()
        let old = """
            city,country,date.utc,location,parameter,value,unit
            London,GB,2019-06-21 00:00:00+00:00,London Westminster,pm25,7.0,µg/m³
            Paris,FR,2019-06-21 00:00:00+00:00,FR04014,no2,70.0,µg/m³
            London,GB,2019-06-21 00:00:00+00:00,London Westminster,co,1.0,mg/m³
            London,GB,2019-06-21 00:00:00+00:00,London Westminster,no2,-999.0,µg/m³
            """
        let first = try await world.record(.air, old, city: nil)
        #expect(first.recorded == 2 && first.refusedRows == 0)
        #expect(first.unlocatedSites == ["FR04014", "London Westminster"])
        let archive = """
            location_id,sensors_id,location,datetime,lat,lon,parameter,units,value
            7727,22558,Tung Chung-7727,2022-11-01T01:00:00+08:00,22.2889,113.9436,pm10,µg/m³,100.3
            """
        let explorer = """
            location_id,location_name,parameter,value,unit,datetimeUtc,datetimeLocal,latitude,longitude
            55,"Medan Bung",pm25,45.2,"ug/m3","2025-11-10T09:00:00Z","2025-11-10T16:00:00+07:00",3.539102,98.615361
            """
        let tool = """
            location,city,country,utc,local,parameter,value,unit,latitude,longitude,attribution
            "Rama IV Rd.",Bangkok,TH,2018-07-18T14:00:00.000Z,2018-07-18T21:00:00+07:00,pm10,47,µg/m³,13.72,100.53,"[{""name"":""x""}]"
            """
        let londonAir = """
            Site,Species,ReadingDateTime,Value,Units,Provisional or Ratified
            MY1,NO2,31/01/2019 00:00,97.3,ug m-3,R
            MY1,NO2,31/01/2019 01:00,,ug m-3,R
            """
        for (text, city) in [(archive, "Hong Kong"), (explorer, "Medan"), (tool, nil), (londonAir, "London")] {
            let outcome = try await world.record(.air, text, city: city, source: "export")
            #expect(outcome.recorded == 1 && outcome.refusedRows == 0, "\(text)")
        }
        let recorded: [String] = try await world.test.client.query(
            """
            select s.city || ' ' || to_char(s.valid_from at time zone 'UTC', 'YYYY-MM-DD HH24') || ' ' || f.measure || ' ' || f.value
                || ' ' || coalesce(f.latitude::text, '-') as line
            from curation.observation f join curation.validity_period s on s.id = f.period_id order by 1
            """
        ).map { try $0("line") }
        #expect(
            recorded == [
                "bangkok 2018-07-18 14 PM10 3 13.72", "hong kong 2022-10-31 17 PM10 9 22.2889",
                "london 2019-01-31 00 NO2 2 -", "london 2019-06-21 00 PM25 1 -", "medan 2025-11-10 09 PM25 5 3.5391",
                "paris 2019-06-21 00 NO2 2 -",
            ])
        let wrong = try await world.record(
            .air, "location,utc,parameter,value,unit\nA,2018-07-18T14:00:00Z,o3,0.006,ppm", city: "Bangkok")
        #expect(wrong.recorded == 0 && wrong.refusedRows == 1)
        let noise = try await world.record(
            .air, "date,O3,site_code\n2020-03-01,-0.54,A\n2020-03-02,-10,A\n2020-03-03,-10.1,A", city: "Noise")
        #expect(noise.recorded == 2 && noise.refused.map(\.line) == [4])
    }
}
