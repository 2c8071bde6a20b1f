// What the configuration says about mail: through which server, from whom, to whom it may go, how long its links work.
import Domain
import Fetch
import Platform

package struct MailRules: Sendable {
    /// Nil: mails wait until a server is named.
    let server: MailServer?
    let from: String
    let fromName: String
    let publicURL: String
    /// Nil: everybody.
    private let onlyTo: [String]?
    package let invitationHours: Int
    package let resetMinutes: Int
    /// Makes the links to how a submission stands; nil while its key is unusable.
    let statusKey: LinkKey?

    package var isConfigured: Bool { server != nil }

    /// Throws `ConfigurationError` where an address is none.
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
        onlyTo = mail.onlyTo ?? (settings.environment == .test ? [] : nil)
        invitationHours = mail.invitationHours
        resetMinutes = mail.resetMinutes
    }

    /// Why nothing may be sent to an address, as a sentence; nil where it may (B63).
    func objection(to recipient: String) -> String? {
        guard let onlyTo else { return nil }
        let domain = recipient.split(separator: "@").last.map(String.init) ?? ""
        if onlyTo.contains(recipient) || onlyTo.contains(domain) { return nil }
        return "Nothing was sent: mail.only_to does not name \(recipient), nor \(domain)."
    }

    func address(of link: MailDraft.Link, _ token: Token) -> String {
        "\(publicURL)/\(link == .invitation ? "welcome" : "password")/\(token.text)"
    }

    func minutes(of link: MailDraft.Link) -> Int { link == .invitation ? invitationHours * 60 : resetMinutes }
}
