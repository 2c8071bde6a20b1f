// A rendered email without its link, which is created when it is sent.

package struct MailDraft: Sendable {
    /// The purpose of the link in an email; it authenticates the recipient.
    package enum Link: String, Sendable, CaseIterable {
        case invitation
        case passwordReset = "password_reset"
        /// To the status page of a submission.
        case status
    }

    /// Marks the position of the link in the body. `PlainText` removes this character from user text, so a filled-in
    /// value
    /// can never become the link.
    package static let linkPlaceholder: Character = "\u{1A}"

    package let key: String
    package let recipient: String
    package let account: ID<Account>?
    /// The submission that the email is about, if any.
    package let submission: ID<Submission>?
    package let locale: String
    package let subject: String
    package let body: String
    package let link: Link?
    /// Deduplication key: a second email with the same key is not created.
    package let dedupe: String

    package init(
        key: String, recipient: String, account: ID<Account>?, submission: ID<Submission>? = nil, locale: String,
        subject: String, body: String,
        link: Link?, dedupe: String
    ) {
        self.key = key
        self.recipient = recipient
        self.account = account
        self.submission = submission
        self.locale = locale
        self.subject = subject
        self.body = body
        self.link = link
        self.dedupe = dedupe
    }
}
