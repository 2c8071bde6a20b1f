// When approved content is published: now, at a time, or with a later release.
import Localization

package enum PublishTiming: Sendable, Hashable {
    case now
    /// Approved without publishing.
    case approveOnly
    case at(WallTime)

    /// Reads `now`, `none`, an RFC 3339 instant (stored in UTC), or a wall time such as `2026-11-20T18:00`, which
    /// requires `zone`.
    package init(parsing text: String, zone: String? = nil, pointer: String = "/publish") throws(Failure) {
        switch text {
        case "now": self = .now
        case "none": self = .approveOnly
        default:
            if let instant = Timestamp(text) {
                self = .at(WallTime(instant))
                return
            }
            var rest = Substring(text).utf8
            guard CivilTime(reading: &rest, needsSeconds: false) != nil, rest.isEmpty else {
                let message = tr("Enter now, none, or a date and time such as 2026-11-20T18:00.")
                throw .invalid(FieldErrors(pointer, "format", message))
            }
            guard let zone else {
                throw .invalid(FieldErrors(pointer, "required", tr("Add a time zone, such as Europe/London.")))
            }
            self = .at(try WallTime(local: text, zone: zone, pointer: pointer))
        }
    }
}
