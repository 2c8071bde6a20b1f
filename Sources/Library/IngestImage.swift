// Adds an image to the library: re-encoded by the helper, stored as files, then recorded, in this order.
import Domain
import Localization
import Platform
import Store

package struct IngestImage: Sendable {
    private let database: Database
    private let processor: ImageProcessor
    private let files: any MediaFiles

    package init(database: Database, processor: ImageProcessor, files: any MediaFiles) {
        self.database = database
        self.processor = processor
        self.files = files
    }

    /// The image, and whether it is new: uploading the same bytes again returns the existing image unchanged.
    package func callAsFunction(
        _ upload: [UInt8], name: String, alt: String, by actor: Actor
    ) async throws -> (media: MediaRow, isNew: Bool) {
        try actor.require(.suggest, tr("add images"))
        let alt = try UpdateMedia.checkedAlt(alt)
        try await checkStore(by: actor)
        let hash = SHA256.hash(upload)
        if let known = try await database.media.find(uploadHash: hash), known.state == .stored { return (known, false) }
        let encoded = try await processor.files(of: upload)
        let stored = try await store(encoded)
        let new = NewMedia(
            uploadHash: hash, name: UpdateMedia.cleanedName(name), type: encoded.type, alt: alt, files: stored)
        return try await record(new, by: actor)
    }

    private func checkStore(by actor: Actor) async throws {
        do {
            try await VerifyMediaStore(database.identities, files: files)()
        } catch let error as Failure {
            throw error
        } catch let error where actor.kind != .operator {
            throw Self.unavailable(error)
        }
    }

    private static func unavailable(_ error: any Error) -> Failure {
        .unavailable("The image can't be stored. Try again later.", cause: "\(error)")
    }

    /// Files are stored before the row: after a crash there may be files without a row, which the cleanup removes, but
    /// never a row without its files (R36).
    private func store(_ encoded: ImageFiles) async throws -> [ImageValue.File] {
        var stored: [ImageValue.File] = []
        for file in encoded.files {
            let path = MediaPath(of: file.bytes, type: encoded.type)
            do {
                try await files.put(file.bytes, at: path)
            } catch {
                throw Self.unavailable(error)
            }
            stored.append(
                ImageValue.File(
                    path: path.text, width: file.width, height: file.height, bytes: file.bytes.count,
                    sha256: path.sha256))
        }
        return stored
    }

    private func record(_ new: NewMedia, by actor: Actor) async throws -> (media: MediaRow, isNew: Bool) {
        let event = AuditEvent(
            "media.create", on: "media",
            detail: ["name": .string(new.name), "upload_sha256": .string(Hex.text(new.uploadHash))])
        return try await database.transaction(by: actor, event) { transaction in
            let id = try await transaction.media.add(new, by: actor)
            let found =
                if let id { try await transaction.media.find(id) } else {
                    try await transaction.media.find(uploadHash: new.uploadHash)
                }
            guard let media = found else { throw Failure.missing("image") }
            // Its files were missing and are stored again, unless a newer helper encodes them differently.
            if id == nil, media.files == new.files { _ = try await transaction.media.setState(media.id, .stored) }
            return (media, id != nil)
        }
    }
}
