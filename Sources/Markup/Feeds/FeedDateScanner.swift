// Parses dates that start with the year, and times of day.

struct FeedDateScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }

    /// `2024-03-10T17:15:00+01:00`, also with spaces, slashes or no separators, or truncated.
    static func iso8601(_ text: String) -> FeedDate? {
        var scanner = FeedDateScanner(text)
        var date = FeedDate()
        guard let year = scanner.number(4...4) else { return nil }
        date.year = year
        if let mark = scanner.take("-/.") {
            guard let month = scanner.number(1...2) else { return nil }
            date.month = month
            if scanner.take(String(UnicodeScalar(mark))) != nil {
                guard let day = scanner.number(1...2) else { return nil }
                date.day = day
            }
        } else if !scanner.isAtEnd {
            guard let month = scanner.number(2...2), let day = scanner.number(2...2) else { return nil }
            (date.month, date.day) = (month, day)
        }
        if scanner.isAtEnd { return date }
        guard scanner.take("Tt ,") != nil else { return nil }
        while scanner.take(" ") != nil {}
        guard scanner.time(&date) else { return nil }
        return scanner.restIsZone(&date) ? date : nil
    }

    /// `17:15:00.5`, `17:15`, `171500`, `1715`.
    mutating func time(_ date: inout FeedDate) -> Bool {
        guard let hour = number(1...2) else { return false }
        let colon = take(":") != nil
        guard let minute = number(2...2) else { return false }
        (date.hour, date.minute, date.second) = (hour, minute, 0)
        if colon ? take(":") != nil : isAtDigit {
            guard let second = number(1...2) else { return false }
            date.second = second
            if take(".,") != nil { while take("0123456789") != nil {} }
        }
        return true
    }

    /// Whether the rest is a zone, AM/PM or empty.
    private mutating func restIsZone(_ date: inout FeedDate) -> Bool {
        for word in rest.split(separator: " ") where !FeedZone.apply(String(word), to: &date) { return false }
        return true
    }

    var rest: String { String(decoding: bytes[position...], as: UTF8.self) }

    var isAtEnd: Bool { position == bytes.count }

    private var isAtDigit: Bool { position < bytes.count && bytes[position].isFeedDigit }

    /// Consumes the next byte if it is one of these ASCII characters.
    private mutating func take(_ some: String) -> UInt8? {
        guard position < bytes.count, some.utf8.contains(bytes[position]) else { return nil }
        position += 1
        return bytes[position - 1]
    }

    /// Reads digits up to the maximum; nil if there are too few.
    private mutating func number(_ length: ClosedRange<Int>) -> Int? {
        let digits = bytes[position...].prefix(length.upperBound).prefix(while: \.isFeedDigit)
        guard digits.count >= length.lowerBound else { return nil }
        position += digits.count
        return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
}
