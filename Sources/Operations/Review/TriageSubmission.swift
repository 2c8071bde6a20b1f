// Snoozes, assigns or prioritizes a submission in the queue without deciding it.
import Domain
import Localization
import Store

package struct TriageSubmission: Sendable {
    let database: Database

    /// Hides the submission from the queue until a future time; nil unsnoozes it.
    package func snooze(_ id: ID<Submission>, until time: SnoozeTime?, note: String? = nil, by actor: Actor)
        async throws
    {
        try actor.require(.decide, tr("snooze submissions"))
        try await time?.checkIsFuture(database)
        let note = try note.map { try StaffNote.check($0) }
        let event = AuditEvent(
            time == nil ? "submission.unsnooze" : "submission.snooze", on: "submission", id.description,
            detail: time.map { ["until": .string($0.text)] } ?? [:])
        try await change(id, event, by: actor) { transaction in
            if let note { try await transaction.notes.add(note, .snooze, on: [.submission(id)], by: actor) }
            return try await transaction.queue.snooze([id], until: time)
        }
    }

    /// Assigns the submission to a person or a role; nil unassigns it. The assigned person counts as mentioned in the note.
    package func assign(
        _ id: ID<Submission>, to assignee: Assignee?, note: String? = nil, by actor: Actor
    ) async throws {
        try actor.require(.decide, tr("assign submissions"))
        let account = try await Self.account(assignee, database)
        let note = try note.map { try StaffNote.check($0) }
        let event = AuditEvent(
            "submission.assign", on: "submission", id.description,
            detail: ["to": assignee.map { .string($0.text) } ?? .null])
        try await change(id, event, by: actor) { transaction in
            if let note {
                let others = try await AddNote.mentioned(in: note, on: .submission(id), transaction)
                let mentioned = Set(others + [account].compactMap(\.self)).filter { $0.uuid != actor.id }
                try await transaction.notes.add(
                    note, .assign, on: [.submission(id)], mentioning: Array(mentioned), by: actor)
            }
            return try await transaction.queue.assign([id], to: assignee)
        }
    }

    package func setPriority(of id: ID<Submission>, to priority: Priority, by actor: Actor) async throws {
        try actor.require(.decide, tr("set priorities"))
        let event = AuditEvent(
            "submission.update", on: "submission", id.description, detail: ["priority": .string(priority.name)])
        try await change(id, event, by: actor) { transaction in try await transaction.queue.setPriority([id], priority)
        }
    }

    private func change(
        _ id: ID<Submission>, _ event: AuditEvent, by actor: Actor,
        _ body: @Sendable @escaping (AuditedTransaction) async throws -> Int
    ) async throws {
        try await database.transaction(by: actor, event) { transaction in
            if try await body(transaction) == 0 {
                throw Failure.conflict(code: "already_decided", message: tr("This submission was already decided."))
            }
        }
    }

    /// The assigned account, which must be enabled; nil for a role.
    static func account(_ assignee: Assignee?, _ stores: some Stores) async throws -> ID<Account>? {
        guard case .account(let id) = assignee else { return nil }
        guard let account = try await stores.accounts.find(id) else {
            throw Failure.invalid(FieldErrors("/assignee", "reference", tr("No account has this ID.")))
        }
        if account.isDisabled {
            throw Failure.invalid(FieldErrors("/assignee", "choice", tr("\(account.name)’s account is disabled.")))
        }
        return id
    }
}

extension SnoozeTime {
    /// The time must be later than now (>) by the database clock; a number of hours is at most a year.
    func checkIsFuture(_ database: Database) async throws {
        try check()
        guard case .at(let time) = self else { return }
        try await database.releases.requireFuture(time, at: "/until/local")
    }

    package var text: String {
        switch self {
        case .hours(let hours): tr("\(hours) h", context: "snooze time")
        case .at(let time): time.label
        }
    }
}
