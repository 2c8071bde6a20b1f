// The two inputs of a date and time in a form: the local time, as browsers write it, and its offset from UTC.

package enum DateTimeText {
    /// The offsets in use, from west to east, as in RFC 3339.
    package static let offsets = [
        "-12:00", "-11:00", "-10:00", "-09:30", "-09:00", "-08:00", "-07:00", "-06:00", "-05:00", "-04:00", "-03:30",
        "-03:00", "-02:30", "-02:00", "-01:00", "Z", "+01:00", "+02:00", "+03:00", "+03:30", "+04:00", "+04:30",
        "+05:00", "+05:30", "+05:45", "+06:00", "+06:30", "+07:00", "+08:00", "+08:45", "+09:00", "+09:30", "+10:00",
        "+10:30", "+11:00", "+12:00", "+12:45", "+13:00", "+13:45", "+14:00",
    ]

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

    /// Nil without a local time.
    static func value(_ parts: [String]) -> JSONValue? {
        guard let local = parts.first, !PlainText.isBlank(local) else { return nil }
        let seconds = local.utf8.count == 16 ? ":00" : ""
        return .string(local + seconds + (parts.count > 1 ? parts[1] : ""))
    }
}
