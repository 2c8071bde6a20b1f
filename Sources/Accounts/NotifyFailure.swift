// Writes to those who may publish that something failed by the clock: a release, or a job that used up its attempts.
import Domain
import Store

package enum NotifyFailure {
    package static let taskKind = "notify_failure"

    /// The payload comes from the database, in the transaction of the failure (m0021_mail.sql). One mail a person and
    /// release, and one a person, kind of job and day: a job that comes every few seconds fails as often. Where the text is
    /// not published, the pages alone tell.
    package static func write(_ payload: JSONValue, publicURL: String, _ change: Change) async throws {
        let subject: String
        var values = ["reason": ConstraintRules.sentence(for: payload["reason"]?.stringValue ?? "")]
        if let number = payload["release"]?.integerValue {
            subject = "release_failed:\(number)"
            values["title"] = payload["title"]?.stringValue ?? ""
            values["link"] = "\(publicURL)/releases/\(number)"
        } else {
            let kind = payload["task"]?.stringValue ?? ""
            subject = "task_failed:\(kind):\(payload["at"]?.stringValue ?? "")"
            values["title"] = kind
            values["link"] = "\(publicURL)/schedule"
        }
        do {
            for account in try await change.accounts.who(may: .publish) where account.state == .active {
                try await change.mails.write(
                    .releaseFailed, to: account.recipient, values, dedupe: "\(subject):\(account.id)")
            }
        } catch Failure.refused(code: "mail_text", _) {
            return
        }
    }
}
