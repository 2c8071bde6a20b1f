// The parts of a date and time in a form: the local time, as browsers write it, its offset from UTC, and its zone.

package enum DateTimeText {
    /// Local time and offset; the text alone if it is no date and time, or more exact than an input of a browser.
    static func parts(of text: String) -> [String] {
        guard let written = Timestamp(text)?.text else { return [text] }
        let offset = written.hasSuffix("Z") ? "Z" : String(written.suffix(6))
        let local = written.dropLast(offset.count)
        // Seconds and three digits of a fraction.
        guard local.utf8.count <= 23 else { return [text] }
        return [local.hasSuffix(":00") && local.utf8.count == 19 ? String(local.dropLast(3)) : String(local), offset]
    }

    /// `2026-11-20 18:00 UTC+01:00`
    static func shown(_ parts: [String]) -> String {
        "\(parts[0].replacing("T", with: " ")) UTC\(parts[1] == "Z" ? "" : parts[1].replacing("-", with: "−"))"
    }

    /// Whether a browser accepts it as a local date and time.
    package static func isLocal(_ text: String) -> Bool {
        text.isEmpty || text.utf8.count == 16 && Timestamp(text + ":00Z") != nil || Timestamp(text + "Z") != nil
    }

    /// The offset in RFC 3339 for minutes east of UTC.
    package static func offset(minutes: Int) -> String {
        if minutes == 0 { return "Z" }
        let (hours, rest) = (abs(minutes) / 60, abs(minutes) % 60)
        return "\(minutes < 0 ? "-" : "+")\(hours < 10 ? "0" : "")\(hours):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// The offset that is written instead of a zone, such as `UTC`, `UTC+01:00`, `+01:00` or `Z`; nil for a name.
    package static func offset(writtenAs zone: String) -> String? {
        if zone == ZoneName.standard { return "Z" }
        guard zone.utf8.count <= 64 else { return nil }
        let text = zone.replacing("−", with: "-").trimmingPrefix(ZoneName.standard)
        return Timestamp("2000-01-01T00:00:00\(text)") == nil ? nil : String(text)
    }

    /// What the input for a zone shows for an offset: `UTC+01:00`. A name stays as it is.
    package static func zone(ofOffset text: String) -> String {
        if text == "Z" { return ZoneName.standard }
        return text.hasPrefix("+") || text.hasPrefix("-") ? ZoneName.standard + text : text
    }

    /// Whether something else than an offset follows the local time: what forms send for an unknown zone.
    static func hasUnknownZone(_ text: String) -> Bool {
        let rest = text.dropFirst(19).drop { $0 == "." || $0.isNumber }
        guard Timestamp("\(text.prefix(19))Z") != nil, let first = rest.first else { return false }
        return first != "+" && first != "-"
    }

    /// Nil without a local time.
    static func value(_ parts: [String]) -> JSONValue? {
        guard let local = parts.first, !PlainText.isBlank(local) else { return nil }
        let seconds = local.utf8.count == 16 ? ":00" : ""
        let offset = parts.count > 1 ? parts[1] : ""
        return .string(local + seconds + (Self.offset(writtenAs: offset) ?? offset))
    }
}
