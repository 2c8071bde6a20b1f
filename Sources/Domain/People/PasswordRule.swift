// How long a password must and may be. Which ones are too common is known elsewhere.

package enum PasswordRule {
    /// In characters.
    package static let minLength = 12
    /// In bytes, so that hashing takes no longer for a flood of text.
    package static let maxBytes = 256

    /// Takes the password as it was typed: nothing is trimmed or changed. Throws `Failure.invalid`.
    package static func check(_ password: String, pointer: String = "/password") throws(Failure) {
        guard password.count >= minLength else {
            throw .invalid(FieldErrors(pointer, "too_short", "A password has at least \(minLength) characters."))
        }
        guard password.utf8.count <= maxBytes else {
            throw .invalid(FieldErrors(pointer, "too_long", "A password has at most \(maxBytes) bytes."))
        }
    }
}
