// The images that come with the form of an entry, as files or chosen from the media library: named by the form's own fields.
import Domain
import HTTP
import Library
import Store

struct ImageUploads: Sendable {
    /// The form's fields, in which the images that came along stand by their ids.
    let fields: [FormFields.Field]
    let errors: FieldErrors

    static func keep(_ request: AdminRequest, _ type: ContentType) async throws -> ImageUploads {
        var fields = request.form.fields
        var errors = FieldErrors()
        let library = request.context.library
        let keep = IngestImage(database: request.database, maker: library.maker, files: library.files)
        for (field, place) in images(type, request.form) {
            guard let upload = request.form.upload(place.upload) else { continue }
            let name = place.name
            let typed = fields.filter { $0.name == name }.map(\.value)
            let alt = typed.count > 1 ? typed[1] : ""
            do {
                let kept = try await keep(upload.bytes, name: upload.filename, alt: alt, by: request.actor)
                let index = fields.firstIndex { $0.name == name } ?? fields.endIndex
                fields.removeAll { $0.name == name }
                let texts = ["", alt.isEmpty ? kept.media.alt : alt, "", "", kept.media.id.description]
                fields.insert(
                    contentsOf: texts.map { FormFields.Field(name: name, value: $0) }, at: min(index, fields.count))
            } catch Failure.invalid(let found) {
                for item in found.items { errors.add(place.pointer, item.code, "\(field.label): \(item.message)") }
            }
        }
        if let (place, media) = try await chosen(request, type) {
            let index = fields.firstIndex { $0.name == place.name } ?? fields.endIndex
            fields.removeAll { $0.name == place.name }
            let texts = ["", media.alt, "", "", media.id.description]
            fields.insert(
                contentsOf: texts.map { FormFields.Field(name: place.name, value: $0) }, at: min(index, fields.count))
        }
        return ImageUploads(fields: fields, errors: errors)
    }

    /// The image of the library that a button of `ImagePanel` chose, and the field that it is for.
    private static func chosen(
        _ request: AdminRequest, _ type: ContentType
    ) async throws -> (place: FieldPointer, media: MediaRow)? {
        let words = (request.form.first(ImagePanel.pick) ?? "").split(separator: " ").map(String.init)
        guard words.count == 2, let id = ID<Media>(words[1]), let media = try await request.database.media.find(id),
            let place = images(type, request.form).map(\.1).first(where: { $0.key == words[0] })
        else { return nil }
        return (place, media)
    }

    /// The fields for images, those of rows for each row that the form has.
    static func images(_ type: ContentType, _ form: FormFields) -> [(Field, FieldPointer)] {
        type.fields.flatMap { field in
            let place = FieldPointer(of: field)
            if field.type == .image { return [(field, place)] }
            let rows = field.type == .rows ? FormValues(form).rows(at: place) : []
            return rows.flatMap { row in
                field.fields.filter { $0.type == .image }.map { ($0, FieldPointer(of: $0, in: place, row: row)) }
            }
        }
    }
}
