// Saves a contributor's resubmission after a request for changes: a new version, back in the queue.
import Domain
import Localization
import Platform
import Store

package struct ResubmitSubmission: Sendable {
    private let database: Database
    private let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    /// Allowed once per request for changes. `fields` are validated and sanitized as at intake; fields that the
    /// contributor's form does not show keep their values.
    package func callAsFunction(
        _ tracked: TrackedSubmission, _ fields: [String: JSONValue], from remoteAddress: String,
        requestID: String? = nil
    ) async throws {
        guard tracked.mayResubmit, let request = tracked.status.decision else {
            throw Failure.conflict(
                code: "already_resubmitted",
                message: tr("No changes are requested any more. We have received your earlier resubmission."))
        }
        let submission = tracked.row
        let type = try rules.type(named: submission.type)
        var raw = submission.fields.filter { name, _ in type.field(name).map { !Self.isOpen($0) } ?? false }
        raw.merge(fields.filter { name, _ in type.field(name).map(Self.isOpen) ?? true }) { $1 }
        let content = try await rules.checked(raw, as: type, for: .submission).content
        let received = JSONValue.object(["type": .string(type.name), "fields": .object(raw)]).canonicalText
        let actor = Actor(kind: .system, name: "contributor", requestID: requestID, remoteAddress: remoteAddress)
        let event = AuditEvent("submission.resubmit", on: "submission", submission.id.description)
        try await database.transaction(by: actor, event) { transaction in
            let number = submission.version + 1
            try await transaction.decisions.add(
                number, on: submission.id, verdict: "resubmit", reason: nil, message: nil, resubmits: request, by: actor
            )
            try await transaction.contributors.addVersion(
                of: submission.id, decision: number, title: content.title(in: type), fields: content.canonicalText,
                received: received)
            try await transaction.queue.requeue([submission.id])
        }
    }

    /// Whether the contributor's form shows a field. Fields that refer to our own content are left out.
    package static func isOpen(_ field: Field) -> Bool {
        func isInternal(_ field: Field) -> Bool {
            field.type.isReference || field.type == .catalogItem || field.fields.contains(where: isInternal)
        }
        return field.submittable && !isInternal(field)
    }
}
