// Numbers that were counted only up to a limit.

enum CountText {
    /// `64`, or `99+` and `1,000+` if there are more than were counted.
    static func text(_ number: Int, limit: Int) -> String {
        number > limit ? "\(grouped(limit))+" : grouped(number)
    }

    private static func grouped(_ number: Int) -> String {
        number < 1000 ? String(number) : "\(grouped(number / 1000)),\(String(1000 + number % 1000).dropFirst())"
    }
}
