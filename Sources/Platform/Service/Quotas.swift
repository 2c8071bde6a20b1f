// The lanes of expensive work whose callers take turns, built once per process.

package struct Quotas: Sendable {
    /// Searches of apps and of the team.
    package let searches: FairLane
    /// Reads of many whole documents, such as copies of the read tables and syndications. Each is short, and all devices of
    /// an app may follow the changes at once.
    package let copies: FairLane

    /// Writes long syndications, and long pages of the admin.
    package static let writers = WorkerPool(threads: 2, waiting: 62)
    /// Computes checksums: 10 MB take 50 ms, in which an event loop would answer nobody.
    package static let checksums = WorkerPool(threads: 1, waiting: 62)
    /// Compresses long responses. Few wait, because each is in memory; others are sent as they are.
    package static let compressors = WorkerPool(threads: 2, waiting: 14)

    /// A whole queue of the slowest searches would take minutes; who waits longer than `longestWait` has given up.
    package init(searches: Int = 2, searchesWaiting: Int = 256, longestWait: Duration = .seconds(5)) {
        self.searches = FairLane(width: searches, waiting: searchesWaiting, longestWait: longestWait)
        copies = FairLane(width: 2, waiting: 2048, longestWait: longestWait)
    }

    package init(_ limits: Settings.Limits) {
        self.init(searches: limits.searches, searchesWaiting: limits.searchesWaiting)
    }
}
