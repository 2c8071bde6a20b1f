// The recipient of an email: an account or a contributor.

package struct MailRecipient: Sendable {
    package let email: String
    package let name: String
    package let locale: String
    package let account: ID<Account>?

    package init(email: String, name: String, locale: String, account: ID<Account>? = nil) {
        self.email = email
        self.name = name
        self.locale = locale
        self.account = account
    }
}
