// Carries mail, beside the worker so that a slow mail server never holds up a publication.
import EventLoop
import Mail
import Platform
import Store

/// One per daemon; any number of daemons share the mails.
package final class MailDispatcher: Sendable {
    private let send: SendMail
    private let pollMilliseconds: Int
    private let rounds: PollingLoop

    package init(database: Database, send: SendMail, log: Logger, pollMilliseconds: Int, loop: EventLoop) {
        self.send = send
        self.pollMilliseconds = pollMilliseconds
        rounds = PollingLoop(database: database, channel: "vitrine_mail", log: log, loop: loop)
    }

    package func start() {
        rounds.start(pause: pollMilliseconds) { [self] in
            try await send { self.rounds.isStopping }
            return pollMilliseconds
        }
    }

    /// Ends after the mails at hand.
    package func stop() async { await rounds.stop() }
}
