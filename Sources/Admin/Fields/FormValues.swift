// The values of a submitted form by input name, and their parsed field values.
import Domain
import HTTP

struct FormValues: Sendable {
    private let byName: [String: [String]]

    init(_ form: FormFields) {
        byName = Dictionary(grouping: form.fields, by: \.name).mapValues {
            $0.map { PlainText.withLineFeeds($0.value) }
        }
    }

    func texts(of field: Field, at input: FieldInput) -> [String] {
        let texts = byName[input.name] ?? []
        if field.type == .datetime { return texts + (byName[input.zone] ?? []) }
        // Contributors' forms, and what was saved by older ones, have all five texts of an image under one name.
        if field.type == .image, texts.count < 5, let alt = byName[input.alt]?.last {
            return [texts.first ?? "", alt] + texts.dropFirst()
        }
        // Ids come from checkboxes, one each, or from a text area with all of them.
        guard field.type == .references else { return texts }
        return texts.flatMap { $0.unicodeScalars.split { $0.properties.isWhitespace || $0 == "," }.map(String.init) }
    }

    /// The row keys of a list in their order: the values of the hidden inputs with the list's name.
    func rows(at input: FieldInput) -> [String] {
        var seen: Set<String> = []
        return (byName[input.name] ?? []).filter { seen.insert($0).inserted }
    }

    /// Nil when empty; a value that can't be parsed stays a string. A row without input is `null`, so that indexes
    /// match the form.
    func value(of field: Field, at input: FieldInput) -> JSONValue? {
        guard field.type == .rows else { return field.value(fromForm: texts(of: field, at: input)) }
        let rows = rows(at: input).map { row in
            self.row(of: field) { texts(of: $0, at: FieldInput(of: $0, in: input, row: row)) }
        }
        let untouched = self.row(of: field) { $0.formTexts(of: $0.default) }
        return rows.isEmpty ? nil : .array(rows.map { $0 == untouched ? .null : .object($0) })
    }

    private func row(of field: Field, _ texts: (Field) -> [String]) -> [String: JSONValue] {
        var row: [String: JSONValue] = [:]
        for inner in field.fields { row[inner.name] = inner.value(fromForm: texts(inner)) }
        return row
    }
}
