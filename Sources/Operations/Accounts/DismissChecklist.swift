// Hides the checklist of a new deployment from the home page, for everybody.
import Domain
import Localization
import Store

package struct DismissChecklist: Sendable {
    let database: Database

    package func callAsFunction(by actor: Actor) async throws {
        try actor.require(.administer, tr("dismiss the checklist"))
        try await database.transaction(by: actor, AuditEvent("checklist.dismiss", on: "checklist")) {
            try await $0.checklist.dismiss(by: actor)
        }
    }
}
