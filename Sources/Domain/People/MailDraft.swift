// What is to be sent to a person, rendered: everything but the link, which is made when it is sent.

package struct MailDraft: Sendable {
    /// What the link in a mail is for. Whoever has it is the person that the mail was sent to.
    package enum Link: String, Sendable, CaseIterable {
        case invitation
        case passwordReset = "password_reset"
        /// To the page that says how a submission stands.
        case status
    }

    /// Keeps the place of the link in the body. No text that people write holds it (`PlainText` takes it out), so that
    /// nothing filled in can stand for a link.
    package static let linkPlace: Character = "\u{1A}"

    package let key: String
    package let recipient: String
    package let account: ID<Account>?
    /// What it is about, where that is a submission.
    package let submission: ID<Submission>?
    package let locale: String
    package let subject: String
    package let body: String
    package let link: Link?
    /// Another mail with the same one is not written.
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
