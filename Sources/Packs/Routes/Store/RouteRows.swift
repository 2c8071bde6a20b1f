// Routes as curators see them: badge results, samples and counts.
import Domain
import FoundationEssentials
import Postgres
import Store

/// One row of the list of live routes.
package struct RouteRow: Sendable {
    package let id: ID<Entry>
    package let title: String
    package let city: String?
    package let meters: Double
    package let net: Double?
    let sortTitle: String
    /// Nil without a result for the current time.
    package let heart: BadgeResult?
    package let zoom: BadgeResult?

    init(row: Row) throws {
        id = try row("id")
        title = try row("title")
        city = try row("city")
        meters = try row("distance_m")
        net = try row("net_elevation_m")
        sortTitle = try row("sort_title")
        heart = try row("heart")
        zoom = try row("zoom")
    }
}

/// The result of a badge rule for a route in one validity period.
package struct BadgeRow: Sendable {
    package let badge: String
    package let from: Date
    package let to: Date
    package let result: BadgeResult
    package let document: JSONValue
    package let isNow: Bool

    init(row: Row) throws {
        badge = try row("badge")
        from = try row("valid_from")
        to = try row("valid_to")
        result = try row("result")
        document = try row("document")
        isNow = try row("is_now")
    }
}

/// A sample of a route; with a badge, its observation in the newest period of that badge.
package struct SampleRow: Sendable {
    package let badge: String?
    package let number: Int
    package let distance: Double
    package let latitude: Double
    package let longitude: Double
    package let postcode: String?
    package let value: Double?
    package let site: String?
    package let siteDistance: Double?

    init(row: Row) throws {
        badge = try row("badge")
        number = try row("number")
        distance = try row("distance_m")
        latitude = try row("latitude")
        longitude = try row("longitude")
        postcode = try row("postcode")
        value = try row("value")
        site = try row("site")
        siteDistance = try row("site_distance_m")
    }
}

/// An obstruction near the line of a route.
package struct ObstructionRow: Sendable {
    package let site: String
    package let count: Double
    /// From the line, and from the start to the nearest point of the path, in meters.
    package let distance: Double
    package let along: Double

    init(row: Row) throws {
        site = try row("site")
        count = try row("value")
        distance = try row("distance_m")
        along = try row("along_m")
    }
}

package struct RouteCounts: Sendable {
    package let routes: Int
    package let results: Int
    package let periods: Int
    package let postcodes: Int
}
