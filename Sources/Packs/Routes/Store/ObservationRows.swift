// Observations as curators list them, the filter of a list, and the outcome of recording some.
import Domain
import FoundationEssentials
import Postgres
import Store

/// What was recorded of a batch.
package struct RecordedObservations: Sendable {
    /// How many observations are new or different.
    package let count: Int
    /// Other sources, at most three, that have values of the same sites and measures at the same time: both count.
    package let otherSources: [String]
}

/// All set conditions must match.
package struct ObservationFilter: Sendable {
    package var kind: ObservationKind?
    package var city: String?
    package var source: String?
    package var site: String?
    /// Only what is valid after this time.
    package var from: Timestamp?
    /// Only what is valid before this time.
    package var until: Timestamp?

    package init() {}
}

/// One observation, current or of the history.
package struct ObservationRow: Sendable {
    package let kind: ObservationKind
    /// Lowercase and without accents.
    package let city: String
    package let from: Date
    package let until: Date
    package let site: String
    package let measure: String
    package let latitude: Double?
    package let longitude: Double?
    package let value: Double
    package let source: String
    package let recordedAt: Date
    /// When it was replaced or deleted; nil for a current one.
    package let endedAt: Date?
    /// `replaced` or `deleted`; nil for a current one.
    package let reason: String?

    init(row: Row) throws {
        kind = try row("kind")
        city = try row("city")
        from = try row("valid_from")
        until = try row("valid_to")
        site = try row("site")
        measure = try row("measure")
        latitude = try row("latitude")
        longitude = try row("longitude")
        value = try row("value")
        source = try row("source")
        recordedAt = try row("recorded_at")
        endedAt = try row("ended_at")
        reason = try row("reason")
    }
}
