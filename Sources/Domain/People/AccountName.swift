// Validates the display name of an account.
import Localization

package enum AccountName {
    /// The maximum length in characters.
    package static let maxLength = 100

    /// The name as one trimmed line. Throws `Failure.invalid` if it is empty, too long, or contains bidirectional
    /// controls.
    package static func check(_ written: String, pointer: String = "/name") throws(Failure) -> String {
        let name = PlainText.singleLine(written)
        guard !PlainText.isBlank(name) else {
            throw .invalid(FieldErrors(pointer, "required", tr("Enter a name.")))
        }
        guard !PlainText.isLonger(name, than: maxLength), name.utf8.count <= maxLength * 16 else {
            throw .invalid(FieldErrors(pointer, "too_long", tr("A name can have at most \(maxLength) characters.")))
        }
        guard !PlainText.containsNUL(written), !PlainText.containsBidiControls(name) else {
            throw .invalid(
                FieldErrors(pointer, "control_characters", tr("Remove the invisible characters from the name.")))
        }
        return name
    }
}
