// Refreshes published catalog items and looks up items that submissions name, apart from the worker so that a slow source delays nothing else.
import Domain
import EventLoop
import Platform
import Store
import Tasks

/// One per daemon. The database decides which items are due; two daemons that refresh the same item at once query its
/// source twice and write once.
package final class CatalogRefreshLoop: BackgroundLoop {
    private static let pauseMilliseconds = 60_000

    private let refresh: RefreshCatalog
    private let find: FindReferenced
    private let log: Logger
    private let polling: PollingLoop

    package init(
        database: Database, refresh: RefreshCatalog, find: FindReferenced, log: Logger, loop: EventLoop
    ) {
        self.refresh = refresh
        self.find = find
        self.log = log
        polling = PollingLoop(database: database, channel: "vitrine_catalog", log: log, loop: loop)
    }

    package func start() {
        polling.start(pause: Self.pauseMilliseconds) { [self] in
            let outcomes = try await refresh.due { self.polling.isStopping }
            let failed = outcomes.filter(\.hasSourceFailed).count
            if !outcomes.isEmpty {
                log.info(
                    "catalog items refreshed",
                    ["items": .integer(outcomes.count), "without_response": .integer(failed)])
            }
            try await find.due { self.polling.isStopping }
            // More may be due, and the sources respond.
            return outcomes.count >= RefreshCatalog.batch && failed == 0 ? 1000 : Self.pauseMilliseconds
        }
    }

    /// Returns when the current item is finished.
    package func stop() async { await polling.stop() }
}
