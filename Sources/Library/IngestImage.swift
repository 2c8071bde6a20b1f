// Takes an image into the library: decoded and encoded anew by the helper, stored, then noted, in this order.
import Domain
import Platform
import Store

package struct IngestImage: Sendable {
    private let database: Database
    private let maker: ImageProcessor
    private let files: any MediaFiles

    package init(database: Database, maker: ImageProcessor, files: any MediaFiles) {
        self.database = database
        self.maker = maker
        self.files = files
    }

    /// The image, and whether it is new: the same bytes again give the image that is there, described as it is.
    package func callAsFunction(
        _ upload: [UInt8], name: String, alt: String, by actor: Actor
    ) async throws -> (media: MediaRow, isNew: Bool) {
        try actor.require(.suggest, "add images")
        let alt = try MediaDescription.checkedAlt(alt)
        let hash = SHA256.hash(upload)
        if let known = try await database.media.find(uploadHash: hash), known.state == .stored { return (known, false) }
        let made = try await maker.files(of: upload)
        let stored = try await store(made)
        let new = NewMedia(
            uploadHash: hash, name: MediaDescription.cleanedName(name), type: made.type, alt: alt, files: stored)
        return try await note(new, by: actor)
    }

    /// Files come before the row: after a crash there may be files without a row, which the sweep removes, and never a
    /// row without its files (R36).
    private func store(_ made: ImageFiles) async throws -> [ImageValue.File] {
        var stored: [ImageValue.File] = []
        for file in made.files {
            let path = MediaPath(of: file.bytes, type: made.type)
            do {
                try await files.put(file.bytes, at: path)
            } catch {
                throw Failure.unavailable("The image cannot be stored now: \(error)")
            }
            stored.append(
                ImageValue.File(
                    path: path.text, width: file.width, height: file.height, bytes: file.bytes.count,
                    sha256: path.sha256))
        }
        return stored
    }

    private func note(_ new: NewMedia, by actor: Actor) async throws -> (media: MediaRow, isNew: Bool) {
        let event = AuditEvent(
            "media.create", on: "media",
            detail: ["name": .string(new.name), "upload_sha256": .string(Hex.text(new.uploadHash))])
        return try await database.change(by: actor, event) { change in
            let id = try await change.media.add(new, by: actor)
            let found =
                if let id { try await change.media.find(id) } else {
                    try await change.media.find(uploadHash: new.uploadHash)
                }
            guard let media = found else { throw Failure.missing("image") }
            // Its files were lost and are here again, unless the program that makes them has changed since.
            if id == nil, media.files == new.files { _ = try await change.media.mark(media.id, .stored) }
            return (media, id != nil)
        }
    }
}
