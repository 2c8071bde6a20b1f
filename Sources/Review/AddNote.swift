// Adds an internal note to a submission and notifies the people it mentions.
import Domain
import Store

package struct AddNote: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Mentions are written `@Ann` or `@Ann Example`. Returns the number of people mentioned, not counting the author.
    @discardableResult
    package func callAsFunction(_ text: String, on id: ID<Submission>, by actor: Actor) async throws -> Int {
        try actor.require(.decide, "write notes")
        let text = try StaffNote.check(text)
        guard try await database.submissions.find(id) != nil else { throw Failure.missing("submission") }
        let event = AuditEvent("note.create", on: "submission", id.description)
        return try await database.transaction(by: actor, event) { transaction in
            let mentioned = try await Self.mentioned(in: text, transaction).filter { $0.uuid != actor.id }
            try await transaction.notes.add(text, .note, on: [id], mentioning: mentioned, by: actor)
            return mentioned.count
        }
    }

    /// Marks the actor's mentions on a submission as seen. Reading is not an action, so no audit event is written.
    package func markSeen(_ id: ID<Submission>, by actor: Actor) async throws {
        guard actor.kind == .account, let account = actor.id else { return }
        try await database.work(as: actor) { transaction in try await transaction.notes.markSeen(id, by: ID(account)) }
    }

    static func mentioned(in text: String, _ stores: some Stores) async throws -> [ID<Account>] {
        guard text.contains("@") else { return [] }
        let accounts = try await stores.accounts.list().filter { !$0.isDisabled }
        return StaffNote.mentioned(in: text, among: accounts.map { (person: $0.id, name: $0.name) })
    }
}
