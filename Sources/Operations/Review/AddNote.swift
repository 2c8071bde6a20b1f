// Adds an internal note to a submission, entry or contributor and notifies the people it mentions.
import Domain
import Localization
import Store

package struct AddNote: Sendable {
    let database: Database

    /// Who was mentioned.
    package struct Outcome: Sendable, Encodable {
        /// The number of people who are notified, not counting the author.
        package let notified: Int
        /// Mentions that name nobody who can see the submission or entry, or a first name that several people share.
        package let unknown: [String]

        /// A sentence about the unknown mentions; nil when there are none.
        package var warning: String? {
            unknown.isEmpty
                ? nil
                : tr(
                    "\(unknown.joined(separator: ", ")): no teammate who can see this has this name, or several have. "
                        + "Use a full name.")
        }
    }

    /// Mentions are written `@Ann` or `@Ann Example`.
    @discardableResult
    package func callAsFunction(_ text: String, on subject: NoteSubject, by actor: Actor) async throws -> Outcome {
        try actor.require(.decide, tr("write notes"))
        let text = try StaffNote.check(text)
        let event: AuditEvent
        switch subject {
        case .submission(let id):
            guard try await database.submissions.find(id) != nil else { throw Failure.missing("submission") }
            event = AuditEvent("note.create", on: "submission", id.description)
        case .entry(let id):
            guard try await database.entries.find(id) != nil else { throw Failure.missing("entry") }
            event = AuditEvent("note.create", on: "entry", id.description)
        case .contributor(let id):
            guard try await database.reputations.find(id) != nil else { throw Failure.missing("contributor") }
            event = AuditEvent("note.create", on: "contributor", id.description)
        }
        return try await database.transaction(by: actor, event) { transaction in
            let people = try await Self.people(named: text, subject, transaction)
            let mentioned = StaffNote.mentioned(in: text, among: people.map { (person: $0.id, name: $0.name) })
                .filter { $0.uuid != actor.id }
            try await transaction.notes.add(text, .note, on: [subject], mentioning: mentioned, by: actor)
            return Outcome(
                notified: mentioned.count, unknown: StaffNote.unknownMentions(in: text, among: people.map(\.name)))
        }
    }

    /// Adds a note to the submission, entry or contributor with this ID.
    package func callAsFunction(_ text: String, onAny id: ID<Entry>, by actor: Actor) async throws -> Outcome {
        if try await database.entries.find(id) != nil { return try await self(text, on: .entry(id), by: actor) }
        let contributor = ID<Contributor>(id.uuid)
        let isContributor = try await database.reputations.find(contributor) != nil
        return try await self(
            text, on: isContributor ? .contributor(contributor) : .submission(ID(id.uuid)), by: actor)
    }

    /// Marks the actor's mentions on a submission, entry or contributor as seen. Reading is not an action, so no audit event is written.
    package func markSeen(_ subject: NoteSubject, by actor: Actor) async throws {
        guard actor.kind == .account, let account = actor.id else { return }
        guard try await database.notes.unseen(by: ID(account)) > 0 else { return }
        try await database.work(as: actor) { transaction in
            try await transaction.notes.markSeen(subject, by: ID(account))
        }
    }

    static func mentioned(
        in text: String, on subject: NoteSubject, _ stores: some Stores
    ) async throws -> [ID<Account>] {
        let people = try await people(named: text, subject, stores)
        return StaffNote.mentioned(in: text, among: people.map { (person: $0.id, name: $0.name) })
    }

    /// The people that a text can mention.
    private static func people(
        named text: String, _ subject: NoteSubject, _ stores: some Stores
    ) async throws -> [(id: ID<Account>, name: String)] {
        text.contains("@") ? try await stores.notes.readers(of: subject) : []
    }
}
