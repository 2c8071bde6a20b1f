// Puts a submission off, hands it on, ranks it, or writes a note about it: what is done in the queue without deciding.
import Domain
import Store

package struct TriageSubmission: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Takes it out of sight until a time that is to come; nil brings it back at once.
    package func snooze(_ id: ID<Submission>, until time: SnoozeTime?, words: String? = nil, by actor: Actor)
        async throws
    {
        try actor.require(.decide, "put submissions off")
        try await time?.checkIsToCome(database)
        let words = try words.map { try StaffNote.check($0) }
        let event = AuditEvent(
            time == nil ? "submission.unsnooze" : "submission.snooze", on: "submission", id.description,
            detail: time.map { ["until": .string($0.words)] } ?? [:])
        try await change(id, event, by: actor) { change in
            if let words { try await change.notes.add(words, .snooze, on: [id], by: actor) }
            return try await change.queue.snooze([id], until: time)
        }
    }

    /// Hands it to one person or to a role, or (nil) to everybody. `words` say why; who gets it is named in them.
    package func assign(
        _ id: ID<Submission>, to assignee: Assignee?, words: String? = nil, by actor: Actor
    ) async throws {
        try actor.require(.decide, "hand submissions on")
        let person = try await Self.person(assignee, database)
        let words = try words.map { try StaffNote.check($0) }
        let event = AuditEvent(
            "submission.assign", on: "submission", id.description,
            detail: ["to": assignee.map { .string($0.text) } ?? .null])
        try await change(id, event, by: actor) { change in
            if let words {
                let others = try await AddNote.mentioned(in: words, change)
                let named = Set(others + [person].compactMap(\.self)).filter { $0.uuid != actor.id }
                try await change.notes.add(words, .assign, on: [id], mentioning: Array(named), by: actor)
            }
            return try await change.queue.assign([id], to: assignee)
        }
    }

    package func rank(_ id: ID<Submission>, _ priority: Priority, by actor: Actor) async throws {
        try actor.require(.decide, "set priorities")
        let event = AuditEvent(
            "submission.update", on: "submission", id.description, detail: ["priority": .string(priority.name)])
        try await change(id, event, by: actor) { change in try await change.queue.rank([id], priority) }
    }

    private func change(
        _ id: ID<Submission>, _ event: AuditEvent, by actor: Actor,
        _ body: @Sendable @escaping (Change) async throws -> Int
    ) async throws {
        try await database.change(by: actor, event) { change in
            if try await body(change) == 0 {
                throw Failure.conflict(code: "already_decided", message: "This submission was decided meanwhile.")
            }
        }
    }

    /// The account that is meant, where one is; it must be able to sign in.
    static func person(_ assignee: Assignee?, _ stores: some Stores) async throws -> ID<Account>? {
        guard case .account(let id) = assignee else { return nil }
        guard let account = try await stores.accounts.find(id) else {
            throw Failure.invalid(FieldErrors("/assignee", "reference", "There is no account with this id."))
        }
        if account.isDisabled {
            throw Failure.invalid(FieldErrors("/assignee", "choice", "\(account.name) cannot sign in any more."))
        }
        return id
    }
}

extension SnoozeTime {
    /// A time must be later than now (>) by the database clock, and at most a year away.
    func checkIsToCome(_ database: Database) async throws {
        try check()
        guard case .at(let time) = self else { return }
        let found = try await database.releases.instant(of: time)
        if found.isPast {
            let sentence = "This time has passed in \(time.zone). Choose a later one."
            throw Failure.invalid(FieldErrors("/until/local", "past", sentence))
        }
    }

    package var words: String {
        switch self {
        case .hours(let hours): "\(hours) h"
        case .at(let time): time.words
        }
    }
}
