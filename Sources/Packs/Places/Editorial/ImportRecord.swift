// One unparsed record of an imported file: a line of a table or an object of a JSON document.
import Domain
import Operations

package struct ImportRecord: Sendable {
    /// The location in the file: `line 14` or `object 3`.
    package let location: String
    /// By the name of the column or member, without empty ones.
    package var values: [String: JSONValue]
    /// Why the record can't be read.
    package var problem: String?
    /// Whether it is of a table whose numbers have decimal commas.
    package var hasDecimalCommas = false

    /// The value of the first of these columns that has one.
    func value(of columns: [String]) -> JSONValue? {
        for column in columns {
            if let value = values[column] { return value }
        }
        return nil
    }

    /// The same value as one line of text.
    func text(of columns: [String]) -> String? {
        guard let value = value(of: columns) else { return nil }
        let text = PlainText.singleLine(value.stringValue ?? value.canonicalText)
        return text.isEmpty ? nil : text
    }
}
