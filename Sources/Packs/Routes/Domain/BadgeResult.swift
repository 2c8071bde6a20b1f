// Whether a route has a badge: given, not given or unknown.
import Domain
import Localization

package enum BadgeResult: String, Sendable, CaseIterable, Codable {
    case given
    case notGiven = "not_given"
    /// Data that the rule requires is missing; the badge is not given.
    case unknown

    package var label: String {
        switch self {
        case .given: tr("given", context: "badge")
        case .notGiven: tr("not given")
        case .unknown: tr("unknown", context: "badge")
        }
    }
}

/// The badge rules. The database applies the same rules to all routes at once (Projections/route_badge.sql); a test
/// compares the two.
package enum BadgeRule {
    /// C16: given if the mean of the samples is strictly less (<) than the mean of the city in the same period; not
    /// given
    /// if equal. Unknown if any sample or the city's mean is missing.
    package static func heart(samples: [Double?], city: [Double]) -> BadgeResult {
        let known = samples.compactMap { $0 }
        guard !samples.isEmpty, known.count == samples.count, !city.isEmpty else { return .unknown }
        // Multiplies both sides by both counts to avoid rounding by division.
        let here = known.reduce(0, +) * Double(city.count)
        let everywhere = city.reduce(0, +) * Double(known.count)
        return here < everywhere ? .given : .notGiven
    }

    /// C18: given if the net elevation is at most (<=) `limit` meters and no obstruction is near the line of the route in
    /// the same period. `reports` are the nearest reports of the samples. Unknown if the elevation or the report of any
    /// sample is missing.
    package static func zoom(
        netElevation: Double?, limit: Double, reports: [Double?], obstructions: Double
    ) -> BadgeResult {
        guard let netElevation, !reports.isEmpty, !reports.contains(nil) else { return .unknown }
        return netElevation <= limit && obstructions == 0 ? .given : .notGiven
    }
}
