// Lengths and heights of routes as people read them.

package enum RouteWords {
    /// `4.38 km (2.72 mi)`
    package static func length(_ metres: Double) -> String {
        "\(decimals(metres / 1000, 2)) km (\(decimals(metres / RoutePath.metresInMile, 2)) mi)"
    }

    /// `+12.4 m`, `-3.0 m`, `unknown`
    package static func net(_ metres: Double?) -> String {
        metres.map { ($0 > 0 ? "+" : "") + decimals($0, 1) + " m" } ?? "unknown"
    }

    /// A number with so many decimals, rounded half away from zero.
    package static func decimals(_ number: Double, _ places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let rounded = Int64((number.magnitude * scale).rounded())
        let sign = number < 0 && rounded > 0 ? "-" : ""
        let fraction = String(rounded % Int64(scale))
        let zeros = String(repeating: "0", count: places - fraction.count)
        return places == 0 ? "\(sign)\(rounded)" : "\(sign)\(rounded / Int64(scale)).\(zeros)\(fraction)"
    }
}
