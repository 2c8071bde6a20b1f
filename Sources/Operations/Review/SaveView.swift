// Saves the queue's filters and order as a named view, or deletes a saved view.
import Domain
import Localization
import Store

package struct SaveView: Sendable {
    let database: Database

    /// `query`: the query string of the list.
    package func callAsFunction(
        _ name: String, query: String, isShared: Bool, of account: ID<Account>, by actor: Actor
    ) async throws {
        try actor.require(.readQueue, tr("save views"))
        let name = PlainText.singleLine(name)
        guard !PlainText.isBlank(name) else {
            throw Failure.invalid(FieldErrors("/name", "required", tr("Enter a name for the view.")))
        }
        guard name.unicodeScalars.count <= 60 else {
            throw Failure.invalid(FieldErrors("/name", "too_long", tr("Use at most 60 characters.")))
        }
        let event = AuditEvent(
            "saved_view.create", on: "saved_view", detail: ["name": .string(name), "shared": .bool(isShared)])
        try await database.transaction(by: actor, event) { transaction in
            try await transaction.savedViews.add(name: name, query: query, isShared: isShared, of: account)
        }
    }

    /// Allowed for the owner and, for a shared view, for administrators.
    package func delete(_ id: ID<SavedView>, by actor: Actor) async throws {
        guard let view = try await database.savedViews.find(id) else { throw Failure.missing(tr("saved view")) }
        guard view.owner.uuid == actor.id || (view.isShared && actor.may(.administer)) else {
            throw Failure.forbidden(tr("This view belongs to \(view.ownerName)."))
        }
        let event = AuditEvent(
            "saved_view.delete", on: "saved_view", id.description, detail: ["name": .string(view.name)])
        try await database.transaction(by: actor, event) { transaction in try await transaction.savedViews.remove(id) }
    }
}
