// Observations of cities with source and time (air quality and obstructions), and postcodes.
import Domain
import FoundationEssentials
import Postgres
import Store

package enum ObservationKind: String, Sendable, CaseIterable, PostgresEncodable, PostgresDecodable {
    case air, obstruction
}

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
    /// Both nil if unknown: the value counts for the mean of the city only.
    let latitude: Double?
    let longitude: Double?
    let period: ObservationPeriod
    let value: Double

    package init(
        site: String, measure: String, latitude: Double?, longitude: Double?, period: ObservationPeriod, value: Double
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

    /// Records observations (C20). A newer observation of one source, site and measure replaces the older one for the
    /// time they overlap; the older one stays in the history, and valid for the rest of its time. Other sources stay as
    /// they are. Unchanged observations keep their first source and time. Changed periods that are not over are pending until
    /// `publish` has published them. `validity_period_times` rejects an end that is not after the start, or more than 31 days later.
    package func record(
        _ observations: [NewObservation], from origin: ObservationOrigin
    ) async throws -> RecordedObservations {
        guard !observations.isEmpty else { return RecordedObservations(count: 0, otherSources: []) }
        let input = Self.input(observations, origin)
        try await connection.run(
            """
            select curation.cover_periods(\(origin.kind), \(CityKey.sql(origin.city)), array_agg(g.valid_from), array_agg(g.valid_to))
            from (select distinct i.valid_from, i.valid_to from \(input) i) g
            """)
        let recorded = try await connection.first(
            """
            with target as materialized (
                select distinct on (s.id, g.site, g.measure)
                    s.id as period_id, s.valid_from, s.valid_to, s.kind, s.city, g.site, g.measure, g.latitude, g.longitude,
                    trim_scale(g.value) as value, g.number, not s.is_expired as has_readers
                from \(input) g
                join curation.validity_period s on s.kind = \(origin.kind) and s.city = \(CityKey.sql(origin.city))
                    and s.valid_from >= g.valid_from and s.valid_from < g.valid_to
                order by s.id, g.site, g.measure, g.number desc),
            replaced as (
                insert into curation.observation_history (kind, city, valid_from, valid_to, site, measure, latitude, longitude,
                    value, source, fetched_at, recorded_at, reason)
                select t.kind, t.city, t.valid_from, t.valid_to, f.site, f.measure, f.latitude, f.longitude,
                    f.value, f.source, f.fetched_at, f.recorded_at, 'replaced'
                from target t
                join curation.observation f using (period_id, site, measure)
                where f.source = \(origin.source)
                  and (f.latitude, f.longitude, f.value) is distinct from (t.latitude, t.longitude, t.value)),
            written as (
                insert into curation.observation (period_id, site, measure, latitude, longitude, value, source, fetched_at)
                select period_id, site, measure, latitude, longitude, value, \(origin.source), now() from target
                on conflict (period_id, site, measure, source) do update
                set latitude = excluded.latitude, longitude = excluded.longitude, value = excluded.value,
                    fetched_at = excluded.fetched_at, recorded_at = clock_timestamp()
                where (observation.latitude, observation.longitude, observation.value)
                    is distinct from (excluded.latitude, excluded.longitude, excluded.value)
                returning period_id, site, measure),
            marked as (
                insert into curation.observation_pending (kind, key)
                select distinct 'period', t.period_id::text from written join target t using (period_id) where t.has_readers
                on conflict (kind, key) do update set after_route = null)
            select (select count(distinct t.number) from target t join written using (period_id, site, measure)) as n,
                array(
                    select distinct f.source from target t join curation.observation f using (period_id, site, measure)
                    where f.source <> \(origin.source) order by f.source limit 3) as other_sources
            """
        ) { RecordedObservations(count: try $0("n"), otherSources: try $0("other_sources")) }
        return recorded ?? RecordedObservations(count: 0, otherSources: [])
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

    /// Whether there are observations older than the setting observations.keep_days allows.
    package func hasOld() async throws -> Bool {
        try await connection.first("select curation.has_expired_observations() as has_old") { try $0("has_old") }
            ?? false
    }

    /// Deletes them, at most `limit` periods.
    package func prune(limit: Int) async throws {
        try await connection.run("select curation.prune_observations(\(limit)::integer)")
    }

    // MARK: Publish

    /// Whether there is anything to publish: observations, or the end of periods.
    package func isPending() async throws -> Bool {
        try await connection.first("select curation.has_pending_observations() as is_pending") {
            try $0("is_pending")
        } ?? false
    }

    /// Publishes that, with the results of at most `limit` routes. Returns the publication, nil if readers see
    /// no difference, and how many periods are still pending.
    package func publish(
        limit: Int, note: String, by actor: Actor
    ) async throws -> (publication: Int64?, remaining: Int) {
        try await connection.longFirst(
            """
            select publication, remaining from curation.publish_observations(\(actor.rowID), \(limit)::integer, \(note))
            """
        ) { (try $0("publication"), try $0("remaining")) } ?? (nil, 0)
    }

    // MARK: List and delete

    /// The observations that match, newest period first; with `ofHistory` the replaced and deleted ones.
    package func list(_ filter: ObservationFilter, ofHistory: Bool, limit: Int) async throws -> [ObservationRow] {
        var condition: SQL = "true"
        if let kind = filter.kind { condition += " and o.kind = \(kind)" }
        if let city = filter.city { condition += " and o.city = \(CityKey.sql(city))" }
        if let source = filter.source { condition += " and o.source = \(source)" }
        if let site = filter.site { condition += " and o.site = \(site)" }
        if let from = filter.from { condition += " and o.valid_to > \(from.text)::timestamptz" }
        if let until = filter.until { condition += " and o.valid_from < \(until.text)::timestamptz" }
        let rows: SQL =
            ofHistory
            ? "curation.observation_history o"
            : """
            (select s.kind, s.city, s.valid_from, s.valid_to, f.*, null as reason, null::timestamptz as ended_at
             from curation.validity_period s join curation.observation f on f.period_id = s.id) o
            """
        return try await connection.rows(
            """
            select o.kind, o.city, o.valid_from, o.valid_to, o.site, o.measure, o.latitude, o.longitude,
                o.value::double precision as value, o.source, o.recorded_at, o.ended_at, o.reason
            from \(rows) where \(condition)
            order by o.valid_from desc, o.kind, o.city, o.site, o.measure, o.source, o.ended_at desc limit \(limit)
            """, ObservationRow.init)
    }

    /// Deletes the observations of a kind and city that match, in the part of their time between `from` and `until`.
    /// They stay in the history. The badges change when `publish` has published that. Returns their number.
    package func delete(_ kind: ObservationKind, city: String, _ filter: ObservationFilter) async throws -> Int {
        try await connection.longFirst(
            """
            select curation.remove_observations(\(kind), \(CityKey.sql(city)), \(filter.source), \(filter.site),
                \(filter.from?.text)::timestamptz, \(filter.until?.text)::timestamptz) as removed
            """
        ) { try $0("removed") } ?? 0
    }

    /// The plan of publishing `delete`: how many observations, and which rows readers would see differently. Changes nothing.
    package func planDeletion(
        _ kind: ObservationKind, city: String, _ filter: ObservationFilter, limit: Int?
    ) async throws -> (count: Int, plan: PublicationPlan) {
        try await connection.longFirst(
            """
            select removed, plan
            from curation.plan_deletion(\(kind), \(CityKey.sql(city)), \(filter.source), \(filter.site),
                \(filter.from?.text)::timestamptz, \(filter.until?.text)::timestamptz, \(limit)::integer)
            """
        ) { (count: try $0("removed") as Int, plan: try PublicationPlan(reading: try $0("plan"))) }.orMissing("plan")
    }

    /// The coordinates that earlier observations of this kind and city have for these sites.
    package func coordinates(
        of sites: [String], _ kind: ObservationKind, city: String
    ) async throws -> [String: RoutePoint] {
        let rows = try await connection.rows(
            """
            select u.site, f.latitude, f.longitude
            from unnest(\(sites)::text[]) u (site)
            cross join lateral (
                select o.latitude, o.longitude from curation.observation o
                join curation.validity_period s on s.id = o.period_id
                where o.site = u.site and o.latitude is not null and s.kind = \(kind) and s.city = \(CityKey.sql(city))
                order by o.period_id desc limit 1) f
            """
        ) { row in
            (
                site: try row("site") as String,
                point: RoutePoint(latitude: try row("latitude"), longitude: try row("longitude"))
            )
        }
        return Dictionary(
            rows.compactMap { row in row.point.map { (row.site, $0) } }, uniquingKeysWith: { first, _ in first })
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
                on conflict (kind, key) do update set after_route = null)
            select count(*) as n from written
            """
        ) { try $0("n") } ?? 0
    }
}
