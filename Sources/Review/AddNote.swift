// Writes an internal note about a submission, and tells those whom it names.
import Domain
import Store

package struct AddNote: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Gives the names of those who are named in it: `@Ann` or `@Ann Example`.
    @discardableResult
    package func callAsFunction(_ text: String, on id: ID<Submission>, by actor: Actor) async throws -> Int {
        try actor.require(.decide, "write notes")
        let text = try StaffNote.check(text)
        guard try await database.submissions.find(id) != nil else { throw Failure.missing("submission") }
        let event = AuditEvent("note.create", on: "submission", id.description)
        return try await database.change(by: actor, event) { change in
            let named = try await Self.mentioned(in: text, change).filter { $0.uuid != actor.id }
            try await change.notes.add(text, .note, on: [id], mentioning: named, by: actor)
            return named.count
        }
    }

    /// Notes that the actor has seen what names them on a submission; to look is no action, and leaves no audit event.
    package func see(_ id: ID<Submission>, by actor: Actor) async throws {
        guard actor.kind == .account, let account = actor.id else { return }
        try await database.work(as: actor) { change in try await change.notes.see(id, by: ID(account)) }
    }

    static func mentioned(in text: String, _ stores: some Stores) async throws -> [ID<Account>] {
        guard text.contains("@") else { return [] }
        let people = try await stores.accounts.list().filter { !$0.isDisabled }
        return StaffNote.mentioned(in: text, among: people.map { (person: $0.id, name: $0.name) })
    }
}
