// Fetches external images, apart from the worker so that a slow server never delays a publication.
import EventLoop
import Operations
import Platform
import Store

/// One per daemon; any number of daemons share the images.
package final class ExternalImageLoop: BackgroundLoop {
    private static let pauseMilliseconds = 10_000

    private let fetch: FetchExternalImages
    private let polling: PollingLoop

    package init(database: Database, fetch: FetchExternalImages, log: Logger, loop: EventLoop) {
        self.fetch = fetch
        polling = PollingLoop(database: database, channel: "vitrine_image", log: log, loop: loop)
    }

    package func start() {
        polling.start(pause: Self.pauseMilliseconds) { [self] in
            let tried = try await fetch { self.polling.isStopping }
            // More may wait.
            return tried >= FetchExternalImages.batch ? 100 : Self.pauseMilliseconds
        }
    }

    /// Returns when the current images are finished.
    package func stop() async { await polling.stop() }
}
