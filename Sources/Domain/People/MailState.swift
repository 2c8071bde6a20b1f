// What became of a mail.

package enum MailState: String, Sendable, CaseIterable, Codable {
    /// Not sent so far, or sent again after a while.
    case waiting
    /// Taken by the mail server.
    case sent
    /// Refused for good, or tried for too long.
    case failed
    /// Another mail took its place before it was sent.
    case canceled
}
