// A duration in seconds, parsed from the notations of people, players and feeds.

/// Reads `3723`, `1:02:03`, `62:03` and ISO 8601 durations of days and smaller units, such as `PT1H2M3.5S`.
struct PlayingTime {
    /// Zero or more, at most `longest`.
    let seconds: Double

    /// A hundred years: a greater number is not a duration.
    static let longest: Double = 3_155_760_000

    init?(seconds: Double) {
        guard seconds >= 0, seconds <= Self.longest else { return nil }
        // Rounded to milliseconds, the finest resolution of players.
        self.seconds = (seconds * 1000).rounded() / 1000
    }

    init?(_ written: String) {
        let text = PlainText.singleLine(written).uppercased()
        guard text.utf8.count <= 40 else { return nil }
        var rest = Substring(text).utf8
        let seconds = rest.take("P") ? Self.readISO(&rest) : Self.readClock(&rest)
        guard let seconds, rest.isEmpty else { return nil }
        self.init(seconds: seconds)
    }

    /// `H:MM:SS`, `M:SS` below an hour, or plain seconds with a fraction. The initializer reads all three.
    var text: String {
        let whole = Int(seconds)
        guard seconds == Double(whole) else { return String(seconds) }
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        let start = hours > 0 ? "\(hours):\(minutes < 10 ? "0" : "")\(minutes)" : "\(minutes)"
        return "\(start):\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func readClock(_ rest: inout Substring.UTF8View) -> Double? {
        guard let first = readNumber(&rest) else { return nil }
        var total = first.value
        var parts = 1
        var isWhole = first.isWhole
        while rest.take(":") {
            parts += 1
            // A colon is followed by two digits below 60; only the last part may have a fraction.
            guard isWhole, parts <= 3, rest.prefix(while: \.isASCIIDigit).count == 2,
                let part = readNumber(&rest), part.value < 60
            else { return nil }
            total = total * 60 + part.value
            isWhole = part.isWhole
        }
        return total
    }

    private static func readISO(_ rest: inout Substring.UTF8View) -> Double? {
        var total = 0.0
        var found = 0
        var inTime = false
        var units: [(letter: Unicode.Scalar, seconds: Double)] = [("D", 86_400)]
        while !rest.isEmpty {
            if !inTime, rest.take("T") {
                inTime = true
                units = [("H", 3600), ("M", 60), ("S", 1)]
                // A T without a following time is not a duration.
                found = 0
                continue
            }
            guard let number = readNumber(&rest), let unit = units.firstIndex(where: { rest.take($0.letter) }),
                number.isWhole || units[unit].letter == "S"
            else { return nil }
            total += number.value * units[unit].seconds
            units.removeFirst(unit + 1)
            found += 1
        }
        return found > 0 ? total : nil
    }

    private static func readNumber(_ rest: inout Substring.UTF8View) -> (value: Double, isWhole: Bool)? {
        let digits = rest.prefix(while: \.isASCIIDigit)
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        var text = String(Substring(digits))
        var isWhole = true
        if rest.take(".") || rest.take(",") {
            let fraction = rest.prefix(while: \.isASCIIDigit)
            guard !fraction.isEmpty else { return nil }
            rest = rest.dropFirst(fraction.count)
            text += "." + String(Substring(fraction))
            isWhole = false
        }
        return Double(text).map { ($0, isWhole) }
    }
}
