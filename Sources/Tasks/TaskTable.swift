// Every kind of background task: its name, its schedule, and the work it runs.
import Domain
import Operations
import Store

package struct TaskTable: Sendable {
    let kinds: [TaskKind]
    let finished: FinishedTasks

    /// Mails link to `publicURL`. Without `rules` nothing is screened. `isClassified`: an external classifier is asked.
    package init(
        publicURL: String, review: ReviewPolicy, rules: ContentRules?, packs: PackSet, isClassified: Bool = false,
        finished: FinishedTasks = FinishedTasks()
    ) {
        self.finished = finished
        let undo = review.undoWindowMinutes
        kinds =
            packs.tasks + [
                TaskKind(name: "seal_audit", everySeconds: 5, if: .unsealedEvents) { transaction, _ in
                    _ = try await transaction.auditTrail.seal()
                },
                TaskKind(
                    name: "notify_contributors", everySeconds: 5, if: .dueOutcomes(afterMinutes: undo)
                ) { transaction, _ in
                    let count = try await NotifyContributors.write(afterMinutes: undo, rules?.types, transaction)
                    finished.add(.outcome, .done, count)
                },
                // A limited number per second: intake and curators have priority.
                TaskKind(name: "screen", everySeconds: 1, if: .unscreened) { transaction, _ in
                    guard let rules else { return }
                    _ = try await ScreenSubmissions.screen(rules, isClassified: isClassified, transaction)
                },
                TaskKind(name: "train", everySeconds: 30) { transaction, _ in
                    guard let rules, try await TrainScreening.train(rules, transaction) else { return }
                    try await transaction.tasks.add(kind: "train", payload: .object([:]))
                },
                TaskKind(name: ScreenSubmissions.approveKind, everySeconds: nil) { transaction, payload in
                    guard let rules else { return }
                    try await ApproveTrusted.approve(payload, rules, review, transaction)
                },
                TaskKind(name: SetPassword.taskKind, everySeconds: nil) { transaction, payload in
                    try await SetPassword.write(payload, transaction)
                },
                TaskKind(name: NotifyFailure.taskKind, everySeconds: nil) { transaction, payload in
                    try await NotifyFailure.write(payload, publicURL: publicURL, transaction)
                },
                // At midnight UTC.
                TaskKind(name: VerifyRecentChanges.taskKind, everySeconds: 86_400) { transaction, payload in
                    try await VerifyRecentChanges.run(payload, transaction)
                },
                TaskKind(name: "index_search_terms", everySeconds: 5, if: .unindexedChanges) { transaction, _ in
                    _ = try await transaction.searchTerms.index()
                },
                TaskKind(name: "prune", everySeconds: 600) { transaction, _ in try await Self.prune(transaction) },
            ]
    }

    /// Deletes what is not needed any more.
    private static func prune(_ transaction: AuditedTransaction) async throws {
        try await transaction.accounts.sweep()
        try await transaction.autosaves.sweep()
        try await transaction.uploads.sweep()
        try await transaction.tasks.sweep()
        try await transaction.bulkActions.sweep()
        try await transaction.spam.sweep()
        try await transaction.classifier.sweep()
        try await transaction.outbox.sweep()
        _ = try await transaction.searchTerms.removeUnused()
        try await NotifyContributors.eraseEmails(
            of: try await transaction.reports.oldEmails(days: NotifyContributors.emailDays), transaction)
        let old = try await transaction.previews.sweep()
        if old > 0 {
            try await transaction.audit(
                AuditEvent("preview.prune", on: "preview", detail: ["previews": .int(Int64(old))]))
            try await transaction.previews.removeOld()
        }
    }

    /// Runs a task of a kind.
    package func run(_ kind: String, _ payload: JSONValue, _ transaction: AuditedTransaction) async throws {
        guard let known = self[kind] else { throw Failure.missing("kind of task: \(kind)") }
        try await known.run(transaction, payload)
    }

    subscript(name: String) -> TaskKind? { kinds.first { $0.name == name } }
}
