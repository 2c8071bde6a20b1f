// The texts of a submitted form, by the names of its inputs, and the values that they mean.
import Domain
import HTTP

struct FormValues: Sendable {
    private let byName: [String: [String]]

    init(_ form: FormFields) {
        // Browsers end the lines of a text area with CR LF; we keep LF.
        byName = Dictionary(grouping: form.fields, by: \.name).mapValues {
            $0.map { $0.value.replacing("\r\n", with: "\n") }
        }
    }

    func texts(of field: Field, at place: FieldPointer) -> [String] {
        let texts = byName[place.name] ?? []
        // Ids come from boxes, one each, or from one text that lists them.
        guard field.type == .references else { return texts }
        return texts.flatMap { $0.split { $0.isWhitespace || $0 == "," }.map(String.init) }
    }

    /// The keys of the rows of a list in their order: the values of hidden inputs that have the name of the list.
    func rows(at place: FieldPointer) -> [String] {
        var seen: Set<String> = []
        return (byName[place.name] ?? []).filter { seen.insert($0).inserted }
    }

    /// Nil when nothing was filled in; what cannot be understood stays a text. A row in which nothing was changed is
    /// `null`, so that positions stay those of the form.
    func value(of field: Field, at place: FieldPointer) -> JSONValue? {
        guard field.type == .rows else { return field.value(fromForm: texts(of: field, at: place)) }
        let rows = rows(at: place).map { row in
            self.row(of: field) { texts(of: $0, at: FieldPointer(of: $0, in: place, row: row)) }
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
