// What doctor says about the work of daemons: background tasks, webhooks and scheduled releases.
import Domain
import FoundationEssentials
import Platform
import Store

struct DoctorWork: Sendable {
    private static let shown = 3

    let database: Database
    let settings: Settings

    /// Counts of every kind but mail, whose counts are a finding of their own, and what is overdue of all.
    func tasks(_ counts: [BackgroundTaskCount]) async throws -> DoctorFinding {
        var late = try await database.lateWork.counts(undoMinutes: settings.review.undoWindowMinutes)
        // Without a mail server, mails wait for one.
        if settings.mail.url == nil { late[.mail] = 0 }
        var parts: [String] = []
        var advice: [String] = []
        for count in counts where count.kind != .mail {
            parts.append("\(Self.name(count.kind)): \(count.waiting) waiting, \(count.failed) failed")
            if count.failed > 0 {
                advice.append("see \"vitrine task list --state failed --kind \(count.kind.rawValue)\"")
            }
        }
        for kind in BackgroundTaskKind.allCases {
            guard let count = late[kind], count > 0 else { continue }
            advice.append("\(Self.name(kind)): \(count) overdue; check that a daemon runs, and its log")
        }
        return DoctorFinding(
            check: "background tasks", ok: advice.isEmpty, detail: (parts + advice).joined(separator: "; "))
    }

    private static func name(_ kind: BackgroundTaskKind) -> String {
        switch kind {
        case .task: "tasks"
        case .mail: "mails"
        case .webhookDelivery: "webhook deliveries"
        case .outcome: "outcomes"
        }
    }

    /// Disabled webhooks, and active ones whose last attempt failed. Somebody paused the others.
    func webhooks() async throws -> DoctorFinding {
        let webhooks = try await database.webhooks.list()
        let problems = webhooks.compactMap { webhook -> String? in
            switch webhook.state {
            case .disabled: "\(webhook.url) is disabled: \(webhook.reason ?? "no reason is recorded")"
            case .active where webhook.wasDelivered == false || webhook.backoffUntil != nil:
                "\(webhook.url) fails: \(webhook.lastError ?? webhook.lastStatus.map { "status \($0)" } ?? "no response"), "
                    + "\(webhook.waiting) deliveries waiting"
            default: nil
            }
        }
        return DoctorFinding(
            check: "webhooks", ok: problems.isEmpty,
            detail: problems.isEmpty
                ? "\(webhooks.count) webhooks"
                : Self.list(problems) + "; repair the receiver, then run \"vitrine webhook resume ID\" (webhook list)")
    }

    /// Scheduled releases that were not published in time, and failed ones.
    func releases() async throws -> DoctorFinding {
        let releases = try await database.lateWork.releases()
        let problems = releases.map { release in
            let due = release.dueAt.formatted(.iso8601)
            return "release \(release.number) (\(release.title)), due at \(due), "
                + (release.failure.map { "failed: \($0)" } ?? "is late: no daemon has published it")
        }
        return DoctorFinding(
            check: "releases", ok: problems.isEmpty,
            detail: problems.isEmpty
                ? "none is late"
                : Self.list(problems) + "; check that a daemon runs, and see \"vitrine release plan NUMBER\"")
    }

    private static func list(_ problems: [String]) -> String {
        let more = problems.count - shown
        return problems.prefix(shown).joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
    }
}
