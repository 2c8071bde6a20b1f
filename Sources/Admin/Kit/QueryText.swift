// The texts of a query or form as all pages read them: trimmed, and nil when they are empty.
import Domain
import HTTP

extension FormFields {
    /// The longest text of a filter; what follows is ignored.
    private static let maxFilterLength = 200

    /// A trimmed field; nil when it is empty.
    func text(_ name: String) -> String? {
        let text = PlainText.singleLine(first(name) ?? "")
        return text.isEmpty ? nil : text
    }

    /// The same for the filter of a list.
    func filterText(_ name: String) -> String? {
        text(name).map { String($0.prefix(Self.maxFilterLength)) }
    }
}

extension AdminRequest {
    /// A trimmed field of the form or query; nil when it is empty.
    package func text(_ name: String) -> String? { (form.contains(name) ? form : query).text(name) }

    /// The cursor of a page of a list; nil, also if it is empty, for the first page.
    package var cursor: String? { text("cursor") }
}
