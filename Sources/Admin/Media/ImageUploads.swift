// The images of an entry's form, uploaded or chosen from the media library, put into the form's fields.
import Domain
import HTTP
import Library
import Store

struct ImageUploads: Sendable {
    /// The form's fields with the ids of the added images.
    let fields: [FormFields.Field]
    let errors: FieldErrors

    static func store(_ request: AdminRequest, _ type: ContentType) async throws -> ImageUploads {
        var fields = request.form.fields
        var errors = FieldErrors()
        let ingest = request.services.ingestImage
        for (field, input) in images(type, request.form) {
            guard let upload = request.form.upload(input.upload) else { continue }
            let name = input.name
            let typed = fields.filter { $0.name == name }.map(\.value)
            let alt = typed.count > 1 ? typed[1] : ""
            do {
                let added = try await ingest(upload.bytes, name: upload.filename, alt: alt, by: request.actor)
                let index = fields.firstIndex { $0.name == name } ?? fields.endIndex
                fields.removeAll { $0.name == name }
                let texts = ["", alt.isEmpty ? added.media.alt : alt, "", "", added.media.id.description]
                fields.insert(
                    contentsOf: texts.map { FormFields.Field(name: name, value: $0) }, at: min(index, fields.count))
            } catch Failure.invalid(let found) {
                for item in found.items { errors.add(input.pointer, item.code, "\(field.label): \(item.message)") }
            }
        }
        if let (input, media) = try await chosen(request, type) {
            let index = fields.firstIndex { $0.name == input.name } ?? fields.endIndex
            fields.removeAll { $0.name == input.name }
            let texts = ["", media.alt, "", "", media.id.description]
            fields.insert(
                contentsOf: texts.map { FormFields.Field(name: input.name, value: $0) }, at: min(index, fields.count))
        }
        return ImageUploads(fields: fields, errors: errors)
    }

    /// The image that was chosen with a button of `ImageSearchPanel`, and its field.
    private static func chosen(
        _ request: AdminRequest, _ type: ContentType
    ) async throws -> (input: FieldInput, media: MediaRow)? {
        let parts = (request.form.first(ImageSearchPanel.pick) ?? "").split(separator: " ").map(String.init)
        guard parts.count == 2, let id = ID<Media>(parts[1]), let media = try await request.database.media.find(id),
            let input = images(type, request.form).map(\.1).first(where: { $0.key == parts[0] })
        else { return nil }
        return (input, media)
    }

    /// The image fields, including those of each row of the form.
    static func images(_ type: ContentType, _ form: FormFields) -> [(Field, FieldInput)] {
        type.fields.flatMap { field in
            let input = FieldInput(of: field)
            if field.type == .image { return [(field, input)] }
            let rows = field.type == .rows ? FormValues(form).rows(at: input) : []
            return rows.flatMap { row in
                field.fields.filter { $0.type == .image }.map { ($0, FieldInput(of: $0, in: input, row: row)) }
            }
        }
    }
}
