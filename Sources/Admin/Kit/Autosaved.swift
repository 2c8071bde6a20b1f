// What is typed into a form is saved under its name until the form itself is saved; opening the form again shows it.
import Domain
import HTTP

/// The model of `partial/autosave.html`, which belongs inside the form.
struct Autosaved: Encodable, Sendable {
    /// The URL that opens the form.
    let form: String
    let title: String
    let account: String
    /// The tab whose text is stored, which the page continues; empty for none.
    var from = ""
    /// Increases with each stored text; zero for none.
    var sequence: Int64 = 0
    /// The stored text, and when it was saved.
    var fields = FormFields()
    var savedAt: Instant?
    /// Whether the page shows the stored text.
    var isRestored = false
    /// Whether the page shows what was just submitted, which is newer than anything stored.
    var isTyped = false

    private enum CodingKeys: String, CodingKey {
        case form, title, account, from, sequence, savedAt, isRestored, isTyped
    }
}

/// The names of the hidden fields in `partial/autosave.html`.
enum AutosaveFields {
    static let form = "autosave"
    static let account = "autosave.account"
    static let from = "autosave.from"
    static let tab = "autosave.tab"
    static let sequence = "autosave.sequence"
}

extension FormFields {
    /// Reads `[["name", "value"], ...]`; skips what has another form.
    init(pairs: JSONValue) {
        self.init(
            (pairs.arrayValue ?? []).compactMap { pair in
                guard let pair = pair.arrayValue, pair.count == 2, let name = pair[0].stringValue,
                    let value = pair[1].stringValue
                else { return nil }
                return Field(name: name, value: value)
            })
    }

    /// `[["name", "value"], ...]`
    var pairs: JSONValue { .array(fields.map { .array([.string($0.name), .string($0.value)]) }) }
}
