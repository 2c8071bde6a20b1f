// Signed cookies that outlive a session: they prove that a browser was signed in, so that the text of its form is kept.
import Domain
import FoundationEssentials
import HTTP
import Platform

/// Checked before a body is read, and without the database. It opens nothing: the browser may send a long text, and is
/// shown it.
struct SignInProof: Sendable {
    /// For a month after the last page of a session, as long as text that is not saved is kept.
    static let browser = SignInProof(
        name: "__Host-vitrine_browser", purpose: "browser", path: "/", seconds: 30 * day)

    /// For a sign-in page that carries the text of a form. It may stay open over a weekend.
    static let draft = SignInProof(
        name: "__Secure-vitrine_draft", purpose: "draft", path: AdminURL.login(), seconds: 3 * day)

    private static let day = 86_400

    let name: String
    private let purpose: String
    private let path: String
    private let seconds: Int

    /// The account to which a request's cookie was given; nil without a valid one.
    func account(in request: Request, _ key: LinkKey?) -> ID<Account>? { find(in: request, key)?.account }

    /// The cookie that starts the time again.
    func cookie(for account: ID<Account>, _ key: LinkKey?) -> Cookie? {
        guard let key else { return nil }
        let end = Self.now + seconds
        let value = "\(end).\(key.key(for: purpose).text(for: account.bytes, edition: end))"
        guard var cookie = Cookie(name: name, value: value, maxAge: seconds) else { return nil }
        cookie.path = path
        return cookie
    }

    /// The cookie for somebody who is signed in; nil if the browser got it within the last day.
    func renewal(for account: ID<Account>, in request: Request, _ key: LinkKey?) -> Cookie? {
        if let found = find(in: request, key), found.account == account, found.end > Self.now + seconds - Self.day {
            return nil
        }
        return cookie(for: account, key)
    }

    private static var now: Int { Int(Date().timeIntervalSince1970) }

    private func find(in request: Request, _ key: LinkKey?) -> (account: ID<Account>, end: Int)? {
        guard let key, let parts = request.cookie(name)?.split(separator: ".", maxSplits: 1), parts.count == 2,
            let end = Int(parts[0]), end > Self.now, key.key(for: purpose).isValid(String(parts[1]), edition: end),
            let account = LinkKey.id(in: String(parts[1])).flatMap({ ID<Account>(bytes: $0) })
        else { return nil }
        return (account, end)
    }
}

extension AdminRequest {
    /// The account of which somebody was signed in with this browser; nil if that can't be proved.
    var formerAccount: ID<Account>? {
        SignInProof.draft.account(in: request, context.proofKey)
            ?? SignInProof.browser.account(in: request, context.proofKey)
    }
}
