// Asks the external classifier, apart from the worker so that a slow service delays neither screening nor a publication.
import EventLoop
import Operations
import Platform
import Store

/// One per daemon; any number of daemons share the submissions, the budget and the breaker.
package final class ClassifierLoop: BackgroundLoop {
    private let classify: ClassifySubmissions
    private let pollMilliseconds: Int
    private let polling: PollingLoop

    package init(
        database: Database, classify: ClassifySubmissions, log: Logger, pollMilliseconds: Int, loop: EventLoop
    ) {
        self.classify = classify
        self.pollMilliseconds = pollMilliseconds
        polling = PollingLoop(database: database, channel: "vitrine_classifier", log: log, loop: loop)
    }

    package func start() {
        polling.start(pause: pollMilliseconds) { [self] in
            let handled = try await classify { self.polling.isStopping }
            // More may wait.
            return handled >= ClassifySubmissions.batch / ClassifySubmissions.concurrency ? 10 : pollMilliseconds
        }
    }

    /// Returns when the current calls are finished.
    package func stop() async { await polling.stop() }
}
