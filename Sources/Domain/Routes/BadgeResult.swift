// Whether a route has a badge, in one of three ways: what is not known is not the same as no.

package enum BadgeResult: String, Sendable, CaseIterable, Codable {
    case given
    case notGiven = "not_given"
    /// Something that the rule asks for is missing; the badge is not given.
    case unknown

    package var label: String {
        switch self {
        case .given: "given"
        case .notGiven: "not given"
        case .unknown: "unknown"
        }
    }
}

/// The rules of the badges. The database applies the same ones to all routes at once (Projections/route_badge.sql); a
/// test compares the two.
package enum BadgeRule {
    /// C16: given when the mean of the samples is strictly less (<) than the mean of the city, in the same time. Equal is
    /// not given. Where any sample or the city's mean is missing, it is unknown.
    package static func heart(samples: [Double?], city: [Double]) -> BadgeResult {
        let known = samples.compactMap { $0 }
        guard !samples.isEmpty, known.count == samples.count, !city.isEmpty else { return .unknown }
        // Both sides times both counts: no division that could round.
        let here = known.reduce(0, +) * Double(city.count)
        let everywhere = city.reduce(0, +) * Double(known.count)
        return here < everywhere ? .given : .notGiven
    }

    /// C18: given when the net elevation is at most (<=) `limit` meters and none of the samples has an obstruction, in the
    /// same time. Where the elevation or what was retrieved for any sample is missing, it is unknown.
    package static func zoom(netElevation: Double?, limit: Double, obstructions: [Double?]) -> BadgeResult {
        let known = obstructions.compactMap { $0 }
        guard let netElevation, !obstructions.isEmpty, known.count == obstructions.count else { return .unknown }
        return netElevation <= limit && known.allSatisfy { $0 == 0 } ? .given : .notGiven
    }
}
