// Links from mails: accepting an invitation (B60), and a new password for who forgot theirs (B21).
import Accounts
import Domain
import HTTP
import Platform
import Store

enum PasswordPages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/password", access: .anyone) { try forgotten($0) },
        AdminEndpoint(method: "POST", pattern: "/password", access: .anyone, handler: ask),
        AdminEndpoint(method: "GET", pattern: "/password/{token}", access: .anyone) { try await show($0, .passwordReset) },
        AdminEndpoint(method: "POST", pattern: "/password/{token}", access: .anyone) { try await set($0, .passwordReset) },
        AdminEndpoint(method: "GET", pattern: "/welcome/{token}", access: .anyone) { try await show($0, .invitation) },
        AdminEndpoint(method: "POST", pattern: "/welcome/{token}", access: .anyone) { try await set($0, .invitation) },
    ]

    // MARK: Forgotten

    private struct Forgotten: Encodable, Sendable {
        var email = ""
        var sentTo: String?
        var minutes = 0
        var problem: ErrorSummary?
        var isMailSetUp = false
    }

    private static func forgotten(
        _ request: AdminRequest, _ model: Forgotten = Forgotten(), status: Int = 200
    ) throws -> Response {
        var model = model
        model.isMailSetUp = request.context.mail.isConfigured
        let title = (model.problem == nil ? "" : "Error: ") + "A new password"
        return try request.page("admin/sign-in/forgot-password", model, title: title, status: status)
    }

    /// One answer for every address, whether there is an account or not.
    private static func ask(_ request: AdminRequest) async throws -> Response {
        let email = request.form.first("email") ?? ""
        do {
            let asked = try await SetPassword(database: request.database).ask(
                email: email, address: request.request.remoteAddress)
            switch asked {
            case .taken:
                let model = Forgotten(sentTo: email, minutes: request.context.mail.resetMinutes)
                return try forgotten(request, model)
            case .tooMany(let seconds):
                let sentence = "Links were asked for too often. Look into your mail, or wait \(seconds / 60) minutes."
                let problem = ErrorSummary(FieldErrors("/email", "too_many", sentence))
                return try forgotten(request, Forgotten(email: email, problem: problem), status: 429)
                    .with("Retry-After", String(seconds))
            }
        } catch Failure.invalid(let errors) {
            return try forgotten(request, Forgotten(email: email, problem: ErrorSummary(errors)), status: 422)
        }
    }

    // MARK: Choosing

    private struct Choice: Encodable, Sendable {
        let address: String
        let isWelcome: Bool
        let heading: String
        let email: String
        let role: String
        let name: String
        let nameErrors: [String]
        let password: PasswordField
        let problem: ErrorSummary?
    }

    /// Looking at a link does not use it: mail programs and browsers fetch addresses ahead.
    private static func show(
        _ request: AdminRequest, _ purpose: LinkPurpose, errors: FieldErrors = FieldErrors(), isTyped: Bool = false
    ) async throws -> Response {
        let token = try token(request)
        guard let account = try await request.database.accounts.findLink(tokenHash: token.hash, for: purpose) else {
            throw SetPassword.gone
        }
        let isWelcome = purpose == .invitation
        let heading = isWelcome ? "Welcome" : "A new password"
        var password = PasswordField.new(action: isWelcome ? "Set the password and begin" : "Set the password")
        if isTyped { password = password.typed(request) }
        password.errors = errors.messages(at: "/password")
        let model = Choice(
            address: request.request.path, isWelcome: isWelcome, heading: heading, email: account.email,
            role: account.role.label,
            name: request.form.first("name") ?? account.name, nameErrors: errors.messages(at: "/name"),
            password: password, problem: ErrorSummary(errors))
        return try request.page(
            "admin/sign-in/choose", model,
            title: (errors.isEmpty ? "" : "Error: ") + heading,
            status: errors.isEmpty ? 200 : 422)
    }

    private static func set(_ request: AdminRequest, _ purpose: LinkPurpose) async throws -> Response {
        if PasswordField.isToggle(request) { return try await show(request, purpose, isTyped: true) }
        do {
            let entered = try await SetPassword(database: request.database).set(
                try token(request), for: purpose,
                name: purpose == .invitation ? request.form.first("name") ?? "" : nil,
                password: request.form.first("password") ?? "", address: request.request.remoteAddress,
                agent: request.request.headers["User-Agent"] ?? "", sessionHours: request.context.sessionHours)
            guard let entered else { throw SetPassword.gone }
            return SignInPages.entered(request, entered, to: "/queue")
        } catch Failure.invalid(let errors) {
            return try await show(request, purpose, errors: errors, isTyped: true)
        }
    }

    private static func token(_ request: AdminRequest) throws(Failure) -> Token {
        guard let token = request.parameters["token"].flatMap({ Token(text: $0) }) else { throw SetPassword.gone }
        return token
    }
}
