// Validates the text of a contributor's appeal against a rejection.
import Localization

package enum Appeal {
    /// The maximum length in characters.
    package static let maxLength = 2000

    /// The text as stored. Throws `Failure.invalid` at `/text`.
    package static func check(_ text: String) throws(Failure) -> String {
        if PlainText.isBlank(text) {
            throw .invalid(FieldErrors("/text", "required", tr("Explain why the decision should be reviewed.")))
        }
        if PlainText.isLonger(text, than: maxLength) {
            throw .invalid(FieldErrors("/text", "too_long", PlainText.tooLong(text, limit: maxLength)))
        }
        if PlainText.containsNUL(text) {
            throw .invalid(FieldErrors("/text", "control_characters", tr("NUL characters are not allowed.")))
        }
        return text
    }
}
