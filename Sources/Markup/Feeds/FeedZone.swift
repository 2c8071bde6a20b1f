// Parses time zones and AM/PM.

enum FeedZone {
    /// Applies `Z`, `+0100`, `-5`, `GMT+02:00`, `EST` or `PM` to a date with a time. Unknown names count as UTC (RFC
    /// 5322).
    static func apply(_ word: String, to date: inout FeedDate) -> Bool {
        let name = word.uppercased().filter { $0 != "." }
        switch name {
        case "AM": return setHalf(0, of: &date)
        case "PM": return setHalf(12, of: &date)
        default: break
        }
        for prefix in ["GMT", "UTC", "UT", "Z"] where name.hasPrefix(prefix) && name != prefix {
            if let minutes = offset(name.dropFirst(prefix.count)) {
                date.offsetMinutes = minutes
                return true
            }
        }
        if let minutes = hours[name].map({ Int($0 * 60) }) ?? offset(name[...]) {
            date.offsetMinutes = minutes
            return true
        }
        return name.utf8.allSatisfy { $0.isFeedLetter || [0x28, 0x29, 0x2F, 0x5F].contains($0) }
    }

    private static func setHalf(_ hours: Int, of date: inout FeedDate) -> Bool {
        guard (1...12).contains(date.hour) else { return date.hour > 12 && hours == 12 }
        date.hour = date.hour % 12 + hours
        return true
    }

    /// `+0100`, `+01:00`, `+1`, `+1:00`.
    private static func offset(_ text: Substring) -> Int? {
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ (1...4).contains($0.count) && $0.utf8.allSatisfy(\.isFeedDigit) }),
            let first = parts.first.flatMap({ Int($0) })
        else { return nil }
        let long = parts.count == 1 && (parts.first?.count ?? 0) > 2
        let hour = long ? first / 100 : first
        let minute = long ? first % 100 : parts.count == 2 ? Int(parts[1]) ?? 0 : 0
        guard hour <= 15, minute < 60 else { return nil }
        return (sign == "-" ? -1 : 1) * (hour * 60 + minute)
    }

    /// Hours east of UTC. Ambiguous names have the meaning of RFC 5322.
    private static let hours: [String: Double] = [
        "Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "MEZ": 1, "CEST": 2, "MESZ": 2,
        "EET": 2, "EEST": 3, "MSK": 3, "MSD": 4, "IST": 5.5, "HKT": 8, "SGT": 8, "AWST": 8, "JST": 9, "KST": 9,
        "ACST": 9.5, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13, "NST": -3.5, "NDT": -2.5, "BRT": -3, "AST": -4,
        "ADT": -3, "EST": -5, "EDT": -4, "ET": -5, "CST": -6, "CDT": -5, "CT": -6, "MST": -7, "MDT": -6, "MT": -7,
        "PST": -8, "PDT": -7, "PT": -8, "AKST": -9, "AKDT": -8, "HST": -10,
    ]
}
