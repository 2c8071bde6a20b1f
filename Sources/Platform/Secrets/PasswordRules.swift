// Says what is wrong with a new password, in words for the person who chose it.

package enum PasswordRules {
    /// In characters as people count them. Long enough that most lists of common passwords are too short.
    package static let minimumLength = 12
    /// In bytes: far beyond what anyone types, so that a form cannot be used to waste memory.
    package static let maximumBytes = 4096

    /// Every objection, as sentences; empty when the password may be used. `email` and `name` may be empty.
    package static func objections(to password: String, email: String = "", name: String = "") -> [String] {
        var objections: [String] = []
        if password.count < minimumLength {
            objections.append("Use at least \(minimumLength) characters; a few words in a row are easy to remember.")
        }
        if password.utf8.count > maximumBytes {
            objections.append("Use at most \(maximumBytes) bytes.")
        }
        if CommonPasswords.contains(password) {
            objections.append("This password is one of the first that people try. Choose another.")
        }
        if resemblesOwner(password, email: email, name: name) {
            objections.append("Leave your name and your address out of the password.")
        }
        return objections
    }

    /// Names of fewer than four letters stand in too many good passwords by chance.
    private static func resemblesOwner(_ password: String, email: String, name: String) -> Bool {
        let password = password.lowercased()
        let mailbox = email.lowercased().prefix { $0 != "@" }
        let words = name.lowercased().split { !$0.isLetter } + mailbox.split { !$0.isLetter } + [mailbox]
        return words.contains { $0.count >= 4 && password.contains($0) }
    }
}
