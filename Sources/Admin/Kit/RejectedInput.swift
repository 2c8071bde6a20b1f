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
        // A line fits about 70 characters. Counting bytes is enough for a height, and fast for a long text.
        rows = min(10, 1 + text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) + text.utf8.count / 70)
    }

    private init(_ whole: RejectedInput, text: String) {
        (id, label, rows) = (whole.id, whole.label, whole.rows)
        self.text = text
    }

    /// The input with at most so many bytes of its text.
    func prefix(bytes limit: Int) -> RejectedInput {
        let bytes = text.utf8
        guard bytes.count > limit else { return self }
        var end = bytes.index(bytes.startIndex, offsetBy: limit)
        // Not in the middle of a character.
        while UTF8.isContinuation(bytes[end]) { end = bytes.index(before: end) }
        return RejectedInput(self, text: String(text[..<end]))
    }

    /// The text inputs of any form, without secrets, buttons, ids and hidden fields.
    static func fields(of request: Request) -> [FormFields.Field] {
        guard request.method == "POST" else { return [] }
        return request.form.fields.filter { field in
            !field.value.isEmpty && !hiddenFields.contains(field.name) && !field.name.hasPrefix("was")
                && !field.name.hasPrefix("autosave") && !FormSecrets.contains(field.name)
                && ID<Entry>(field.value) == nil
        }
    }

    static func list(_ fields: some Sequence<FormFields.Field>) -> [RejectedInput] {
        fields.enumerated().map { RejectedInput($0, label($1.name), $1.value) }
    }

    private static let hiddenFields: Set = [
        "action", "base", "mine", "next", "original", "resolve", "seen", TabDraft.field, "type",
    ]

    private static func label(_ name: String) -> String {
        let text = name.prefix(100).replacing("_", with: " ").replacing(".", with: ": ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
