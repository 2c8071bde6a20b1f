// Every kind of job: its name, how often it comes by itself, and the work it calls.
import Accounts
import Domain
import Review
import Store

struct JobKind: Sendable {
    let name: String
    /// How often a tick is due; nil for jobs that others add.
    let everySeconds: Int?
    let run: @Sendable (Change, JSONValue) async throws -> Void
}

package struct JobTable: Sendable {
    let kinds: [JobKind]

    /// `publicURL` is where mails lead; contributors are told of decisions after `graceMinutes`.
    package init(publicURL: String = "", graceMinutes: Int = 10) {
        kinds = [
            JobKind(name: "seal_audit", everySeconds: 5) { change, _ in _ = try await change.auditTrail.seal() },
            JobKind(name: "tell_started", everySeconds: 5) { change, _ in
                _ = try await change.publications.tellStarted()
            },
            JobKind(name: "tell_contributors", everySeconds: 5) { change, _ in
                try await TellContributors.write(afterMinutes: graceMinutes, change)
            },
            JobKind(name: ChoosePassword.jobKind, everySeconds: nil) { change, payload in
                try await ChoosePassword.write(payload, change)
            },
            JobKind(name: TellFailure.jobKind, everySeconds: nil) { change, payload in
                try await TellFailure.write(payload, publicURL: publicURL, change)
            },
            JobKind(name: "learn_words", everySeconds: 5) { change, _ in _ = try await change.searchWords.learn() },
            JobKind(name: "prune_facts", everySeconds: 600) { change, _ in
                guard try await change.facts.hasOld() else { return }
                try await change.audit(AuditEvent("fact.prune", on: "fact"))
                _ = try await change.facts.prune(limit: 500, by: change.actor)
            },
            JobKind(name: "sweep", everySeconds: 600) { change, _ in
                try await change.accounts.sweep()
                try await change.jobs.sweep()
                try await change.batches.sweep()
                try await change.webhookMessages.sweep()
                try await change.mails.sweep()
                try await change.catalogues.sweep()
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

    subscript(name: String) -> JobKind? { kinds.first { $0.name == name } }
}
