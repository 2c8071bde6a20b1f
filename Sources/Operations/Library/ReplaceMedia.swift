// Replaces the file of an image, or returns to an earlier version. The image keeps its ID.
import Domain
import Localization
import Platform
import Store

package struct ReplaceMedia: Sendable {
    let database: Database
    let files: EncodedFiles

    /// Returns the number of the new version. Entries show it from their next version on: only publications change published
    /// content, and files never change.
    package func callAsFunction(_ id: ID<Media>, _ upload: [UInt8], by actor: Actor) async throws -> Int {
        try actor.require(.edit, tr("replace images"))
        try await database.access.require(actor, .image(id))
        try await files.checkStore(by: actor)
        guard try await database.media.find(id) != nil else { throw Failure.missing("image") }
        let hash = try await EncodedFiles.hash(of: upload)
        if let same = try await files.image(uploadHash: hash, for: actor) {
            throw Failure.invalid(
                FieldErrors(
                    "/file", "already_stored",
                    same.id == id
                        ? tr("This is the current file.")
                        : tr("The image \"\(same.name)\" has this file. Use that one.")))
        }
        let encoded = try await files.store(upload)
        let new = NewMediaVersion(uploadHash: hash, type: encoded.type, files: encoded.files)
        let event = AuditEvent(
            "media.replace", on: "media", id.description, detail: ["upload_sha256": .string(Hex.text(hash))])
        return try await database.transaction(by: actor, event) { transaction in
            guard try await transaction.mediaVersions.lock(id) != nil else { throw Failure.missing("image") }
            _ = try await transaction.media.setState(id, .stored)
            return try await transaction.mediaVersions.add(new, to: id, by: actor)
        }
    }

    /// Makes an earlier version the current one.
    package func restore(_ number: Int, of id: ID<Media>, by actor: Actor) async throws {
        try actor.require(.edit, tr("replace images"))
        try await database.access.require(actor, .image(id))
        guard let media = try await database.media.find(id),
            let version = try await database.mediaVersions.find(number, of: id)
        else { throw Failure.missing("image") }
        let focus = version.crop.inside(media.crop.outside(media.focus))
        let event = AuditEvent(
            "media.restore", on: "media", id.description,
            detail: ["version": .int(Int64(number)), "previous": .int(Int64(media.version))])
        try await database.transaction(by: actor, event) { transaction in
            guard try await transaction.mediaVersions.lock(id) == media.version else { throw CropMedia.stale }
            try await transaction.mediaVersions.setCurrent(number, of: id)
            _ = try await transaction.media.update(id, alt: media.alt, focus: focus)
        }
    }
}
