// Uploads of the pages' script, in parts: each request can be repeated, and continues where the last one ended.
import Domain
import HTTP
import Localization
import Operations
import Store

enum UploadPages {
    private struct Progress: Encodable, Sendable {
        /// The number of bytes that have arrived.
        let received: Int
        /// Once the upload is finished.
        let image: MediaJSON?
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        let account = try request.ownSession().account
        guard let upload = try await request.database.uploads.find(key(request), of: account) else {
            return try missing()
        }
        var image: MediaJSON?
        if let id = upload.media { image = try await request.database.media.find(id).map(MediaJSON.init) }
        return try MediaJSON.response(Progress(received: upload.received, image: image))
    }

    /// 200 or 201 with the image, 200 with the number of bytes so far, 404 for an expired upload, 409 with the number of bytes
    /// if the part begins elsewhere, 413 for a file that is too large.
    static func receive(_ request: AdminRequest) async throws -> Response {
        do {
            let part = ReceiveUpload.Part(
                key: key(request), name: request.form.first("name") ?? "", size: try request.integer("size"),
                start: try request.integer("start"), bytes: request.form.upload("chunk")?.bytes ?? [],
                replaces: try replaced(request))
            let account = try request.ownSession().account
            switch try await request.services.receiveUpload(part, of: account, by: request.actor) {
            case .partial(let received):
                return try MediaJSON.response(Progress(received: received, image: nil))
            case .elsewhere(let received):
                return try MediaJSON.response(Progress(received: received, image: nil), status: 409)
            case .finished(let media, let isNew):
                let received = part.size
                return try MediaJSON.response(
                    Progress(received: received, image: MediaJSON(media)), status: isNew ? 201 : 200)
            }
        } catch Failure.missing {
            return try missing()
        } catch Failure.invalid(let errors) {
            let isTooLarge = errors.items.contains { $0.code == "too_large" }
            return try MediaJSON.response(errors, status: isTooLarge ? 413 : errors.status)
        } catch Failure.refused(let code, let message) {
            return try MediaJSON.response(FieldErrors("", code, message))
        }
    }

    static func cancel(_ request: AdminRequest) async throws -> Response {
        try await request.database.uploads.remove(key(request), of: try request.ownSession().account)
        return .status(204)
    }

    /// The image whose file the upload replaces; nil for a new one.
    private static func replaced(_ request: AdminRequest) throws -> ID<Media>? {
        guard let text = request.form.first("replaces") else { return nil }
        guard let id = ID<Media>(text) else { throw Failure.missing("image") }
        return id
    }

    private static func key(_ request: AdminRequest) -> String { request.parameters["key"] ?? "" }

    private static func missing() throws -> Response {
        let message = tr("This upload has expired. Choose the file again.")
        return try MediaJSON.response(FieldErrors("", "missing", message), status: 404)
    }
}
