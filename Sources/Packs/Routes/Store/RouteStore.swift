// Routes for curators: settings, plans, lists and badge results.
import Domain
import FoundationEssentials
import Postgres
import Store

package struct RouteStore: Sendable {
    let connection: StoreConnection

    /// The newest route imported from this source.
    package func find(source: String) async throws -> ID<Entry>? {
        try await connection.first(
            """
            select r.entry_id from curation.revision r join curation.entry e on e.id = r.entry_id
            where r.content ->> 'source' = \(source) and r.content ? 'path' and e.kind = 'route'
            order by r.entry_id desc limit 1
            """
        ) { try $0("entry_id") }
    }

    /// The current route settings.
    package func settings() async throws -> RouteSettings {
        let found = try await connection.first(
            """
            select sample_m / 1609.344 as sample_miles, zoom_max_elevation_m, air_reach_m, obstruction_reach_m,
                multiplier_heart, multiplier_zoom, multiplier_both, heart_when_equal, zoom_when_equal
            from curation.route_settings()
            """
        ) { row in
            var settings = RouteSettings()
            settings.sampleMiles = try row("sample_miles")
            settings.zoomMaxElevation = try row("zoom_max_elevation_m")
            settings.airReach = try row("air_reach_m")
            settings.obstructionReach = try row("obstruction_reach_m")
            settings.multipliers.heart = try row("multiplier_heart")
            settings.multipliers.zoom = try row("multiplier_zoom")
            settings.multipliers.both = try row("multiplier_both")
            settings.heartWhenEqual = try row("heart_when_equal") as Double == 1
            settings.zoomWhenEqual = try row("zoom_when_equal") as Double == 1
            return settings
        }
        return found ?? RouteSettings()
    }

    /// The row changes that these settings would make; changes nothing.
    package func plan(_ settings: RouteSettings, limit: Int?) async throws -> PublicationPlan {
        let values = RouteSettings.keys.map { settings[$0] ?? 0 }
        return try await connection.longFirst(
            """
            select curation.plan_settings(\(RouteSettings.keys), \(values)::double precision[], \(limit)::integer) as plan
            """
        ) { try PublicationPlan(reading: try $0("plan")) }.orMissing("plan")
    }

    /// The live routes by title, with their current badge results.
    package func page(cursor: String?, limit: Int) async throws -> Page<RouteRow> {
        var statement: SQL = """
            select r.id, r.title, r.city, r.distance_m, r.net_elevation_m, lower(r.title) as sort_title,
                (select w.result from api_v1.route_badge w where w.route_id = r.id and w.badge = 'heart'
                     and w.valid_to > now() and w.valid_from <= now()) as heart,
                (select w.result from api_v1.route_badge w where w.route_id = r.id and w.badge = 'zoom'
                     and w.valid_to > now() and w.valid_from <= now()) as zoom
            from api_v1.route r where true
            """
        if let cursor {
            let position = try Cursor(parsing: cursor, count: 2)
            statement += " and (lower(r.title), r.id) > (\(position.values[0]), \(try position.uuid(1)))"
        }
        statement += " order by lower(r.title), r.id limit \(limit + 1)"
        return Page(rows: try await connection.rows(statement, RouteRow.init), limit: limit) {
            Cursor([$0.sortTitle, $0.id.description])
        }
    }

    /// The badge results of a live route, newest period first.
    package func results(of route: ID<Entry>, limit: Int) async throws -> [BadgeRow] {
        try await connection.rows(
            """
            select badge, valid_from, valid_to, result, document, valid_from <= now() and now() < valid_to as is_now
            from api_v1.route_badge where route_id = \(route) order by valid_from desc, badge limit \(limit)
            """, BadgeRow.init)
    }

    /// The samples of a live route with their observations in the newest period of each badge.
    package func samples(of route: ID<Entry>) async throws -> [SampleRow] {
        try await connection.rows(
            """
            select badge, number, distance_m, latitude, longitude, postcode, value, site, site_distance_m
            from curation.route_samples(\(route)) order by badge nulls first, number
            """, SampleRow.init)
    }

    /// The obstructions near the line of a live route in the newest period, in the order along the path.
    package func obstructions(of route: ID<Entry>) async throws -> [ObstructionRow] {
        try await connection.rows(
            "select site, value, distance_m, along_m from curation.route_obstructions(\(route))", ObstructionRow.init)
    }

    /// Counts of routes, badge results, validity periods and postcodes.
    package func counts() async throws -> RouteCounts {
        let counts = try await connection.first(
            """
            select (select count(*) from api_v1.route) as routes, (select count(*) from api_v1.route_badge) as results,
                (select count(*) from curation.validity_period) as periods, (select count(*) from curation.postcode) as postcodes
            """
        ) {
            RouteCounts(
                routes: try $0("routes"), results: try $0("results"), periods: try $0("periods"),
                postcodes: try $0("postcodes"))
        }
        return counts ?? RouteCounts(routes: 0, results: 0, periods: 0, postcodes: 0)
    }
}
