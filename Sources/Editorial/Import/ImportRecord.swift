// One record of a file that is imported: a line of a table or an object of a JSON document, not yet understood.
import Domain

package struct ImportRecord: Sendable {
    /// Where it stands: `line 14` or `object 3`.
    package let place: String
    /// By the name of the column or member; what is empty is not in it.
    package var values: [String: JSONValue]
    /// Why it cannot be read at all.
    package var problem: String?

    /// The value of the first of these columns that has one; case does not count.
    func value(of columns: [String]) -> JSONValue? {
        for column in columns {
            if let value = values[column] { return value }
        }
        return nil
    }

    /// The same as one line of text.
    func text(of columns: [String]) -> String? {
        guard let value = value(of: columns) else { return nil }
        let text = PlainText.singleLine(value.stringValue ?? value.canonicalText)
        return text.isEmpty ? nil : text
    }
}
