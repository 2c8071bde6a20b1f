// Decides the reports of an entry: no action, edited, unpublished, or its contributor blocked.
import Domain
import Localization
import Store

package struct DecideReport: Sendable {
    let database: Database

    /// Decides all reports of a case. Unpublishing and blocking happen in the same transaction. Throws
    /// `Failure.invalid` at `/note` and `/until`, `Failure.conflict` with `already_decided` if somebody was faster, and
    /// `plan_changed` if unpublishing would change other rows than the plan in the draft.
    package func callAsFunction(
        _ id: ID<ReportCase>, _ draft: ReportDecisionDraft, by actor: Actor
    ) async throws {
        try actor.require(.decide, tr("decide reports"))
        let note = try draft.checkedNote()
        guard let found = try await database.reportCases.find(id) else { throw Failure.missing("report_case") }
        if !found.isOpen { throw Self.alreadyDecided(found) }
        try Self.check(draft.outcome, of: found, by: actor)
        let block = draft.outcome == .block ? try await block(found, draft, note, by: actor) : nil
        let event = AuditEvent(
            "report.decide", on: "report_case", id.description,
            detail: [
                "outcome": .string(draft.outcome.rawValue), "entry": .string(found.entry.description),
                "reports": .int(Int64(found.reports)), "note": .string(note),
            ])
        try await database.transaction(by: actor, event) { transaction in
            let unpublishes = draft.outcome == .unpublish && found.liveVersion != nil
            if unpublishes { try await transaction.lock(for: .now) }
            guard try await transaction.reportCases.decide(id, draft.outcome, note: note, by: actor) else {
                throw try await transaction.reportCases.find(id).map(Self.alreadyDecided)
                    ?? Failure.missing("report_case")
            }
            if unpublishes {
                try await transaction.audit(AuditEvent("entry.unpublish", on: "entry", found.entry.description))
                _ = try await transaction.publish(
                    [LiveChange(entry: found.entry, revision: nil)], .now, seen: draft.plan,
                    title: "Unpublish: \(found.title)")
            }
            try await block?.write(transaction)
        }
    }

    /// Whether the outcome fits what happened to the entry.
    private static func check(_ outcome: ReportOutcome, of found: ReportCaseRow, by actor: Actor) throws(Failure) {
        switch outcome {
        case .noAction, .block: break
        case .edit:
            guard found.isEdited else {
                throw .refused(
                    code: "not_edited",
                    message: tr("No newer version of this entry is published. Edit and publish it first."))
            }
        case .unpublish:
            // Somebody has unpublished it; saying so publishes nothing.
            if found.liveVersion != nil { try actor.require(.publish, tr("unpublish entries")) }
        }
    }

    private func block(
        _ found: ReportCaseRow, _ draft: ReportDecisionDraft, _ note: String, by actor: Actor
    ) async throws -> ManageContributor.StatusChange {
        guard let submission = found.submission,
            let contributor = try await database.reputations.find(of: submission)
        else {
            throw Failure.refused(
                code: "no_contributor", message: tr("This entry has no contributor who could be blocked."))
        }
        return try await ManageContributor(database: database).change(
            draft.blocking(note), on: contributor.id, by: actor)
    }

    private static func alreadyDecided(_ found: ReportCaseRow) -> Failure {
        .conflict(
            code: "already_decided",
            message: tr(
                "\(found.decidedBy ?? "") has already decided these reports: \(found.outcome?.label ?? ""). Nothing was changed.",
                context: "report case"))
    }
}
