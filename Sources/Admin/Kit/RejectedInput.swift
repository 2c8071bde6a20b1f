// The text of a rejected form, shown again so that it can be copied.
import Domain
import HTTP

struct RejectedInput: Encodable, Sendable {
    let id: String
    let label: String
    let text: String
    let rows: Int

    init(_ index: Int, _ label: String, _ text: String) {
        id = "unsaved-\(index)"
        self.label = label
        self.text = text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
        // A line fits about 70 characters.
        rows = min(10, lines + text.count / 70)
    }

    /// The text inputs of any form, without secrets, buttons, ids and hidden fields.
    static func all(in request: Request) -> [RejectedInput] {
        guard request.method == "POST" else { return [] }
        let texts = request.form.fields.filter { field in
            !field.value.isEmpty && !hiddenFields.contains(field.name) && !field.name.hasPrefix("was")
                && !field.name.hasPrefix("autosave") && !FormSecrets.contains(field.name)
                && ID<Entry>(field.value) == nil
        }
        return texts.enumerated().map { RejectedInput($0, label($1.name), $1.value) }
    }

    private static let hiddenFields: Set = [
        "action", "base", "mine", "next", "original", "resolve", "seen", TabDraft.field, "type",
    ]

    private static func label(_ name: String) -> String {
        let text = name.replacing("_", with: " ").replacing(".", with: ": ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
