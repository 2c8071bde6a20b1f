// The pages to accept an invitation (B60) and to reset a forgotten password (B21).
import Domain
import HTTP
import Localization
import Operations
import Platform
import Store

enum PasswordPages {
    // MARK: Forgotten password

    struct ForgotPassword: Encodable, Sendable {
        var email = ""
        var sentTo: String?
        var minutes = 0
        var problem: ErrorSummary?
        var errors: [String] = []
        var isMailConfigured = false
    }

    static func forgotPassword(
        _ request: AdminRequest, _ model: ForgotPassword = ForgotPassword(), status: Int = 200
    ) throws -> Response {
        var model = model
        model.isMailConfigured = request.context.mail.isConfigured
        model.errors = model.problem?.items.map(\.message) ?? []
        return try request.page(
            "admin/sign-in/forgot-password", model, title: tr("Reset your password"), status: status)
    }

    /// One response for every email address, whether or not it has an account.
    static func request(_ request: AdminRequest) async throws -> Response {
        let email = request.form.first("email") ?? ""
        // No mail is promised where none is sent.
        guard request.context.mail.isConfigured else { return try forgotPassword(request, status: 409) }
        return try await request.submit(
            orShow: {
                try forgotPassword($0, ForgotPassword(email: email, problem: ErrorSummary($1)), status: $1.status)
            }
        ) {
            let result = try await request.services.setPassword.request(
                email: email, remoteAddress: request.request.remoteAddress)
            switch result {
            case .accepted:
                let model = ForgotPassword(sentTo: email, minutes: request.context.mail.resetMinutes)
                return try forgotPassword(request, model)
            case .tooMany(let seconds):
                let message = tr("Too many requests. Check your mail, or try again in \(seconds / 60) minutes.")
                let problem = ErrorSummary(FieldErrors("/email", "too_many", message))
                return try forgotPassword(request, ForgotPassword(email: email, problem: problem), status: 429)
                    .with("Retry-After", String(seconds))
            }
        }
    }

    // MARK: New password

    private struct Choice: Encodable, Sendable {
        let action: String
        let isWelcome: Bool
        let heading: String
        let email: String
        let role: String
        let name: String
        let nameErrors: [String]
        let password: PasswordField
        let problem: ErrorSummary?
    }

    /// Opening a link doesn't use it: mail programs and browsers prefetch URLs.
    static func show(
        _ request: AdminRequest, _ purpose: LinkPurpose, errors: FieldErrors = FieldErrors()
    ) async throws -> Response {
        let token = try token(request)
        guard let account = try await request.database.accounts.findLink(tokenHash: token.hash, for: purpose) else {
            throw SetPassword.linkExpired
        }
        let isWelcome = purpose == .invitation
        let heading = isWelcome ? tr("Welcome", context: "choice") : tr("Choose a new password")
        var password = PasswordField.new(action: isWelcome ? tr("Set password and continue") : tr("Set password"))
        if PasswordField.isToggle(request) { password = password.typed(request) }
        password.errors = errors.messages(at: "/password")
        let model = Choice(
            action: request.request.path, isWelcome: isWelcome, heading: heading, email: account.email,
            role: account.role.label,
            name: request.form.first("name") ?? account.name, nameErrors: errors.messages(at: "/name"),
            password: password, problem: ErrorSummary(errors))
        return try request.page(
            "admin/sign-in/choose", model,
            title: heading,
            status: errors.status)
    }

    static func set(_ request: AdminRequest, _ purpose: LinkPurpose) async throws -> Response {
        if PasswordField.isToggle(request) { return try await show(request, purpose) }
        return try await request.submit(
            orShow: { try await show($0, purpose, errors: $1) }
        ) {
            let step = try await request.services.setPassword.set(
                try token(request), for: purpose,
                name: purpose == .invitation ? request.form.first("name") ?? "" : nil,
                password: request.form.first("password") ?? "", remoteAddress: request.request.remoteAddress,
                userAgent: request.request.headers["User-Agent"] ?? "")
            guard let step else { throw SetPassword.linkExpired }
            return try await SignInPages.next(request, step, to: AdminURL.home())
        }
    }

    private static func token(_ request: AdminRequest) throws(Failure) -> Token {
        guard let token = request.parameters["token"].flatMap({ Token(text: $0) }) else {
            throw SetPassword.linkExpired
        }
        return token
    }
}
