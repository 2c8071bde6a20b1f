// Looks again at what readers see of the catalogs, beside the worker so that a slow source holds up nothing else.
import Catalogs
import Domain
import EventLoop
import Platform
import Store

/// One per daemon. Which items are due is the database's to say; two daemons that look at the same item at once ask twice
/// and write once.
package final class CatalogRefreshLoop: Sendable {
    private static let pauseMilliseconds = 60_000

    private let refresh: RefreshCatalog
    private let log: Logger
    private let rounds: PollingLoop

    package init(database: Database, refresh: RefreshCatalog, log: Logger, loop: EventLoop) {
        self.refresh = refresh
        self.log = log
        rounds = PollingLoop(database: database, channel: "vitrine_catalog", log: log, loop: loop)
    }

    package func start() {
        rounds.start(pause: Self.pauseMilliseconds) { [self] in
            let outcomes = try await refresh.due { self.rounds.isStopping }
            let failed = outcomes.filter(\.isUnanswered).count
            if !outcomes.isEmpty {
                log.info(
                    "catalog items were looked at again",
                    ["items": .integer(outcomes.count), "without_answer": .integer(failed)])
            }
            // More may be due, and the sources answer.
            return outcomes.count >= RefreshCatalog.batch && failed == 0 ? 1000 : Self.pauseMilliseconds
        }
    }

    /// Ends after the item at hand.
    package func stop() async { await rounds.stop() }
}
