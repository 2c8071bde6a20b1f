// Adds an image to the library: re-encoded by the helper, stored as files, then recorded, in this order.
import Domain
import Platform
import Localization
import Store

package struct IngestImage: Sendable {
    let database: Database
    let files: EncodedFiles

    /// The image, and whether it is new: uploading the same bytes again returns the existing image unchanged.
    package func callAsFunction(
        _ upload: [UInt8], name: String, alt: String, by actor: Actor
    ) async throws -> (media: MediaRow, isNew: Bool) {
        // The pages of contributors have checked that they may send something.
        if actor.kind != .form, actor.kind != .visitor { try actor.require(.suggest, tr("add images")) }
        let alt = try UpdateMedia.checkedAlt(alt)
        try await files.checkStore(by: actor)
        let hash = try await EncodedFiles.hash(of: upload)
        if let known = try await files.image(uploadHash: hash, for: actor), known.state == .stored {
            return (known, false)
        }
        let encoded = try await files.store(upload)
        let new = NewMedia(
            uploadHash: hash, name: UpdateMedia.cleanedName(name), type: encoded.type, alt: alt, files: encoded.files)
        return try await record(new, by: actor)
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
