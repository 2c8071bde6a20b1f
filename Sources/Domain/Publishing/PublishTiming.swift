// When what was accepted goes live: now, at a time, or when someone makes a release of it.

package enum PublishTiming: Sendable, Hashable {
    case now
    /// Approved, and waiting for a release.
    case approveOnly
    case at(WallTime)

    /// Reads `now`, `approve-only`, an RFC 3339 instant (which is kept in UTC), or a wall time such as
    /// `2026-11-20T18:00`, which needs the zone.
    package init(parsing text: String, zone: String? = nil, pointer: String = "/publish_timing") throws(Failure) {
        switch text {
        case "now": self = .now
        case "approve-only": self = .approveOnly
        default:
            if let instant = Timestamp(text) {
                self = .at(WallTime(instant))
                return
            }
            var rest = Substring(text).utf8
            guard CivilTime(reading: &rest, needsSeconds: false) != nil, rest.isEmpty else {
                let message = "Write now, approve-only, or a day and time as 2026-11-20T18:00."
                throw .invalid(FieldErrors(pointer, "format", message))
            }
            guard let zone else {
                throw .invalid(FieldErrors(pointer, "required", "A day and time needs its time zone."))
            }
            self = .at(try WallTime(local: text, zone: zone, pointer: pointer))
        }
    }
}
