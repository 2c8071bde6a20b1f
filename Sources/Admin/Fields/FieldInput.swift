// The name and id of a field's input in a form, and the JSON pointer of its errors.
import Domain

struct FieldInput: Sendable {
    /// The name of the input: `field.title`, `field.screens.2.text`.
    let name: String
    /// `field-title`, `field-screens-2-text`.
    let id: String
    /// `/fields/title`, `/fields/screens/2/text`.
    let pointer: String

    /// The name of its file input: `upload.screens.2.image`.
    var upload: String { "upload." + key }

    /// The name of the input for the zone of a time.
    var zone: String { name + FormZones.suffix }

    /// The name of the input for the alternative text of an image, where it stands apart from the others.
    var alt: String { name + ".alt" }

    /// Its name in the values of buttons: `screens.2.image`.
    var key: String { String(name.dropFirst("field.".count)) }

    init(of field: Field) {
        name = "field." + field.name
        id = "field-" + field.name
        pointer = field.pointer
    }

    /// A field of one row.
    init(of inner: Field, in rows: FieldInput, row: String) {
        name = "\(rows.name).\(row).\(inner.name)"
        id = "\(rows.id)-\(row)-\(inner.name)"
        pointer = "\(rows.pointer)/\(row)" + FieldErrors.step(inner.name)
    }
}
