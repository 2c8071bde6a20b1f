// How long to wait before the next connection attempt.

/// Doubles from 50 ms to 2 s, with some chance in it, so that many connections do not come back as one.
struct ReconnectDelay {
    private static let shortest = 50.0
    private static let longest = 2000.0
    private var milliseconds = shortest

    mutating func next() -> Duration {
        defer { milliseconds = min(milliseconds * 2, ReconnectDelay.longest) }
        return .milliseconds(Int(milliseconds * Double.random(in: 0.75...1)))
    }

    mutating func reset() {
        milliseconds = ReconnectDelay.shortest
    }
}
