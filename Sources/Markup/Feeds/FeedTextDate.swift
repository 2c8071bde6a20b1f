// Parses textual dates such as `Sun, 10 Mar 2024 17:15:00 GMT` and their common variants.

struct FeedTextDate {
    private var date = FeedDate()
    private var day: Int?
    private var month: Int?
    private var year: Int?
    private var hasTime = false
    private var zones: [String] = []

    /// Ignores weekdays, even wrong ones and those of other languages. Parts may be in any order. A month must be English.
    static func rfc822(_ text: String) -> FeedDate? {
        var parsed = FeedTextDate()
        for word in afterWeekday(text).split(whereSeparator: { $0 == " " || $0 == "," }) {
            guard parsed.take(word) else { return nil }
        }
        guard let day = parsed.day, let month = parsed.month, let year = parsed.year else { return nil }
        (parsed.date.year, parsed.date.month, parsed.date.day) = (year, month, day)
        for zone in parsed.zones where !FeedZone.apply(zone, to: &parsed.date) { return nil }
        return parsed.date
    }

    /// The text after a first word that ends with a comma: `mar, 05 Aug 2025` is a Tuesday in Spanish.
    private static func afterWeekday(_ text: String) -> Substring {
        guard let comma = text.firstIndex(of: ","), text[..<comma].allSatisfy({ $0.isLetter || $0 == "." }) else {
            return text[...]
        }
        return text[comma...]
    }

    private mutating func take(_ word: Substring) -> Bool {
        let first = word.utf8.first ?? 0
        if first.isFeedDigit {
            if word.contains(":") { return takeTime(word) }
            if let separator = word.first(where: { "-/.".contains($0) }) { return takeDate(word, separator: separator) }
            return takeNumber(word)
        }
        if first == UInt8(ascii: "(") { return true }
        if let found = Self.index(of: word, in: Self.months) {
            guard month == nil else { return false }
            month = found + 1
            return true
        }
        if Self.index(of: word, in: Self.weekdays) != nil { return true }
        // A zone follows the time; before it, an unknown name is that of a month in another language.
        zones.append(String(word))
        return hasTime || !first.isFeedLetter
    }

    /// A time, optionally followed by a zone or AM/PM.
    private mutating func takeTime(_ word: Substring) -> Bool {
        var scanner = FeedDateScanner(word)
        guard !hasTime, scanner.time(&date) else { return false }
        hasTime = true
        if !scanner.isAtEnd { zones.append(scanner.rest) }
        return true
    }

    /// `10-Mar-2024`, `10.3.2024`, or with slashes, where the day is only clear if a number is greater than 12.
    private mutating func takeDate(_ word: Substring, separator: Character) -> Bool {
        let parts = word.split(separator: separator)
        guard parts.count == 3 else { return parts.count == 1 && takeNumber(parts[0]) }
        if let named = Self.index(of: parts[1], in: Self.months) {
            month = named + 1
            return takeNumber(parts[0]) && takeNumber(parts[2])
        }
        guard let first = Int(parts[0]), let second = Int(parts[1]), separator != "-" else { return false }
        guard separator == "." || first > 12 || second > 12 || first == second else { return false }
        (day, month) = separator == "." || first > 12 ? (first, second) : (second, first)
        return takeNumber(parts[2])
    }

    /// The day comes before the year; a two-digit year is in 1950 to 2049.
    private mutating func takeNumber(_ word: Substring) -> Bool {
        let digits = word.prefix { $0.isNumber }
        let suffix = word.dropFirst(digits.count).lowercased()
        guard let number = Int(digits), ["", "st", "nd", "rd", "th"].contains(suffix) else { return false }
        if day == nil, digits.count <= 2 {
            day = number
        } else if year == nil, (2...4).contains(digits.count) {
            year = digits.count == 4 ? number : digits.count == 3 || number >= 50 ? 1900 + number : 2000 + number
        } else {
            return false
        }
        return true
    }

    /// The index of the name that starts with `word`, which has at least three letters.
    private static func index(of word: Substring, in names: [String]) -> Int? {
        let word = word.lowercased().filter { $0 != "." }
        guard word.count >= 3 else { return nil }
        return names.firstIndex { $0.hasPrefix(word) }
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}
