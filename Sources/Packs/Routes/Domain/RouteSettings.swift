// The published settings of the badges and the ranking of routes.
import Domain
import Localization

package struct RouteSettings: Sendable, Equatable {
    /// The divisors of the distance for routes with one badge or both (K13, C21).
    package struct Multipliers: Sendable, Equatable {
        package var heart = 1.25
        package var zoom = 1.25
        package var both = 2.0

        package init() {}

        /// The multiplier of a route with these badges; 1 without badges.
        package func value(heart hasHeart: Bool, zoom hasZoom: Bool) -> Double {
            switch (hasHeart, hasZoom) {
            case (true, true): both
            case (true, false): heart
            case (false, true): zoom
            case (false, false): 1
            }
        }
    }

    package var sampleMiles = 0.5
    package var zoomMaxElevation = 10.0
    /// The maximum distance of an observation from a sample, in meters.
    package var airReach = 5000.0
    package var obstructionReach = 805.0
    package var multipliers = Multipliers()
    /// The comparators (K12): whether a route equal to the city has a heart, and one with exactly the maximum elevation
    /// a
    /// zoom.
    package var heartWhenEqual = false
    package var zoomWhenEqual = true

    package init() {}

    /// Parses a value: a number, or `<` or `<=` for a comparator; nil for anything else.
    package static func value(_ text: String, of key: String) -> Double? {
        guard key.hasSuffix("_comparator") else { return Double(text).flatMap { $0.isFinite ? $0 : nil } }
        return ["<": 0, "<=": 1][text]
    }

    /// The value as text for people.
    package func text(_ key: String) -> String {
        guard let value = self[key] else { return "" }
        if key.hasSuffix("_comparator") { return value == 1 ? "<=" : "<" }
        return JSONValue.number(value).canonicalText
    }

    package static let keys = [
        "routes.sample_miles", "routes.zoom_max_elevation_m", "routes.air_reach_m", "routes.obstruction_reach_m",
        "routes.multiplier.heart", "routes.multiplier.zoom", "routes.multiplier.both",
        "routes.heart_comparator", "routes.zoom_comparator",
    ]

    package subscript(key: String) -> Double? {
        get {
            switch key {
            case "routes.sample_miles": sampleMiles
            case "routes.zoom_max_elevation_m": zoomMaxElevation
            case "routes.air_reach_m": airReach
            case "routes.obstruction_reach_m": obstructionReach
            case "routes.multiplier.heart": multipliers.heart
            case "routes.multiplier.zoom": multipliers.zoom
            case "routes.multiplier.both": multipliers.both
            case "routes.heart_comparator": heartWhenEqual ? 1 : 0
            case "routes.zoom_comparator": zoomWhenEqual ? 1 : 0
            default: nil
            }
        }
        set {
            guard let newValue else { return }
            switch key {
            case "routes.sample_miles": sampleMiles = newValue
            case "routes.zoom_max_elevation_m": zoomMaxElevation = newValue
            case "routes.air_reach_m": airReach = newValue
            case "routes.obstruction_reach_m": obstructionReach = newValue
            case "routes.multiplier.heart": multipliers.heart = newValue
            case "routes.multiplier.zoom": multipliers.zoom = newValue
            case "routes.multiplier.both": multipliers.both = newValue
            case "routes.heart_comparator": heartWhenEqual = newValue == 1
            case "routes.zoom_comparator": zoomWhenEqual = newValue == 1
            default: break
            }
        }
    }

    /// The errors of the settings together. A badge must count more than none, and both more than either alone;
    /// otherwise
    /// a badge could lower the rank of a route.
    package var problems: FieldErrors {
        var errors = FieldErrors()
        func require(_ key: String, _ isValid: Bool, _ message: String) {
            if !isValid { errors.add("/" + key, "range", message) }
        }
        require("routes.sample_miles", (0.05...100).contains(sampleMiles), tr("Enter 0.05 to 100 miles."))
        require(
            "routes.zoom_max_elevation_m", (-9000...9000).contains(zoomMaxElevation), tr("Enter -9000 to 9000 meters."))
        require("routes.air_reach_m", (1...100_000).contains(airReach), tr("Enter 1 to 100,000 meters."))
        require(
            "routes.obstruction_reach_m", (1...100_000).contains(obstructionReach), tr("Enter 1 to 100,000 meters."))
        let limit = 1_000_000.0
        require(
            "routes.multiplier.heart", multipliers.heart > 1 && multipliers.heart < limit,
            tr("Enter a number greater than 1."))
        require(
            "routes.multiplier.zoom", multipliers.zoom > 1 && multipliers.zoom < limit,
            tr("Enter a number greater than 1.")
        )
        let either = max(multipliers.heart, multipliers.zoom)
        require(
            "routes.multiplier.both", multipliers.both > either && multipliers.both <= limit,
            tr("Enter a number greater than either badge's own multiplier."))
        return errors
    }
}
