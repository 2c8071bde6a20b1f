// What `queue show` says of a submission's contributor: the address, versions, the appeal, what was told.
import Domain
import Store

struct ContributorSide: Sendable {
    private let email: String?
    private let versions: Int
    private let appeal: String?
    private let messages: [OutcomeRow]

    static func load(_ id: ID<Submission>, _ database: Database) async throws -> ContributorSide {
        // How long its link works is not told here.
        let standing = try await database.contributors.find(id, days: 1)
        return ContributorSide(
            email: standing?.email.map(EmailAddress.masked),
            versions: try await database.contributors.versions(of: id).count, appeal: standing?.appeal,
            messages: try await database.outcomes.list(of: id))
    }

    var json: JSONValue {
        .object([
            "email": email.map(JSONValue.string) ?? .null, "versions": .int(Int64(versions)),
            "appeal": appeal.map(JSONValue.string) ?? .null,
            "messages": .array(
                messages.map { message in
                    .object([
                        "verdict": .string(message.verdict), "state": .string(message.state.rawValue),
                        "mail": message.mail.map { .string($0.rawValue) } ?? .null,
                    ])
                }),
        ])
    }

    var lines: [String] {
        var lines = ["contributor's address: \(email ?? "none")"]
        if versions > 1 { lines.append("version \(versions), sent again after a return") }
        if let appeal { lines.append("appeal: \(appeal)") }
        lines += messages.map { message in
            "message about \(message.verdict): \(message.state.rawValue)"
                + (message.mail.map { ", mail \($0.rawValue)" } ?? "")
        }
        return lines
    }
}
