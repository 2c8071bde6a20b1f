// Where a field stands in a form: the name and id of its input, and where messages about it point.
import Domain

struct FieldPointer: Sendable {
    /// The name of the input: `field.title`, `field.screens.2.text`.
    let name: String
    /// `field-title`, `field-screens-2-text`.
    let id: String
    /// `/fields/title`, `/fields/screens/2/text`.
    let pointer: String

    /// The name of the input that takes a file for it: `upload.screens.2.image`.
    var upload: String { "upload." + key }

    /// How buttons name it: `screens.2.image`.
    var key: String { String(name.dropFirst("field.".count)) }

    init(of field: Field) {
        name = "field." + field.name
        id = "field-" + field.name
        pointer = field.pointer
    }

    /// A field of one row.
    init(of inner: Field, in rows: FieldPointer, row: String) {
        name = "\(rows.name).\(row).\(inner.name)"
        id = "\(rows.id)-\(row)-\(inner.name)"
        pointer = "\(rows.pointer)/\(row)" + FieldErrors.step(inner.name)
    }
}
