// What a contributor writes to have a rejection looked at again.

package enum Appeal {
    /// In characters.
    package static let maxLength = 2000

    /// The text as it is kept. Throws `Failure.invalid` at `/text`.
    package static func check(_ text: String) throws(Failure) -> String {
        if PlainText.isBlank(text) {
            throw .invalid(FieldErrors("/text", "required", "Say why it should be looked at again."))
        }
        if PlainText.isLonger(text, than: maxLength) {
            throw .invalid(
                FieldErrors("/text", "too_long", "\(text.count) characters; at most \(maxLength) are allowed."))
        }
        if PlainText.holdsNUL(text) {
            throw .invalid(FieldErrors("/text", "control_characters", "NUL characters are not allowed."))
        }
        return text
    }
}
