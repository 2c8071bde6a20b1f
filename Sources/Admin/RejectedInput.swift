// What somebody typed into a form that was not taken: shown again, so that it can be copied.
import Domain
import HTTP

struct RejectedInput: Encodable, Sendable {
    let id: String
    let label: String
    let text: String
    let rows: Int

    init(_ index: Int, _ label: String, _ text: String) {
        id = "typed-\(index)"
        self.label = label
        self.text = text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
        // About 70 characters fit into a line.
        rows = min(10, lines + text.count / 70)
    }

    /// The texts of any form: what is a secret, a choice of a button or an id was not typed, and is not shown.
    static func all(in request: Request) -> [RejectedInput] {
        guard request.method == "POST" else { return [] }
        let texts = request.form.fields.filter { field in
            !field.value.isEmpty && !machinery.contains(field.name) && !field.name.hasPrefix("was")
                && !secrets.contains { field.name.contains($0) } && ID<Entry>(field.value) == nil
        }
        return texts.enumerated().map { RejectedInput($0, label($1.name), $1.value) }
    }

    private static let machinery: Set = ["csrf", "action", "base", "began", "mine", "next", "seen", "take", "type"]
    private static let secrets = ["password", "secret", "token"]

    private static func label(_ name: String) -> String {
        let words = name.replacing("_", with: " ").replacing(".", with: ": ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
