// A local date and time with its time zone.
import Localization

/// "Friday at six" in a zone: it stays six o'clock if the rules of the zone change. Validates only the syntax; the
/// database knows the zones, and the hours that are skipped or repeated.
package struct WallTime: Sendable, Hashable, Codable {
    /// `2026-11-20T18:00:00`
    package let local: String
    /// A name of the IANA time zone database, such as `Europe/London`, or `UTC`.
    package let zone: String

    /// Seconds are optional in `local`. Errors are at `/local` and `/zone` below `pointer`.
    package init(local: String, zone: String, pointer: String = "") throws(Failure) {
        var errors = FieldErrors()
        var rest = Substring(local).utf8
        let time = CivilTime(reading: &rest, needsSeconds: false)
        if time == nil || !rest.isEmpty {
            errors.add("\(pointer)/local", "format", tr("Enter a date and time such as 2026-11-20T18:00."))
        }
        if !ZoneName.hasForm(zone) {
            errors.add("\(pointer)/zone", "format", tr("Enter a time zone such as Europe/London."))
        }
        guard let time, errors.isEmpty else { throw .invalid(errors) }
        self.local = time.text
        self.zone = ZoneName.current(zone)
    }

    /// The instant in UTC, without fractions of a second.
    package init(_ timestamp: Timestamp) {
        local = timestamp.universal.text
        zone = ZoneName.standard
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let local = try container.decode(String.self, forKey: .local)
        let zone = try container.decode(String.self, forKey: .zone)
        try self.init(local: local, zone: zone)
    }

    /// For people, to the minute: `2026-11-20 18:00 Europe/London`.
    package var label: String { "\(local.prefix(16).replacing("T", with: " ")) \(zone)" }
}
