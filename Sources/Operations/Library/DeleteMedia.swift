// Deletes an unused image. Its files are deleted by the next cleanup.
import Domain
import Localization
import Store

package struct DeleteMedia: Sendable {
    let database: Database

    package func callAsFunction(_ id: ID<Media>, by actor: Actor) async throws {
        try actor.require(.edit, tr("delete images"))
        try await database.access.require(actor, .image(id))
        let event = AuditEvent("media.delete", on: "media", id.description)
        try await database.transaction(by: actor, event) { transaction in
            if try await transaction.media.remove(id) { return }
            guard try await transaction.media.find(id) != nil else { throw Failure.missing("image") }
            throw Failure.conflict(
                code: "in_use",
                message:
                    tr(
                        "This image is used by a version of an entry, a catalog item or a pending submission and can't be "
                            + "deleted."))
        }
    }
}
