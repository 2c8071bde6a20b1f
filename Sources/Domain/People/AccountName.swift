// The name by which the staff knows a person.

package enum AccountName {
    /// In characters.
    package static let maxLength = 100

    /// The name on one line and trimmed. Throws `Failure.invalid` where it is empty, too long, or holds characters that
    /// turn the direction of writing.
    package static func check(_ written: String, pointer: String = "/name") throws(Failure) -> String {
        let name = PlainText.singleLine(written)
        guard !PlainText.isBlank(name) else {
            throw .invalid(FieldErrors(pointer, "required", "Write a name."))
        }
        guard !PlainText.isLonger(name, than: maxLength), name.utf8.count <= maxLength * 16 else {
            throw .invalid(FieldErrors(pointer, "too_long", "A name has at most \(maxLength) characters."))
        }
        guard !PlainText.holdsNUL(written), !PlainText.holdsBidiControls(name) else {
            throw .invalid(FieldErrors(pointer, "control_characters", "The name holds invisible characters."))
        }
        return name
    }
}
