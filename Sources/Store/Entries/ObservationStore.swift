// Observations of cities with source and time (air quality and obstructions), and postcodes.
import Domain
import FoundationEssentials
import Postgres

package enum ObservationKind: String, Sendable, PostgresEncodable { case air, obstruction }

/// The validity period of an observation: half-open, the end excluded.
package enum ObservationPeriod: Sendable, Hashable {
    /// From one time to another, both with offsets.
    case between(String, String)
    /// The hour from a time with an offset.
    case hour(String)
    /// The hour from a wall time in the zone of the file.
    case localHour(String)
    /// A day in the zone of the file.
    case day(String)
}

package struct NewObservation: Sendable {
    let site: String
    let measure: String
    let latitude: Double
    let longitude: Double
    let period: ObservationPeriod
    let value: Double

    package init(
        site: String, measure: String, latitude: Double, longitude: Double, period: ObservationPeriod, value: Double
    ) {
        self.site = site
        self.measure = measure
        self.latitude = latitude
        self.longitude = longitude
        self.period = period
        self.value = value
    }
}

/// The coordinates of a postcode.
package struct PostcodeRow: Sendable {
    package let code: String
    package let latitude: Double
    package let longitude: Double

    package init(code: String, latitude: Double, longitude: Double) {
        self.code = code
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// The kind, city, time zone and source of a set of observations.
package struct ObservationOrigin: Sendable {
    package let kind: ObservationKind
    package let city: String
    package let zone: String
    package let source: String

    package init(kind: ObservationKind, city: String, zone: String, source: String) {
        self.kind = kind
        self.city = city
        self.zone = zone
        self.source = source
    }
}

package struct ObservationStore: Sendable {
    let connection: StoreConnection

    /// Records observations. Returns how many are new or different; unchanged ones keep their first source and time.
    /// The changed periods are pending until the next publication. `validity_period_overlap` rejects periods that
    /// overlap others.
    package func record(_ observations: [NewObservation], from origin: ObservationOrigin) async throws -> Int {
        guard !observations.isEmpty else { return 0 }
        let input = Self.input(observations, origin)
        try await connection.run(
            """
            insert into curation.validity_period (kind, city, valid_from, valid_to)
            select distinct \(origin.kind), \(CityKey.sql(origin.city)), g.valid_from, g.valid_to from \(input) g
            on conflict (city, kind, valid_from, valid_to) do nothing
            """)
        return try await connection.first(
            """
            with written as (
                insert into curation.observation (period_id, site, measure, latitude, longitude, value, source, fetched_at)
                select distinct on (s.id, g.site, g.measure)
                    s.id, g.site, g.measure, g.latitude, g.longitude, trim_scale(g.value), \(origin.source), now()
                from \(input) g
                join curation.validity_period s on s.kind = \(origin.kind) and s.city = \(CityKey.sql(origin.city))
                    and s.valid_from = g.valid_from and s.valid_to = g.valid_to
                order by s.id, g.site, g.measure, g.number desc
                on conflict (period_id, site, measure) do update
                set latitude = excluded.latitude, longitude = excluded.longitude, value = excluded.value,
                    source = excluded.source, fetched_at = excluded.fetched_at, recorded_at = clock_timestamp()
                where (observation.latitude, observation.longitude, observation.value)
                    is distinct from (excluded.latitude, excluded.longitude, excluded.value)
                returning period_id),
            marked as (
                insert into curation.observation_pending (kind, key) select distinct 'period', period_id::text from written
                on conflict do nothing)
            select count(*) as n from written
            """
        ) { try $0("n") } ?? 0
    }

    /// The observations as rows, with their periods computed by the database.
    private static func input(_ observations: [NewObservation], _ origin: ObservationOrigin) -> SQL {
        let times = observations.map { observation -> (unit: String, from: String, to: String?) in
            switch observation.period {
            case .between(let from, let to): ("between", from, to)
            case .hour(let from): ("hour", from, nil)
            case .localHour(let from): ("local_hour", from, nil)
            case .day(let day): ("day", day, nil)
            }
        }
        return """
            (select u.site, u.measure, u.latitude, u.longitude, u.value, u.number,
                case when u.unit in ('between', 'hour') then u.starts::timestamptz
                    else u.starts::timestamp at time zone \(origin.zone) end as valid_from,
                case u.unit when 'between' then u.ends::timestamptz
                    when 'hour' then u.starts::timestamptz + interval '1 hour'
                    when 'local_hour' then (u.starts::timestamp at time zone \(origin.zone)) + interval '1 hour'
                    else (u.starts::timestamp + interval '1 day') at time zone \(origin.zone) end as valid_to
             from unnest(\(observations.map(\.site))::text[], \(observations.map(\.measure))::text[],
                 \(observations.map(\.latitude))::double precision[], \(observations.map(\.longitude))::double precision[],
                 \(observations.map(\.value))::numeric[], \(times.map(\.unit))::text[], \(times.map(\.from))::text[],
                 \(times.map(\.to))::text[])
                 with ordinality u (site, measure, latitude, longitude, value, unit, starts, ends, number))
            """
    }

    /// Whether this is the name of a time zone.
    package func isZone(_ name: String) async throws -> Bool {
        try await connection.first("select name from pg_timezone_names where name = \(name)") { _ in true } ?? false
    }

    /// Whether there are observations older than the setting observations.keep_days allows.
    package func hasOld() async throws -> Bool {
        try await connection.first("select curation.has_expired_observations() as has_old") { try $0("has_old") }
            ?? false
    }

    /// Deletes them, at most `limit` periods, with the badges they gave routes. Returns the publication.
    package func prune(limit: Int, by actor: Actor) async throws -> Int64? {
        try await connection.longFirst(
            "select curation.prune_observations(\(actor.rowID), \(limit)::integer) as number"
        ) {
            try $0("number") as Int64?
        } ?? nil
    }

    // MARK: Postcodes

    package func postcodes(of codes: [String]) async throws -> [String: PostcodeRow] {
        let rows = try await connection.rows(
            "select code, latitude, longitude from curation.postcode where code = any(\(codes)::text[])"
        ) { PostcodeRow(code: try $0("code"), latitude: try $0("latitude"), longitude: try $0("longitude")) }
        return Dictionary(rows.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Records postcodes. Returns how many are new or have moved.
    package func record(_ postcodes: [PostcodeRow], source: String) async throws -> Int {
        try await connection.first(
            """
            with written as (
                insert into curation.postcode (code, latitude, longitude, source, fetched_at)
                select distinct on (u.code) u.code, u.latitude, u.longitude, \(source), now()
                from unnest(\(postcodes.map(\.code))::text[], \(postcodes.map(\.latitude))::double precision[],
                    \(postcodes.map(\.longitude))::double precision[])
                    with ordinality u (code, latitude, longitude, number)
                order by u.code, u.number desc
                on conflict (code) do update
                set latitude = excluded.latitude, longitude = excluded.longitude, source = excluded.source,
                    fetched_at = excluded.fetched_at
                where (postcode.latitude, postcode.longitude) is distinct from (excluded.latitude, excluded.longitude)
                returning code),
            marked as (
                insert into curation.observation_pending (kind, key) select distinct 'postcode', '' from written
                on conflict do nothing)
            select count(*) as n from written
            """
        ) { try $0("n") } ?? 0
    }
}
