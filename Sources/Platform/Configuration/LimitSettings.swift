// Reads the limits that keep one caller's work from taking the server from others.

extension Settings {
    package struct Limits: Sendable {
        /// Searches that run at once, each on a connection of its own.
        package let searches: Int
        package let searchesWaiting: Int
        /// The longest time for one search, measured by the client.
        package let searchDeadline: Duration

        init(_ read: SettingsReader) {
            searches = read.integer("limits.searches", 2, 1...64, "Searches that run at once.")
            searchesWaiting = read.integer(
                "limits.searches_waiting", 256, 1...10_000, "Searches that wait for their turn, of all callers.")
            searchDeadline = read.duration(
                "limits.search_deadline_ms", 2000, 100...60_000, .millisecond,
                "Longest time for one search, or for one page of a copy or syndication.")
        }
    }
}
