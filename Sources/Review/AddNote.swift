// Adds an internal note to a submission and notifies the people it mentions.
import Domain
import Localization
import Store

package struct AddNote: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Who was mentioned.
    package struct Outcome: Sendable, Encodable {
        /// The number of people who are notified, not counting the author.
        package let notified: Int
        /// Mentions that name nobody, or a first name that several people share.
        package let unknown: [String]

        /// A sentence about the unknown mentions; nil when there are none.
        package var warning: String? {
            unknown.isEmpty
                ? nil
                : tr("\(unknown.joined(separator: ", ")): no or several teammates have this name. Use a full name.")
        }
    }

    /// Mentions are written `@Ann` or `@Ann Example`.
    @discardableResult
    package func callAsFunction(_ text: String, on id: ID<Submission>, by actor: Actor) async throws -> Outcome {
        try actor.require(.decide, tr("write notes"))
        let text = try StaffNote.check(text)
        guard try await database.submissions.find(id) != nil else { throw Failure.missing("submission") }
        let event = AuditEvent("note.create", on: "submission", id.description)
        return try await database.transaction(by: actor, event) { transaction in
            let accounts = try await Self.people(named: text, transaction)
            let mentioned = StaffNote.mentioned(in: text, among: accounts.map { (person: $0.id, name: $0.name) })
                .filter { $0.uuid != actor.id }
            try await transaction.notes.add(text, .note, on: [id], mentioning: mentioned, by: actor)
            return Outcome(
                notified: mentioned.count, unknown: StaffNote.unknownMentions(in: text, among: accounts.map(\.name)))
        }
    }

    /// Marks the actor's mentions on a submission as seen. Reading is not an action, so no audit event is written.
    package func markSeen(_ id: ID<Submission>, by actor: Actor) async throws {
        guard actor.kind == .account, let account = actor.id else { return }
        try await database.work(as: actor) { transaction in try await transaction.notes.markSeen(id, by: ID(account)) }
    }

    static func mentioned(in text: String, _ stores: some Stores) async throws -> [ID<Account>] {
        let accounts = try await people(named: text, stores)
        return StaffNote.mentioned(in: text, among: accounts.map { (person: $0.id, name: $0.name) })
    }

    /// The accounts that a text can mention.
    private static func people(named text: String, _ stores: some Stores) async throws -> [AccountRow] {
        text.contains("@") ? try await stores.accounts.list().filter { !$0.isDisabled } : []
    }
}
