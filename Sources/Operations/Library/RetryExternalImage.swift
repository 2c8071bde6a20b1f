// Fetches an external image again that failed or was excluded.
import Domain
import Localization
import Store

package struct RetryExternalImage: Sendable {
    let database: Database

    package func callAsFunction(_ id: ID<ExternalImage>, by actor: Actor) async throws {
        try actor.require(.edit, tr("fetch external images"))
        let event = AuditEvent("external_image.retry", on: "external_image", id.description)
        try await database.transaction(by: actor, event) { transaction in
            if try await transaction.externalImages.retry(id) { return }
            guard try await transaction.externalImages.find(id) != nil else {
                throw Failure.missing(tr("external image"))
            }
            throw Failure.conflict(code: "not_failed", message: tr("This image has not failed."))
        }
    }
}
