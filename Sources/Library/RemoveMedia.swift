// Removes an image that is shown nowhere. Its files go with the next sweep.
import Domain
import Store

package struct RemoveMedia: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    package func callAsFunction(_ id: ID<Media>, by actor: Actor) async throws {
        try actor.require(.edit, "remove images")
        let event = AuditEvent("media.delete", on: "media", id.description)
        try await database.change(by: actor, event) { change in
            if try await change.media.remove(id) { return }
            guard try await change.media.find(id) != nil else { throw Failure.missing("image") }
            throw Failure.conflict(
                code: "in_use",
                message: "A version of an entry, or a submission that waits, shows this image, so it stays.")
        }
    }
}
