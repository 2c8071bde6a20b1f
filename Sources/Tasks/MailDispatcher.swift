// Sends queued mails, apart from the worker so that a slow mail server never delays a publication.
import EventLoop
import Mail
import Platform
import Store

/// One per daemon; any number of daemons share the queue.
package final class MailDispatcher: Sendable {
    private let send: SendMail
    private let pollMilliseconds: Int
    private let polling: PollingLoop

    package init(database: Database, send: SendMail, log: Logger, pollMilliseconds: Int, loop: EventLoop) {
        self.send = send
        self.pollMilliseconds = pollMilliseconds
        polling = PollingLoop(database: database, channel: "vitrine_mail", log: log, loop: loop)
    }

    package func start() {
        polling.start(pause: pollMilliseconds) { [self] in
            try await send { self.polling.isStopping }
            return pollMilliseconds
        }
    }

    /// Returns when the current mails are finished.
    package func stop() async { await polling.stop() }
}
