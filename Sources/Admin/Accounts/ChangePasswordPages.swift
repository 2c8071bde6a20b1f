// The page on which signed-in staff change their own password (S14), or set one if they signed in by a link of an operator.
import Domain
import HTTP
import Localization
import Operations
import Store

enum ChangePasswordPages {
    private struct Model: Encodable, Sendable {
        let email: String
        let hasPassword: Bool
        let current: String
        let currentErrors: [String]
        let password: PasswordField
        let problem: ErrorSummary?
    }

    static func show(
        _ request: AdminRequest, errors: FieldErrors = FieldErrors()
    ) async throws -> Response {
        let account = try await request.ownAccount()
        let hasPassword = account.passwordHash != nil
        var password = PasswordField.new(
            action: hasPassword ? tr("Change password") : tr("Set password"), label: tr("New password"))
        if PasswordField.isToggle(request) { password = password.typed(request) }
        password.errors = errors.messages(at: "/password")
        let model = Model(
            email: account.email, hasPassword: hasPassword,
            // Kept while the new one is shown or hidden, not when the form is refused.
            current: PasswordField.isToggle(request) ? request.form.first("current") ?? "" : "",
            currentErrors: errors.messages(at: "/current"), password: password, problem: ErrorSummary(errors))
        return try request.page(
            "admin/accounts/password", model, title: tr("Your password"),
            status: errors.status)
    }

    static func change(_ request: AdminRequest) async throws -> Response {
        if PasswordField.isToggle(request) { return try await show(request) }
        let session = try request.ownSession()
        return try await request.submit(orShow: { try await show($0, errors: $1) }) {
            try await request.services.changePassword(
                of: try await request.ownAccount(), from: request.form.first("current") ?? "",
                to: request.form.first("password") ?? "", keeping: session.id, by: request.actor)
            let message = tr("Password changed. You're signed out of all other devices.")
            return request.redirect(to: AdminURL.ownAccount(), Flash(message))
        }
    }
}
