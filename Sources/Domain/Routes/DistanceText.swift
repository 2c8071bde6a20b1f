// Lengths and heights of routes as people read them.

package enum DistanceText {
    /// `4.38 km (2.72 mi)`
    package static func length(_ metres: Double) -> String {
        "\(decimals(metres / 1000, 2)) km (\(decimals(metres / RoutePath.metersInMile, 2)) mi)"
    }

    /// `+12.4 m`, `-3 m`, `unknown`; every decimal, since a rule compares it.
    package static func net(_ metres: Double?) -> String {
        metres.map { ($0 > 0 ? "+" : "") + JSONValue.number($0).canonicalText + " m" } ?? "unknown"
    }

    /// A number with so many decimals, rounded half away from zero.
    package static func decimals(_ number: Double, _ places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        guard let rounded = Int64(exactly: (number.magnitude * scale).rounded()) else { return number.description }
        let sign = number < 0 && rounded > 0 ? "-" : ""
        if places == 0 { return "\(sign)\(rounded)" }
        let fraction = String(rounded % Int64(scale))
        let zeros = String(repeating: "0", count: places - fraction.count)
        return "\(sign)\(rounded / Int64(scale)).\(zeros)\(fraction)"
    }
}
