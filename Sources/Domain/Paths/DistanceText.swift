// Formats lengths and elevations of routes for people.

package enum DistanceText {
    /// `4.38 km (2.72 mi)`
    package static func length(_ meters: Double) -> String {
        "\(decimals(meters / 1000, 2)) km (\(decimals(meters / RoutePath.metersInMile, 2)) mi)"
    }

    /// `+12.4 m`, `-3 m`, `unknown`; with all decimals, since a rule compares the number.
    package static func net(_ meters: Double?) -> String {
        meters.map { ($0 > 0 ? "+" : "") + JSONValue.number($0).canonicalText + " m" } ?? "unknown"
    }

    /// A number with a fixed number of decimals, rounded half away from zero.
    package static func decimals(_ number: Double, _ digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        guard let rounded = Int64(exactly: (number.magnitude * scale).rounded()) else { return number.description }
        let sign = number < 0 && rounded > 0 ? "-" : ""
        if digits == 0 { return "\(sign)\(rounded)" }
        let fraction = String(rounded % Int64(scale))
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return "\(sign)\(rounded / Int64(scale)).\(zeros)\(fraction)"
    }
}
