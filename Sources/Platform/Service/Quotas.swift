// The lanes of expensive work whose callers take turns, built once per process.

package struct Quotas: Sendable {
    /// Searches of apps and of the team.
    package let searches: FairLane

    /// A whole queue of the slowest searches would take minutes; who waits longer than `longestWait` has given up.
    package init(searches: Int = 2, searchesWaiting: Int = 256, longestWait: Duration = .seconds(5)) {
        self.searches = FairLane(width: searches, waiting: searchesWaiting, longestWait: longestWait)
    }

    package init(_ limits: Settings.Limits) {
        self.init(searches: limits.searches, searchesWaiting: limits.searchesWaiting)
    }
}
