// Keeps a list of the queue with its filters under a name, or forgets it.
import Domain
import Store

package struct SaveView: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// `query`: the address of the list without its path.
    package func callAsFunction(
        _ name: String, query: String, isShared: Bool, of account: ID<Account>, by actor: Actor
    ) async throws {
        try actor.require(.readQueue, "keep views")
        let name = PlainText.singleLine(name)
        guard !PlainText.isBlank(name) else {
            throw Failure.invalid(FieldErrors("/name", "required", "Give the view a name."))
        }
        guard name.unicodeScalars.count <= 60 else {
            throw Failure.invalid(FieldErrors("/name", "too_long", "A name has at most 60 characters."))
        }
        let event = AuditEvent("saved_view.create", on: "view", detail: ["name": .string(name), "shared": .bool(isShared)])
        try await database.change(by: actor, event) { change in
            try await change.savedViews.add(name: name, query: query, isShared: isShared, of: account)
        }
    }

    /// Its owner may, and for a shared one an administrator.
    package func forget(_ id: ID<SavedView>, by actor: Actor) async throws {
        guard let view = try await database.savedViews.find(id) else { throw Failure.missing("view") }
        guard view.owner.uuid == actor.id || (view.isShared && actor.may(.administer)) else {
            throw Failure.forbidden("This view belongs to \(view.ownerName).")
        }
        let event = AuditEvent("saved_view.delete", on: "view", id.description, detail: ["name": .string(view.name)])
        try await database.change(by: actor, event) { change in try await change.savedViews.remove(id) }
    }
}
