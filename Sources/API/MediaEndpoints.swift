// Images: uploaded by portals, and read with their files by apps.
import Domain
import HTTP
import Operations
import Store

enum MediaEndpoints {
    /// `POST /v1/media`: one image per request; 201 once it is stored, 200 if it existed. A submission then
    /// names it: `"image": {"media": "…", "alt": "…"}`.
    static func receive(_ call: APICall) async throws -> Response {
        let client = try call.client()
        let allowance = call.site.submissions.take(client.id.description)
        if let allowance, !allowance.isGranted { throw SubmissionEndpoints.tooMany(allowance) }
        guard case .form(let form) = call.request.body, call.request.contentType?.essence == "multipart/form-data"
        else {
            throw Problem(415, "unsupported_media_type", "Send multipart/form-data with a part named file.")
        }
        let upload = try check(form)
        let library = call.site.context.library
        let kept = try await call.services().ingestImage(
            upload.bytes, name: upload.filename, alt: form.first("alt") ?? "",
            by: client.actor(of: call.request))
        let body = document(kept.media, library.baseURL).canonicalText
        return Response(
            call.request, call.site.headers.unkept, status: kept.isNew ? 201 : 200, body: Array(body.utf8))
    }

    /// One file and at most one text; anything else is an error (S17).
    private static func check(_ form: FormFields) throws -> Upload {
        var errors = FieldErrors()
        for field in form.fields where field.name != "alt" {
            errors.add(FieldErrors.step(field.name), "unknown_field", "Unknown part. Known parts: file, alt.")
        }
        if form.all("alt").count > 1 { errors.add("/alt", "duplicate_key", "Send this only once.") }
        for upload in form.uploads where upload.name != "file" {
            errors.add(FieldErrors.step(upload.name), "unknown_field", "Unknown part. Known parts: file, alt.")
        }
        if form.uploads.count > 1 { errors.add("/file", "duplicate_key", "Send one image per request.") }
        let upload = form.upload("file")
        if upload == nil { errors.add("/file", "required", "This field is required.") }
        try errors.throwIfAny()
        return try upload.orMissing("file")
    }

    private static func document(_ media: MediaRow, _ base: String) -> JSONValue {
        let value = ImageValue.complete(
            media.id, type: media.type, alt: media.alt, own: nil, focus: media.focus, files: media.files)
        var members = value.objectValue ?? [:]
        members["id"] = members.removeValue(forKey: "media")
        members["mime"] = members.removeValue(forKey: "type")
        members["base_url"] = .string(base)
        return .object(members)
    }

    /// `GET /v1/media`
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        let base = read.call.site.context.library.baseURL
        // Also after a base URL, as markup has it: a path has two segments.
        let path = read.query["path"].map { $0.split(separator: "/").suffix(2).joined(separator: "/") }
        let page = try await read.reads.media.page(path: path, cursor: read.cursor)
        if let path, page.count == 0, read.cursor == nil {
            throw Problem.notFound("No published image has the file \u{201C}\(path)\u{201D}.", in: "path")
        }
        return .pageWith(page, ",\"base_url\":\(JSONValue.string(base).canonicalText)")
    }

    /// `GET /v1/media/{id}`
    static func find(_ read: ReadCall) async throws -> ReadResponse {
        guard let id = ID<Media>(read.call.path("id")), let document = try await read.reads.media.find(id) else {
            throw Failure.missing("image")
        }
        let base = JSONValue.string(read.call.site.context.library.baseURL).canonicalText
        return .document(Array("{\"base_url\":\(base),".utf8) + document.dropFirst())
    }
}
