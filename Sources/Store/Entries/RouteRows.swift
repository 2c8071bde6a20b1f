// What curators see of routes: results of the badge rules, samples, counts.
import Domain
import FoundationEssentials
import Postgres

/// One line of the list of live routes.
package struct RouteRow: Sendable {
    package let id: ID<Entry>
    package let title: String
    package let city: String?
    package let metres: Double
    package let net: Double?
    let place: String
    /// Nil where nothing is recorded for now.
    package let heart: BadgeResult?
    package let zoom: BadgeResult?

    init(row: Row) throws {
        id = try row("id")
        title = try row("title")
        city = try row("city")
        metres = try row("distance_m")
        net = try row("net_elevation_m")
        place = try row("place")
        heart = try row("heart")
        zoom = try row("zoom")
    }
}

/// What a rule said of a route for a time.
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

/// A sample of a route; with a badge, what it had in the newest slot of that badge.
package struct SampleRow: Sendable {
    package let badge: String?
    package let number: Int
    package let distance: Double
    package let latitude: Double
    package let longitude: Double
    package let postcode: String?
    package let value: Double?
    package let place: String?
    package let metres: Double?

    init(row: Row) throws {
        badge = try row("badge")
        number = try row("number")
        distance = try row("distance_m")
        latitude = try row("latitude")
        longitude = try row("longitude")
        postcode = try row("postcode")
        value = try row("value")
        place = try row("place")
        metres = try row("far")
    }
}

package struct RouteCounts: Sendable {
    package let routes: Int
    package let results: Int
    package let slots: Int
    package let postcodes: Int
}
