// Serves what browsers and researchers look up at fixed paths: where to change a password, whom to tell of a vulnerability.
import Domain
import FoundationEssentials
import HTTP
import Platform

struct WellKnown: Sendable {
    static let prefix = "/.well-known/"
    /// The file says until when it is valid; readers fetch it again.
    private static let validDays = 180

    /// `mailto:` or `https:`; nil without `security.contact`.
    let contact: String?
    let publicURL: String
    let language: String

    init(_ settings: Settings) {
        contact = settings.securityContact
        publicURL = settings.publicURL
        language = settings.language
    }

    /// Nil for paths that are not served.
    func respond(_ request: Request, now: Date = Date()) -> Response? {
        guard request.path.hasPrefix(Self.prefix), request.method == "GET" || request.method == "HEAD" else {
            return nil
        }
        switch request.path.dropFirst(Self.prefix.count) {
        case "change-password": return .redirect(302, to: AdminURL.ownPassword())
        case "security.txt": return contact.map { file(contact: $0, now: now) }
        default: return nil
        }
    }

    private func file(contact: String, now: Date) -> Response {
        .text(securityFile(contact: contact, now: now)).with("X-Content-Type-Options", "nosniff")
    }

    /// RFC 9116.
    private func securityFile(contact: String, now: Date) -> String {
        let day = (now.timeIntervalSince1970 / 86_400).rounded(.down) + Double(Self.validDays)
        let expires = Date(timeIntervalSince1970: day * 86_400)
        return """
            Contact: \(contact)
            Expires: \(expires.formatted(.iso8601))
            Preferred-Languages: \(language)
            Canonical: \(publicURL)\(Self.prefix)security.txt

            """
    }
}
