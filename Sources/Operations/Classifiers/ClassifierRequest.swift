// What is sent to the external classifier about one submission: its text, never an email or IP address or a name.
import Domain
import FoundationEssentials
import Platform
import Store

struct ClassifierRequest: Sendable {
    static let type = "submission.classify"
    /// Hexadecimal digits of the hash of a contributor.
    private static let hashLength = 32

    /// Of all members that describe the content, and of the URL: equal for equal questions.
    let hash: [UInt8]
    let body: [UInt8]

    /// `record`: the past decisions on the contributor's submissions. Without a contributor that somebody vouches for there
    /// is none.
    init(
        _ submission: ID<Submission>, _ text: ClassifiedText, contributor: ContributorKey?, record: ContributorRecord,
        at now: Date, rules: ClassifierRules
    ) {
        var members = text.members
        hash = SHA256.hash(JSONValue.object(members.merging(["url": .string(rules.url)]) { $1 }).canonicalText)
        members["submission"] = .string(submission.description)
        members["contributor"] =
            contributor.map { contributor in
                .object([
                    "hash": .string(Self.hash(of: contributor, rules.secret)),
                    "approved": .int(Int64(record.approved)), "rejected": .int(Int64(record.rejected)),
                    "spam": .int(Int64(record.spam)),
                ])
            } ?? .null
        let document = JSONValue.object([
            "type": .string(Self.type), "timestamp": .string(InstantText.text(now)), "data": .object(members),
        ])
        body = Array(document.canonicalText.utf8)
    }

    /// The same for the same contributor, and of no use without the secret.
    private static func hash(of contributor: ContributorKey, _ secret: SigningSecret) -> String {
        let message = "contributor \(contributor.client) \(contributor.contributor)"
        return String(Hex.text(HMAC.sha256(key: secret.key, message: Array(message.utf8))).prefix(hashLength))
    }
}
