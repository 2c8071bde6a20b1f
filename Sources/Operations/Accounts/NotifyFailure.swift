// Mails everyone who may publish when a scheduled release fails or a task exhausts its attempts.
import Domain
import Store

package enum NotifyFailure {
    package static let taskKind = "notify_failure"

    /// The database adds the payload in the transaction of the failure. One mail per person and failure of a release,
    /// and one per person, kind of task and day: a task that runs every few seconds fails as often. Without a published
    /// text no mail is sent and the pages alone show the failure.
    package static func write(_ payload: JSONValue, publicURL: String, _ transaction: AuditedTransaction) async throws {
        let dedupe: String
        var values = ["reason": ConstraintRules.sentence(for: payload["reason"]?.stringValue ?? "")]
        if let number = payload["release"]?.integerValue {
            dedupe = "release_failed:\(number):\(payload["at"]?.stringValue ?? "")"
            values["title"] = payload["title"]?.stringValue ?? ""
            values["link"] = publicURL + AdminURL.release(number)
            // It names the entry, unless somebody has reopened the release since.
            if let failure = try await transaction.releases.find(number: number)?.failure { values["reason"] = failure }
        } else {
            let kind = payload["task"]?.stringValue ?? ""
            dedupe = "task_failed:\(kind):\(payload["at"]?.stringValue ?? "")"
            values["title"] = kind
            values["link"] = publicURL + AdminURL.tasks() + "?state=failed"
        }
        do {
            for account in try await transaction.accounts.list(may: .publish) where account.state == .active {
                try await transaction.mails.write(
                    .releaseFailed, to: account.recipient, values, dedupe: "\(dedupe):\(account.id)")
            }
        } catch Failure.refused(code: "mail_text", _) {
            return
        }
    }
}
