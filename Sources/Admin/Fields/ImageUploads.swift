// The images of an entry's form, uploaded or chosen from the media library, put into the form's fields.
import Domain
import HTTP
import Operations
import Store

struct ImageUploads: Sendable {
    /// The form's fields with the ids of the added images.
    private(set) var fields: [FormFields.Field]
    private(set) var errors: FieldErrors

    /// What a contributor's form brings: as `actor`, and only into these fields.
    static func store(
        _ request: AdminRequest, _ type: ContentType, by actor: Actor, only isShown: (Field) -> Bool
    ) async throws -> ImageUploads {
        let found = images(type, request.form).filter { isShown($0.0) }
        return try await store(request, found, by: actor)
    }

    static func store(_ request: AdminRequest, _ type: ContentType) async throws -> ImageUploads {
        var stored = try await store(request, images(type, request.form), by: request.actor)
        if let (input, texts) = try await chosen(request, type) { stored.fill(input, texts) }
        return stored
    }

    private static func store(
        _ request: AdminRequest, _ inputs: [(Field, FieldInput)], by actor: Actor
    ) async throws -> ImageUploads {
        var stored = ImageUploads(fields: request.form.fields, errors: FieldErrors())
        for (field, input) in inputs {
            guard let upload = request.form.upload(input.upload) else { continue }
            let typed = FormValues(FormFields(stored.fields)).texts(of: field, at: input)
            let alt = typed.count > 1 ? typed[1] : ""
            do {
                let ingest = request.services.ingestImage
                let added = try await ingest(upload.bytes, name: upload.filename, alt: alt, by: actor)
                let text = alt.isEmpty ? added.media.alt : alt
                stored.fill(input, ["", text, "", "", added.media.id.description])
            } catch Failure.invalid(let found) {
                for item in found.items {
                    stored.errors.add(input.pointer, item.code, "\(field.label): \(item.message)")
                }
            }
        }
        return stored
    }

    /// Puts the texts of an image of the library into the inputs of a field.
    private mutating func fill(_ input: FieldInput, _ texts: [String]) {
        let index = fields.firstIndex { $0.name == input.name } ?? fields.endIndex
        fields.removeAll { $0.name == input.name || $0.name == input.alt }
        fields.insert(
            contentsOf: texts.map { FormFields.Field(name: input.name, value: $0) }, at: min(index, fields.count))
    }

    /// The texts of the image that was chosen with a button of `ImageSearchPanel`, none if it was removed, and its field.
    private static func chosen(
        _ request: AdminRequest, _ type: ContentType
    ) async throws -> (input: FieldInput, texts: [String])? {
        let parts = (request.form.first(ImageSearchPanel.pick) ?? "").split(separator: " ").map(String.init)
        guard parts.count == 2,
            let input = images(type, request.form).map(\.1).first(where: { $0.key == parts[0] })
        else { return nil }
        if parts[1] == ImageSearchPanel.none { return (input, []) }
        guard let id = ID<Media>(parts[1]), let media = try await request.database.media.find(id) else { return nil }
        return (input, ["", media.alt, "", "", media.id.description])
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
