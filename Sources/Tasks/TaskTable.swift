// Every kind of job: its name, how often it comes by itself, and the work it calls.
import Accounts
import Domain
import Review
import Store

struct TaskKind: Sendable {
    let name: String
    /// How often a tick is due; nil for jobs that others add.
    let everySeconds: Int?
    let run: @Sendable (Change, JSONValue) async throws -> Void
}

package struct TaskTable: Sendable {
    let kinds: [TaskKind]

    /// `publicURL` is where mails lead; contributors are told of decisions after `graceMinutes`.
    /// Without `rules` nothing is screened.
    package init(publicURL: String = "", graceMinutes: Int = 10, rules: ContentRules? = nil) {
        kinds = [
            TaskKind(name: "seal_audit", everySeconds: 5) { change, _ in _ = try await change.auditTrail.seal() },
            TaskKind(name: "notify_started", everySeconds: 5) { change, _ in
                _ = try await change.publications.notifyStarted()
            },
            TaskKind(name: "notify_contributors", everySeconds: 5) { change, _ in
                try await NotifyContributors.write(afterMinutes: graceMinutes, change)
            },
            // So many a second and no more: intake and curators come first.
            TaskKind(name: "screen", everySeconds: 1) { change, _ in
                guard let rules else { return }
                _ = try await ScreenSubmissions.screen(rules, change)
            },
            TaskKind(name: "learn", everySeconds: 30) { change, _ in
                guard let rules, try await TrainScreening.train(rules, change) else { return }
                try await change.tasks.add(kind: "learn", payload: .object([:]))
            },
            TaskKind(name: ScreenSubmissions.approveKind, everySeconds: nil) { change, payload in
                guard let rules else { return }
                try await ApproveTrusted.approve(payload, rules, change)
            },
            TaskKind(name: SetPassword.taskKind, everySeconds: nil) { change, payload in
                try await SetPassword.write(payload, change)
            },
            TaskKind(name: NotifyFailure.taskKind, everySeconds: nil) { change, payload in
                try await NotifyFailure.write(payload, publicURL: publicURL, change)
            },
            TaskKind(name: "index_search_terms", everySeconds: 5) { change, _ in _ = try await change.searchWords.train() },
            TaskKind(name: "prune_observations", everySeconds: 600) { change, _ in
                guard try await change.observations.hasOld() else { return }
                try await change.audit(AuditEvent("observation.prune", on: "observation"))
                _ = try await change.observations.prune(limit: 500, by: change.actor)
            },
            TaskKind(name: "sweep", everySeconds: 600) { change, _ in
                try await change.accounts.sweep()
                try await change.tasks.sweep()
                try await change.bulkActions.sweep()
                try await change.spam.sweep()
                try await change.webhookMessages.sweep()
                try await change.mails.sweep()
                try await change.catalogs.sweep()
                _ = try await change.searchWords.forget()
                let old = try await change.previews.sweep()
                if old > 0 {
                    try await change.audit(
                        AuditEvent("preview.remove", on: "preview", detail: ["previews": .int(Int64(old))]))
                    try await change.previews.removeOld()
                }
            },
        ]
    }

    /// Does the work of a kind, whoever claimed it.
    package func run(_ kind: String, _ payload: JSONValue, _ change: Change) async throws {
        guard let known = self[kind] else { throw Failure.missing("job kind \(kind)") }
        try await known.run(change, payload)
    }

    subscript(name: String) -> TaskKind? { kinds.first { $0.name == name } }
}
