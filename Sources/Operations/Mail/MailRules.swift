// The mail settings: server, sender, allowed recipients, and the lifetime of links.
import Domain
import Fetch
import Localization
import Platform

package struct MailRules: Sendable {
    /// Nil: mails stay queued until a server is configured.
    let server: MailServer?
    let from: String
    let fromName: String
    let publicURL: String
    /// Nil: everyone.
    private let onlyTo: [String]?
    package let invitationHours: Int
    package let resetMinutes: Int
    /// Derives the status links of submissions; nil while its key is unusable.
    let statusKey: LinkKey?

    package var isConfigured: Bool { server != nil }

    /// Throws `ConfigurationError` for an invalid sender.
    package init(_ settings: Settings, statusKey: LinkKey? = nil) throws {
        self.statusKey = statusKey
        let mail = settings.mail
        do {
            from = try mail.from.map { try EmailAddress.check($0) } ?? ""
            fromName = try AccountName.check(mail.fromName)
        } catch {
            throw ConfigurationError(problems: ["mail.from and mail.from_name: \((error as? Failure)?.sentence ?? "")"])
        }
        server = mail.url.map { url in
            let password = mail.password
            return MailServer(
                url: url, user: mail.user, password: { password?.reveal() }, isPlain: mail.isPlain, caFile: mail.caFile)
        }
        publicURL = settings.publicURL
        onlyTo = mail.allowedRecipients?.map(Self.stored) ?? (settings.environment == .test ? [] : nil)
        invitationHours = mail.invitationHours
        resetMinutes = mail.resetMinutes
    }

    /// Why sending to a recipient is not allowed, as a sentence; nil if it is allowed (B63).
    func problem(with recipient: String) -> String? {
        guard let onlyTo else { return nil }
        let domain = recipient.split(separator: "@").last.map(String.init) ?? ""
        if onlyTo.contains(recipient) || onlyTo.contains(domain) { return nil }
        return tr("Not sent: mail.allowed_recipients includes neither \(recipient) nor \(domain).")
    }

    /// An address or a domain in the form of stored addresses.
    private static func stored(_ allowed: String) -> String {
        if let at = allowed.lastIndex(of: "@"), at > allowed.startIndex { return EmailAddress.stored(allowed) }
        let domain = allowed.drop { $0 == "@" }
        return String(EmailAddress.stored("a@\(domain)").dropFirst(2))
    }

    func url(of link: MailDraft.Link, _ token: Token) -> String {
        publicURL + (link == .invitation ? AdminURL.invitation : .passwordReset)(token.text)
    }

    func minutes(of link: MailDraft.Link) -> Int { link == .invitation ? invitationHours * 60 : resetMinutes }
}
