// The length limits of passwords. The list of common passwords is in Accounts.
import Localization

package enum PasswordRule {
    /// The minimum length in characters.
    package static let minLength = 12
    /// The maximum size in bytes, which bounds the cost of hashing.
    package static let maxBytes = 256

    /// Checks the password as typed, without trimming. Throws `Failure.invalid`.
    package static func check(_ password: String, pointer: String = "/password") throws(Failure) {
        guard password.count >= minLength else {
            throw .invalid(FieldErrors(pointer, "too_short", tr("Use at least \(minLength) characters.")))
        }
        guard password.utf8.count <= maxBytes else {
            throw .invalid(FieldErrors(pointer, "too_long", tr("Use at most \(maxBytes) bytes.")))
        }
    }
}
