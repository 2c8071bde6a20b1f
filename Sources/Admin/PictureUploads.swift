// The pictures that come with the form of an entry: kept in the media library, then named by the form's own fields.
import Domain
import HTTP
import Library
import Store

struct PictureUploads: Sendable {
    /// The form's fields, in which the pictures that came along stand by their ids.
    let fields: [FormFields.Field]
    let errors: FieldErrors

    static func keep(_ request: AdminRequest, _ type: ContentType) async throws -> PictureUploads {
        var fields = request.form.fields
        var errors = FieldErrors()
        let library = request.context.library
        let keep = KeepPicture(database: request.database, maker: library.maker, files: library.files)
        for field in type.fields where field.type == .picture {
            guard let upload = request.form.upload("upload." + field.name) else { continue }
            let name = FieldForm.inputName(of: field)
            let typed = fields.filter { $0.name == name }.map(\.value)
            let alt = typed.count > 1 ? typed[1] : ""
            do {
                let kept = try await keep(upload.bytes, name: upload.filename, alt: alt, by: request.actor)
                let place = fields.firstIndex { $0.name == name } ?? fields.endIndex
                fields.removeAll { $0.name == name }
                let texts = ["", alt.isEmpty ? kept.media.alt : alt, "", "", kept.media.id.description]
                fields.insert(
                    contentsOf: texts.map { FormFields.Field(name: name, value: $0) }, at: min(place, fields.count))
            } catch Failure.invalid(let found) {
                for item in found.items { errors.add(field.pointer, item.code, "\(field.label): \(item.message)") }
            }
        }
        return PictureUploads(fields: fields, errors: errors)
    }
}
