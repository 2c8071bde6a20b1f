// Trusts, blocks and erases contributors.
import Domain
import Localization
import Platform
import Store

package struct ManageContributor: Sendable {
    let database: Database

    /// Trusts or blocks the contributor; replaces what was set before. Throws `Failure.invalid` at `/reason` and `/until`.
    package func set(_ draft: ContributorStatusDraft, on id: ID<Contributor>, by actor: Actor) async throws {
        let change = try await change(draft, on: id, by: actor)
        try await database.transaction(by: actor, change.event) { try await change.set($0) }
    }

    /// A checked change of a status, to be written in a transaction.
    struct StatusChange: Sendable {
        let event: AuditEvent
        fileprivate let id: ID<Contributor>
        fileprivate let status: ContributorStatus
        fileprivate let reason: String
        fileprivate let until: SnoozeTime?

        /// With its audit event, in the transaction of another action.
        func write(_ transaction: AuditedTransaction) async throws {
            try await transaction.audit(event)
            try await set(transaction)
        }

        fileprivate func set(_ transaction: AuditedTransaction) async throws {
            let found = try await transaction.reputations.setStatus(
                id, status, reason: reason, until: until, by: transaction.actor)
            if !found { throw Failure.missing("contributor") }
        }
    }

    func change(
        _ draft: ContributorStatusDraft, on id: ID<Contributor>, by actor: Actor
    ) async throws -> StatusChange {
        try actor.require(.decide, tr("trust and block contributors"))
        let reason = try draft.checkedReason()
        try await draft.until?.checkIsFuture(database)
        let before = try await find(id)
        if draft.status == .trusted, before.isFromForm {
            throw Failure.refused(
                code: "name_not_vouched",
                message: tr("Anyone can enter this name in a submission form, so it can't be trusted."))
        }
        var detail = Self.detail(before)
        detail["reason"] = .string(reason)
        detail["until"] = draft.until.map { .string($0.text) } ?? .null
        let event =
            switch draft.status {
            case .trusted: AuditEvent("contributor.trust", on: "contributor", id.description, detail: detail)
            case .blocked: AuditEvent("contributor.block", on: "contributor", id.description, detail: detail)
            }
        return StatusChange(event: event, id: id, status: draft.status, reason: reason, until: draft.until)
    }

    /// Ends trust or a block now; held submissions return to the queue. Throws `Failure.conflict` if the status is another one.
    package func lift(_ status: ContributorStatus, of id: ID<Contributor>, by actor: Actor) async throws {
        try actor.require(.decide, tr("trust and block contributors"))
        let before = try await find(id)
        guard before.status == status else {
            throw Failure.conflict(
                code: "no_status",
                message: status == .blocked
                    ? tr("This contributor is not blocked any more.") : tr("This contributor is not trusted any more."))
        }
        let event =
            switch status {
            case .trusted:
                AuditEvent("contributor.untrust", on: "contributor", id.description, detail: Self.detail(before))
            case .blocked:
                AuditEvent("contributor.unblock", on: "contributor", id.description, detail: Self.detail(before))
            }
        try await database.transaction(by: actor, event) { transaction in
            if try await !transaction.reputations.removeStatus(id) { throw Failure.missing("contributor") }
        }
    }

    /// Erases everything that identifies the contributor and what they sent; their published entries stay. Returns how many
    /// submissions that concerned. Code `contributor_pending` while something of theirs is in the queue.
    package func erase(_ id: ID<Contributor>, by actor: Actor) async throws -> Int {
        try actor.require(.administer, tr("erase contributors"))
        _ = try await find(id)
        // Without the name, which is erased.
        let event = AuditEvent("contributor.erase", on: "contributor", id.description)
        return try await database.transaction(by: actor, event) { transaction in
            return try await transaction.reputations.erase(id).orMissing("contributor")
        }
    }

    /// What is stored about the contributor, as JSON: one document for each submission, then for each report, newest first. `body` gets up to
    /// `batch` of them at a time and says whether to continue.
    package func export(
        _ id: ID<Contributor>, batch: Int = 200, by actor: Actor, _ body: ([String]) throws -> Bool
    ) async throws {
        try actor.require(.administer, tr("export data of contributors"))
        _ = try await find(id)
        let event = AuditEvent("contributor.export", on: "contributor", id.description)
        try await database.transaction(by: actor, event) { _ in }
        var cursor: String?
        repeat {
            let page = try await database.reputations.export(of: id, cursor: cursor, limit: batch)
            guard try body(page.items.map(\.document)) else { return }
            cursor = page.next
        } while cursor != nil
        repeat {
            let page = try await database.reports.export(of: id, cursor: cursor, limit: batch)
            guard try page.items.isEmpty || body(page.items.map(\.document)) else { return }
            cursor = page.next
        } while cursor != nil
    }

    private func find(_ id: ID<Contributor>) async throws -> ReputationRow {
        try await database.reputations.find(id).orMissing("contributor")
    }

    /// The status before a change.
    private static func detail(_ contributor: ReputationRow) -> [String: JSONValue] {
        guard let status = contributor.status else { return [:] }
        return [
            "before": .object([
                "status": .string(status.rawValue), "reason": contributor.reason.map(JSONValue.string) ?? .null,
                "until": contributor.until.map { .string(InstantText.text($0)) } ?? .null,
            ])
        ]
    }
}

extension AuditedTransaction {
    /// Returns a submission to the queue after an action of its contributor: refused or held if they are blocked.
    func reopen(_ id: ID<Submission>, _ blocked: Settings.Intake.Blocked) async throws {
        if try await reputations.isBlocked(id), blocked == .refuse { throw BlockedContributor.failure }
        try await queue.requeue([id])
        try await queue.hold([id])
    }
}
