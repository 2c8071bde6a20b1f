// Crops an image. The crop is data of the image: its files are encoded again from the whole image, which stays.
import Domain
import Localization
import Store

package struct CropMedia: Sendable {
    static var stale: Failure {
        .conflict(code: "stale", message: tr("Someone else replaced or cropped this image. Reload the page."))
    }

    let database: Database
    let files: EncodedFiles

    /// `focus` is a point of the whole image. Entries show the crop from their next version on.
    package func callAsFunction(
        _ id: ID<Media>, to crop: ImageCrop, focus: FocalPoint, by actor: Actor
    ) async throws {
        try actor.require(.suggest, tr("edit images"))
        try await database.access.require(actor, .image(id))
        guard let media = try await database.media.find(id) else { throw Failure.missing("image") }
        if media.crop == crop { return }
        let known = try await database.mediaVersions.find(source: media.source, crop, of: id)
        let new = known == nil ? try await encoded(media, crop, by: actor) : nil
        let event = AuditEvent(
            "media.crop", on: "media", id.description,
            detail: [
                "crop": .array([crop.x, crop.y, crop.width, crop.height].map { .number(Double($0) / 1000) }),
                "focus": crop.inside(focus).json,
            ])
        try await database.transaction(by: actor, event) { transaction in
            guard try await transaction.mediaVersions.lock(id) == media.version else { throw Self.stale }
            if let known {
                try await transaction.mediaVersions.setCurrent(known.number, of: id)
            } else if let new {
                _ = try await transaction.mediaVersions.add(new, to: id, by: actor)
            }
            _ = try await transaction.media.update(id, alt: media.alt, focus: crop.inside(focus))
        }
    }

    private func encoded(_ media: MediaRow, _ crop: ImageCrop, by actor: Actor) async throws -> NewMediaVersion {
        try await files.checkStore(by: actor)
        guard let source = try await files.bytes(at: media.source) else {
            throw Failure.refused(
                code: "media_file",
                message: tr("The image's files are missing. Upload the same file again to restore it."))
        }
        let encoded = try await files.store(source, crop: crop)
        guard let version = try await database.mediaVersions.find(media.version, of: media.id) else { throw Self.stale }
        return NewMediaVersion(
            uploadHash: version.uploadHash, type: encoded.type, source: media.source, crop: crop, files: encoded.files)
    }
}
