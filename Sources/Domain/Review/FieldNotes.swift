// What a reviewer who requests changes says about single fields: the rules.
import Localization

package enum FieldNotes {
    /// The maximum length of a note in characters.
    package static let maxLength = 500

    /// The notes by field, trimmed, without empty ones. Throws `Failure.invalid` with a pointer such as
    /// `/field_notes/title` for each note that is too long, or whose field contributors of this type don't fill in.
    package static func check(_ notes: [String: String], as type: ContentType) throws(Failure) -> [String: String] {
        var errors = FieldErrors()
        var checked: [String: String] = [:]
        for (name, written) in notes.sorted(by: { $0.key < $1.key }) {
            let note = PlainText.trimmed(PlainText.lines(written))
            if PlainText.isBlank(note) { continue }
            let pointer = "/field_notes" + FieldErrors.step(name)
            guard let field = type.field(name), field.isForContributors else {
                let known = type.contributorFields.map(\.name).joined(separator: ", ")
                errors.add(pointer, "unknown_field", tr("Contributors don't fill in this field. Use one of: \(known)."))
                continue
            }
            if PlainText.containsNUL(written) {
                errors.add(pointer, "control_characters", tr("NUL characters are not allowed."))
            } else if PlainText.isLonger(note, than: maxLength) {
                errors.add(pointer, "too_long", "\(field.label): \(PlainText.tooLong(note, limit: maxLength))")
            } else {
                checked[name] = note
            }
        }
        try errors.throwIfAny()
        return checked
    }

    /// The message of a decision with its notes below, for a mail.
    package static func text(_ message: String, _ notes: [String: String], as type: ContentType?) -> String {
        let lines = lines(notes, as: type).map { "\($0.label): \($0.text)" }
        return ([message] + lines).joined(separator: "\n\n")
    }

    /// In the order of the fields. A field that the type no longer has keeps its name.
    package static func lines(_ notes: [String: String], as type: ContentType?) -> [(label: String, text: String)] {
        let known = (type?.fields ?? []).compactMap { field in notes[field.name].map { (field.label, $0) } }
        let others = notes.filter { type?.field($0.key) == nil }.sorted { $0.key < $1.key }
        return known + others.map { ($0.key, $0.value) }
    }
}
