// Reads routes with their current badges (C13, C17, C21), by the database clock.
import Domain
import FoundationEssentials
import Postgres
import Store

package struct RouteReadFilter: Sendable {
    package enum Order: String, Sendable { case weighted, distance }

    /// The name of a city; ignores case and accents.
    package var city: String?
    package var order = Order.weighted
    /// Only routes that lead from one place to another.
    package var trip: RouteTrip?

    package init() {}
}

/// Where a runner starts and wants to arrive (C13).
package struct RouteTrip: Sendable {
    let origin: GeoPoint
    let destination: GeoPoint
    /// The most meters from the origin to the start of a route and from its end to the destination together, inclusive;
    /// nil for the setting `routes.max_detour_m`.
    let maxDetour: Double?

    /// The greatest detour that can be asked for, in meters: it bounds how many routes are compared.
    package static let detourLimit = 5000.0

    package init(from origin: GeoPoint, to destination: GeoPoint, maxDetour: Double?) {
        self.origin = origin
        self.destination = destination
        self.maxDetour = maxDetour
    }
}

package struct RouteReads: Sendable {
    let connection: StoreConnection

    /// The multiplier of a route `r` by its badges that are valid now.
    private static let multiplier: SQL = """
        cross join lateral (
            select case when f.heart and f.zoom then r.multiplier_both when f.heart then r.multiplier_heart
                when f.zoom then r.multiplier_zoom else 1 end as multiplier
            from (
                select coalesce(bool_or(w.badge = 'heart'), false) as heart, coalesce(bool_or(w.badge = 'zoom'), false) as zoom
                from api_v1.route_badge w join api_v1.badge g on g.key = w.badge
                where w.route_id = r.id and w.valid_to > now() and w.valid_from <= now() and w.result = 'given') f) m
        """

    /// The badges of a route `r` that are valid now, in their order, and the results of the rules.
    private static let badges: SQL = """
        cross join lateral (
            select coalesce(json_agg((g.document::jsonb || jsonb_build_object('valid_from', w.document -> 'valid_from',
                       'valid_to', w.document -> 'valid_to'))::json order by g.position, g.key)
                       filter (where w.result = 'given'), '[]') as documents,
                   coalesce(json_object_agg(w.badge, w.result), '{}') as results
            from api_v1.route_badge w join api_v1.badge g on g.key = w.badge
            where w.route_id = r.id and w.valid_to > now() and w.valid_from <= now()) b
        """

    /// The document with its badges. Without a current observation the result of a badge is unknown.
    private static let document: SQL = """
        (left(r.document::text, -1) || ',"badges":' || b.documents || ',"results":'
            || (jsonb_build_object('heart', 'unknown', 'zoom', 'unknown') || b.results::jsonb)
            || ',"multiplier":' || m.multiplier || '}')
        """

    /// The last moment at which a badge became valid or invalid by time alone, in microseconds since 1970 (0: none did), and
    /// the seconds until the next one; nil when there is none.
    func boundaries() async throws -> (last: Int64, wait: Double?) {
        let found = try await connection.first(
            """
            select coalesce((extract(epoch from greatest(
                    (select valid_from from api_v1.route_badge where valid_from <= now() order by valid_from desc limit 1),
                    (select valid_to from api_v1.route_badge where valid_to <= now() order by valid_to desc limit 1))) * 1000000)::bigint, 0) as last,
                extract(epoch from least(
                    (select valid_from from api_v1.route_badge where valid_from > now() order by valid_from limit 1),
                    (select valid_to from api_v1.route_badge where valid_to > now() order by valid_to limit 1)) - now())::double precision as wait
            """
        ) { (last: try $0("last") as Int64, wait: try $0("wait") as Double?) }
        return found ?? (0, nil)
    }

    /// By distance divided by multiplier, or by distance alone; then by id. The distance of a trip includes the way to
    /// the start and from the end. A boundary between two pages acts like a publication between them: routes that moved
    /// past the cursor are missed.
    ///
    /// Badges are looked up only for routes that may be on the page: none is lighter than its distance divided by the
    /// greatest multiplier, which is the same for all routes, and 21 routes in the order of distance say what is too
    /// heavy.
    package func page(_ filter: RouteReadFilter, cursor: String?) async throws -> DocumentPage {
        let position = try cursor.map { try RouteCursor($0) }
        let weighted: SQL = filter.order == .weighted ? "r.distance_m / m.multiplier" : "r.distance_m"
        let weight: SQL = "\(Self.multiplier) cross join lateral (select \(weighted) as weight) x"
        let city: SQL = filter.city.map { " and r.city_key = \(CityKey.sql($0))" } ?? .empty
        let near: SQL =
            filter.trip.map { "materialized (\(Self.routes(of: $0))\(city))" }
                ?? """
                not materialized (
                    select r.id, r.distance_m, r.multiplier_heart, r.multiplier_zoom, r.multiplier_both
                    from api_v1.route r where true\(city))
                """
        let isHeavier: SQL =
            position.map {
                " and r.distance_m > \($0.weight)::double precision * (select multiplier_both from api_v1.route limit 1)"
            } ?? .empty
        let isAfter: SQL =
            position.map {
                """
                 and r.distance_m >= \($0.weight)::double precision
                and (x.weight, r.id) > (\($0.weight)::double precision, \($0.id)::uuid)
                """
            } ?? .empty
        let trip: SQL =
            filter.trip == nil
            ? Self.document
            : """
            '{"trip":' || json_build_object('distance_m', n.distance_m, 'detour_m', n.detour_m,
                'to_start_m', n.to_start_m, 'from_end_m', n.from_end_m) || ',' || substr(\(Self.document), 2)
            """
        let rows = try await connection.rows(
            """
            with near as \(near),
            furthest as materialized (
                select case when count(*) > \(fixed: DocumentPage.size)
                    then max(x.weight) * max(r.multiplier_both) * (1 + 1e-9) else 'infinity' end as distance_m
                from (
                    select * from near r where true\(isHeavier)
                    order by r.distance_m limit \(fixed: DocumentPage.size + 1)) r
                \(weight))
            select \(trip) as document, n.weight, n.id
            from (
                select r.*, m.multiplier, x.weight from near r
                \(weight)
                where r.distance_m <= (select distance_m from furthest)\(isAfter)
                order by x.weight, r.id limit \(fixed: DocumentPage.size + 1)) n
            join api_v1.route r on r.id = n.id
            cross join lateral (select n.multiplier) m
            \(Self.badges)
            order by n.weight, n.id
            """)
        return try DocumentPage(rows, cursor: ["weight", "id"])
    }

    /// The routes whose detour is within the limit, with the distances of their trips, all in meters rounded to tenths.
    /// The index finds those with both ends near enough, the comparison of the sum decides.
    private static func routes(of trip: RouteTrip) -> SQL {
        let radius: SQL = "\(raw: String(GeoVector.earthRadius))"
        let (from, to) = (trip.origin.vector, trip.destination.vector)
        func way(_ axes: SQL, _ end: GeoVector) -> SQL {
            """
            floor(20 * \(radius) * asin(least(1, (
                public.cube_subset(r.ends, \(axes)) operator(public.<->) (select \(end.cube))) / 2)) + 0.5)
            """
        }
        return """
            select r.id, (floor(r.distance_m * 10 + 0.5) + w.to_start + w.from_end) / 10 as distance_m,
                r.multiplier_heart, r.multiplier_zoom, r.multiplier_both,
                (w.to_start + w.from_end) / 10 as detour_m, w.to_start / 10 as to_start_m, w.from_end / 10 as from_end_m
            from (
                select least(coalesce(\(trip.maxDetour)::double precision, (
                    select (value #>> '{}')::double precision from api_v1.setting where key = 'routes.max_detour_m'), 1609),
                    \(RouteTrip.detourLimit)::double precision) as max_detour) n
            join api_v1.route r on r.ends operator(public.<@) public.cube_enlarge((select public.cube(array[
                    \(from.x), \(from.y), \(from.z), \(to.x), \(to.y), \(to.z)]::double precision[])),
                2 * sin((n.max_detour + 0.1) / (2 * \(radius))) + 1e-9, 6)
            join lateral (
                select \(way("'{1,2,3}'", from)) as to_start, \(way("'{4,5,6}'", to)) as from_end offset 0) w
                on (w.to_start + w.from_end) / 10 <= n.max_detour
            where true
            """
    }

    /// Whether there are routes of this city or, with the pack places, a city with this name.
    package func knows(city name: String) async throws -> Bool {
        let isCity: SQL =
            connection.packs.contains("places")
            ? " or exists (select from api_v1.city where terms @@ api_v1.parse_query(k.key))" : .empty
        return try await connection.first(
            """
            select exists (select from api_v1.route where city_key = k.key)\(isCity) as known
            from (select \(CityKey.sql(name)) as key) k
            """
        ) { try $0("known") } ?? false
    }

    /// One route with its points and samples.
    package func find(_ idOrSlug: IDOrSlug) async throws -> [UInt8]? {
        let condition: SQL =
            switch idOrSlug {
            case .id(let id): "r.id = \(id)"
            case .slug(let slug): "r.slug = \(slug)"
            }
        return try await connection.first(
            """
            select left(\(Self.document), -1) || ',"path":' || p.document || '}' as document
            from api_v1.route r join api_v1.route_path p on p.id = r.id
            \(Self.multiplier)
            \(Self.badges)
            where \(condition)
            """
        ) { try $0.bytes("document") }
    }

    /// All badges, in their order.
    package func badges() async throws -> DocumentPage {
        try DocumentPage(
            whole: try await connection.rows("select document from api_v1.badge order by position, key limit 100"))
    }
}

/// A cursor in a list of routes by weight and id.
private struct RouteCursor {
    let weight: Double
    let id: UUID

    init(_ cursor: String) throws(Failure) {
        let position = try Cursor(parsing: cursor, count: 2)
        guard let weight = Double(position.values[0]), weight.isFinite else { throw Cursor.unreadable }
        self.weight = weight
        id = try position.uuid(1)
    }
}
