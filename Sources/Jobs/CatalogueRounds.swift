// Looks again at what readers see of the catalogues, beside the worker so that a slow source holds up nothing else.
import Catalogues
import Domain
import EventLoop
import Platform
import Store

/// One per daemon. Which items are due is the database's to say; two daemons that look at the same item at once ask twice
/// and write once.
package final class CatalogueRounds: Sendable {
    private static let pauseMilliseconds = 60_000

    private let refresh: RefreshCatalogue
    private let log: Logger
    private let rounds: Rounds

    package init(database: Database, refresh: RefreshCatalogue, log: Logger, loop: EventLoop) {
        self.refresh = refresh
        self.log = log
        rounds = Rounds(database: database, channel: "vitrine_catalogue", log: log, loop: loop)
    }

    package func start() {
        rounds.start(pause: Self.pauseMilliseconds) { [self] in
            let outcomes = try await refresh.due { self.rounds.isStopping }
            let failed = outcomes.filter(\.isUnanswered).count
            if !outcomes.isEmpty {
                log.info(
                    "catalogue items were looked at again",
                    ["items": .integer(outcomes.count), "without_answer": .integer(failed)])
            }
            // More may be due, and the sources answer.
            return outcomes.count >= RefreshCatalogue.batch && failed == 0 ? 1000 : Self.pauseMilliseconds
        }
    }

    /// Ends after the item at hand.
    package func stop() async { await rounds.stop() }
}
