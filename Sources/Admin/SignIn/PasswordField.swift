// A password field with a show button (B19), and the form's submit button.
import Domain
import Localization

/// The model of `partial/password.html`. Without JavaScript the server renders the form again with the typed password; the
/// page is never cached (`no-store`).
struct PasswordField: Encodable, Sendable {
    let label: String
    /// The label of the submit button.
    let action: String
    let autocomplete: String
    var hint: String?
    var value = ""
    var isShown = false
    var errors: [String] = []

    private enum CodingKeys: String, CodingKey {
        case label, action, autocomplete, hint, value, isShown, errors, describedBy
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(label, forKey: .label)
        try container.encode(action, forKey: .action)
        try container.encode(autocomplete, forKey: .autocomplete)
        try container.encode(hint, forKey: .hint)
        try container.encode(value, forKey: .value)
        try container.encode(isShown, forKey: .isShown)
        try container.encode(errors, forKey: .errors)
        let ids = (hint == nil ? [] : ["password-hint"]) + (errors.isEmpty ? [] : ["password-error"])
        try container.encode(ids.isEmpty ? nil : ids.joined(separator: " "), forKey: .describedBy)
    }

    /// Whether the form was sent only to show or hide the password.
    static func isToggle(_ request: AdminRequest) -> Bool { request.form.first("show") != nil }

    /// The field with the typed password, shown or hidden as requested.
    func typed(_ request: AdminRequest) -> PasswordField {
        var field = self
        field.value = request.form.first("password") ?? ""
        field.isShown = request.form.first("show") == "yes"
        return field
    }

    static var signIn: PasswordField {
        PasswordField(
            label: tr("Password", context: "password field"), action: tr("Sign in"), autocomplete: "current-password")
    }

    static func new(action: String, label: String = tr("Password", context: "password field")) -> PasswordField {
        PasswordField(
            label: label, action: action, autocomplete: "new-password",
            hint: tr("At least 12 characters. A phrase of several words is easy to remember."))
    }
}
