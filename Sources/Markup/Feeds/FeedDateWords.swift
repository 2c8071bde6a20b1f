// Reads dates written in words: `Sun, 10 Mar 2024 17:15:00 GMT` and what people make of it.

struct FeedDateWords {
    private var date = FeedDate()
    private var day: Int?
    private var month: Int?
    private var year: Int?
    private var hasTime = false
    private var zones: [String] = []

    /// Names of days are passed over, right or wrong. Parts may stand in any order.
    static func rfc822(_ text: String) -> FeedDate? {
        var words = FeedDateWords()
        for word in text.split(whereSeparator: { $0 == " " || $0 == "," }) {
            guard words.take(word) else { return nil }
        }
        guard let day = words.day, let month = words.month, let year = words.year else { return nil }
        (words.date.year, words.date.month, words.date.day) = (year, month, day)
        for zone in words.zones where !FeedZone.apply(zone, to: &words.date) { return nil }
        return words.date
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
            month = found + 1
            return true
        }
        if Self.index(of: word, in: Self.weekdays) != nil { return true }
        zones.append(String(word))
        return true
    }

    /// A time, with a zone or half of the day behind it or not.
    private mutating func takeTime(_ word: Substring) -> Bool {
        var scanner = FeedDateScanner(word)
        guard !hasTime, scanner.time(&date) else { return false }
        hasTime = true
        if !scanner.isAtEnd { zones.append(scanner.rest) }
        return true
    }

    /// `10-Mar-2024`, `10.3.2024`, or with slashes, where only a number above 12 says which one is the day.
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

    /// The day comes before the year; a year of two digits is one of 1950 to 2049.
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

    /// A name of at least three letters that one of the names starts with.
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
