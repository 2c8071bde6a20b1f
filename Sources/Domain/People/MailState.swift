// The state of an email.

package enum MailState: String, Sendable, CaseIterable, Codable {
    /// Not sent yet, or waiting for a retry.
    case waiting
    /// Accepted by the mail server.
    case sent
    /// Rejected permanently, or out of attempts.
    case failed
    /// Replaced by another email before it was sent.
    case canceled
}
