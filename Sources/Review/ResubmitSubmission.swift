// Takes what a contributor sends again after a return: a new version of the same submission, back in the queue.
import Domain
import Platform
import Store

package struct ResubmitSubmission: Sendable {
    private let database: Database
    private let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    /// Once for each return. `fields` are checked and cleaned as at intake; fields that the contributor's form does not
    /// show stay as they were.
    package func callAsFunction(
        _ followed: FollowedSubmission, _ fields: [String: JSONValue], from address: String, requestID: String? = nil
    ) async throws {
        guard followed.mayAnswer, let asked = followed.standing.decision else {
            throw Failure.conflict(
                code: "already_resubmitted",
                message: "Nothing is asked of you any more. What you sent before has been taken.")
        }
        let submission = followed.row
        let type = try rules.type(named: submission.type)
        var raw = submission.fields.filter { name, _ in type.field(name).map { !Self.isOpen($0) } ?? false }
        raw.merge(fields.filter { name, _ in type.field(name).map(Self.isOpen) ?? true }) { $1 }
        let content = try rules.check(raw, as: type, for: .submission)
        let received = JSONValue.object(["type": .string(type.name), "fields": .object(raw)]).canonicalText
        let actor = Actor(kind: .system, name: "contributor", requestID: requestID, address: address)
        let event = AuditEvent("submission.resubmit", on: "submission", submission.id.description)
        try await database.change(by: actor, event) { change in
            let number = submission.version + 1
            try await change.decisions.add(
                number, on: submission.id, verdict: "resubmit", reason: nil, message: nil, answers: asked, by: actor)
            try await change.contributors.addVersion(
                of: submission.id, decision: number, title: content.title(in: type), fields: content.canonicalText,
                received: received)
            try await change.queue.putBack([submission.id])
        }
    }

    /// Whether the contributor's form shows a field: what needs a look into our own content stays with us.
    package static func isOpen(_ field: Field) -> Bool {
        func needsUs(_ field: Field) -> Bool {
            field.type.isReference || field.type == .catalogItem || field.fields.contains(where: needsUs)
        }
        return field.submittable && !needsUs(field)
    }
}
