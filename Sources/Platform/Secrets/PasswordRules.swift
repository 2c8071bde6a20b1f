// Checks new passwords and explains problems to their owner.
import Localization

package enum PasswordRules {
    /// In user-perceived characters. Most common passwords are shorter.
    package static let minimumLength = 12
    /// In bytes: far more than anyone types, to limit memory use.
    package static let maximumBytes = 4096

    /// All problems, as sentences; empty if the password is acceptable. `email` and `name` may be empty.
    package static func objections(to password: String, email: String = "", name: String = "") -> [String] {
        var objections: [String] = []
        if password.count < minimumLength {
            objections.append(tr("Use at least \(minimumLength) characters. Several random words work well."))
        }
        if password.utf8.count > maximumBytes {
            objections.append(tr("Use at most \(maximumBytes) bytes."))
        }
        if !password.isEmpty, CommonPasswords.contains(password) {
            objections.append(tr("This password is too common. Choose another one."))
        }
        if resemblesOwner(password, email: email, name: name) {
            objections.append(tr("Don't use your name or email address in the password."))
        }
        return objections
    }

    /// Names with fewer than four letters occur in good passwords by chance.
    private static func resemblesOwner(_ password: String, email: String, name: String) -> Bool {
        let password = password.lowercased()
        let mailbox = email.lowercased().prefix { $0 != "@" }
        let parts = name.lowercased().split { !$0.isLetter } + mailbox.split { !$0.isLetter } + [mailbox]
        return parts.contains { $0.count >= 4 && password.contains($0) }
    }
}
