// The notes at fields of a decision, as a column of JSON.
import Domain
import Postgres

extension FieldNotes {
    /// Nil for none.
    static func json(_ notes: [String: String]?) -> String? {
        guard let notes, !notes.isEmpty else { return nil }
        return JSONValue.object(notes.mapValues(JSONValue.string)).canonicalText
    }

    static func texts(_ row: Row) throws -> [String: String] {
        ((try row("field_notes") as JSONValue?)?.objectValue ?? [:]).compactMapValues(\.stringValue)
    }
}
