// Reads routes with their current badges (C13, C17, C21), by the database clock.
import Domain
import FoundationEssentials
import Postgres

package struct RouteReadFilter: Sendable {
    package enum Order: String, Sendable { case weighted, distance }

    /// The name of a city; ignores case and accents.
    package var city: String?
    package var order = Order.weighted

    package init() {}
}

package struct RouteReads: Sendable {
    let connection: StoreConnection

    /// The badges of one route that are valid at `n.at`, in their order, with the resulting multiplier.
    private static let badges: SQL = """
        cross join lateral (
            select coalesce(json_agg((g.document::jsonb || jsonb_build_object('valid_from', w.document -> 'valid_from',
                       'valid_to', w.document -> 'valid_to'))::json order by g.position, g.key)
                       filter (where w.result = 'given'), '[]') as documents,
                   coalesce(json_object_agg(w.badge, w.result), '{}') as results,
                   coalesce(bool_or(w.badge = 'heart' and w.result = 'given'), false) as heart,
                   coalesce(bool_or(w.badge = 'zoom' and w.result = 'given'), false) as zoom
            from api_v1.route_badge w join api_v1.badge g on g.key = w.badge
            where w.route_id = r.id and w.valid_to > n.at and w.valid_from <= n.at) b
        cross join lateral (
            select case when b.heart and b.zoom then r.multiplier_both when b.heart then r.multiplier_heart
                when b.zoom then r.multiplier_zoom else 1 end as multiplier) m
        """

    /// The document with its badges. Without a current observation the result of a badge is unknown.
    private static let document: SQL = """
        (left(r.document::text, -1) || ',"badges":' || b.documents || ',"results":'
            || (jsonb_build_object('heart', 'unknown', 'zoom', 'unknown') || b.results::jsonb)
            || ',"multiplier":' || m.multiplier || '}')
        """

    /// When a badge last became valid or invalid by time alone, in seconds since 1970; 0 if none did. Part of the
    /// entity tag.
    package func lastBoundary() async throws -> Int64 {
        try await connection.first(
            """
            select coalesce(extract(epoch from greatest(
                (select max(valid_from) from api_v1.route_badge where valid_from <= now()),
                (select max(valid_to) from api_v1.route_badge where valid_to <= now())))::bigint, 0) as last
            """
        ) { try $0("last") } ?? 0
    }

    /// By distance divided by multiplier, or by distance alone; then by id. A boundary between two pages acts like a
    /// publication between them: routes that moved past the cursor are missed.
    package func page(_ filter: RouteReadFilter, cursor: String?) async throws -> DocumentPage {
        let position = try cursor.map { try RouteCursor($0) }
        let weight: SQL = filter.order == .weighted ? "r.distance_m / m.multiplier" : "r.distance_m"
        var statement: SQL = """
            select \(Self.document) as document, x.weight, r.id
            from (select now() as at) n cross join api_v1.route r
            \(Self.badges)
            cross join lateral (select \(weight) as weight) x
            where true
            """
        if let city = filter.city {
            statement += " and r.city_key = \(CityKey.sql(city))"
        }
        if let position {
            statement += " and (x.weight, r.id) > (\(position.weight)::double precision, \(position.id)::uuid)"
        }
        statement += " order by x.weight, r.id limit \(fixed: DocumentPage.size + 1)"
        return try DocumentPage(try await connection.rows(statement), cursor: ["weight", "id"])
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
            from (select now() as at) n cross join api_v1.route r join api_v1.route_path p on p.id = r.id
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
        guard let weight = Double(position.values[0]), weight.isFinite else { throw RankedCursor.unreadable }
        self.weight = weight
        id = try position.uuid(1)
    }
}
