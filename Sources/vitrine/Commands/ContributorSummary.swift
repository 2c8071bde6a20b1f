// Summarizes a submission's contributor for `queue show`: email, versions, appeal, notifications.
import Domain
import Store

struct ContributorSummary: Sendable {
    private let email: String?
    private let versions: Int
    private let appeal: String?
    private let notifications: [OutcomeRow]

    static func load(_ id: ID<Submission>, _ database: Database) async throws -> ContributorSummary {
        // The lifetime of the status link is not shown.
        let status = try await database.contributors.find(id, days: 1)
        return ContributorSummary(
            email: status?.email.map(EmailAddress.masked),
            versions: try await database.contributors.versions(of: id).count, appeal: status?.appeal,
            notifications: try await database.outcomes.list(of: id))
    }

    var json: JSONValue {
        .object([
            "email": email.map(JSONValue.string) ?? .null, "versions": .int(Int64(versions)),
            "appeal": appeal.map(JSONValue.string) ?? .null,
            "messages": .array(
                notifications.map { notification in
                    .object([
                        "verdict": .string(notification.verdict), "state": .string(notification.state.rawValue),
                        "mail": notification.mail.map { .string($0.rawValue) } ?? .null,
                    ])
                }),
        ])
    }

    var lines: [String] {
        var lines = ["contributor's email: \(email ?? "none")"]
        if versions > 1 { lines.append("version \(versions), resubmitted") }
        if let appeal { lines.append("appeal: \(appeal)") }
        lines += notifications.map { notification in
            "notification of \(notification.verdict): \(notification.state.rawValue)"
                + (notification.mail.map { ", mail \($0.rawValue)" } ?? "")
        }
        return lines
    }
}
