// The published numbers that the badges and the order of routes follow.

package struct RouteSettings: Sendable, Equatable {
    /// Of one badge or both: by how much the distance of a route counts less (K13, C21).
    package struct Multipliers: Sendable, Equatable {
        package var heart = 1.25
        package var zoom = 1.25
        package var both = 2.0

        package init() {}

        /// Of a route with these badges; without any it is 1.
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
    /// How far from a sample a reading or a retrieval may be to count for it, in meters.
    package var airReach = 5000.0
    package var obstructionReach = 805.0
    package var multipliers = Multipliers()
    /// The comparators (K12): whether a route as good as the city has a heart, and one that climbs just so much a zoom.
    package var heartWhenEqual = false
    package var zoomWhenEqual = true

    package init() {}

    /// Reads a value as people write it: a number, or `<` and `<=` of a comparator; nil for anything else.
    package static func value(_ text: String, of key: String) -> Double? {
        guard key.hasSuffix("_comparator") else { return Double(text).flatMap { $0.isFinite ? $0 : nil } }
        return ["<": 0, "<=": 1][text]
    }

    /// The value as people write it.
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

    /// What is wrong with the numbers together. A badge must count more than none, and both more than either alone, or
    /// giving a badge could move a route down.
    package var problems: FieldErrors {
        var errors = FieldErrors()
        func need(_ key: String, _ isRight: Bool, _ message: String) {
            if !isRight { errors.add("/" + key, "range", message) }
        }
        need("routes.sample_miles", (0.05...100).contains(sampleMiles), "From 0.05 to 100 miles.")
        need("routes.zoom_max_elevation_m", (-9000...9000).contains(zoomMaxElevation), "From -9000 to 9000 meters.")
        need("routes.air_reach_m", (1...100_000).contains(airReach), "From 1 to 100,000 meters.")
        need("routes.obstruction_reach_m", (1...100_000).contains(obstructionReach), "From 1 to 100,000 meters.")
        let most = 1_000_000.0
        need("routes.multiplier.heart", multipliers.heart > 1 && multipliers.heart < most, "More than 1.")
        need("routes.multiplier.zoom", multipliers.zoom > 1 && multipliers.zoom < most, "More than 1.")
        let either = max(multipliers.heart, multipliers.zoom)
        need(
            "routes.multiplier.both", multipliers.both > either && multipliers.both <= most,
            "More than that of either badge alone.")
        return errors
    }
}
