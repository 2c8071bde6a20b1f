// Receives one submission: checks, sanitizes and stores it, and returns only after the commit (R1, A3, A4).
import Domain
import Localization
import Platform
import Store

/// A submission as a client sends it.
package struct SubmissionDraft: Sendable {
    package var type: String
    package var contributor: String?
    /// The email for notifications to the contributor.
    package var contributorEmail: String?
    /// The language of these notifications.
    package var contributorLocale: String?
    package var category: String?
    package var fields: [String: JSONValue]
    package var idempotencyKey: String?
    package var source: String
    /// What its document calls the source; nil: it has the name of the client.
    package var sourceName: String?
    package var sourceURL: String?
    /// The URL that relative addresses in its markup refer to.
    package var base: String?

    package init(
        type: String, contributor: String? = nil, contributorEmail: String? = nil,
        contributorLocale: String? = nil, category: String? = nil,
        fields: [String: JSONValue], idempotencyKey: String? = nil, source: String = "api", sourceName: String? = nil,
        sourceURL: String? = nil, base: String? = nil
    ) {
        self.type = type
        self.contributor = contributor
        self.contributorEmail = contributorEmail
        self.contributorLocale = contributorLocale
        self.category = category
        self.fields = fields
        self.idempotencyKey = idempotencyKey
        self.source = source
        self.sourceName = sourceName
        self.sourceURL = sourceURL
        self.base = base
    }
}

/// A submission that is stored.
package struct SubmissionReceipt: Sendable {
    package let id: ID<Submission>
    /// False if it was stored before, with the same idempotency key.
    package let isNew: Bool
    /// What was removed from the input.
    package let warnings: FieldErrors
}

package struct ReceiveSubmission: Sendable {
    let database: Database
    let rules: ContentRules
    let allowsAnonymous: Bool
    /// What happens to submissions of blocked contributors.
    let blocked: Settings.Intake.Blocked

    /// Stores the submission, or finds the one with the same idempotency key. The same key with a different body is
    /// refused with code `key_reused` (R2), and a blocked contributor with code `contributor_blocked`, unless theirs are held.
    package func callAsFunction(_ draft: SubmissionDraft, by actor: Actor) async throws -> SubmissionReceipt {
        switch try await receive(draft, by: actor) {
        case .received(let receipt): return receipt
        case .keyReused:
            throw Failure.refused(
                code: "key_reused", message: tr("This idempotency key was already used for a different submission."))
        }
    }

    enum Outcome: Sendable {
        case received(SubmissionReceipt)
        case keyReused(KeyHolder?)
    }

    /// The same, with what holds a key that was used for a different submission.
    func receive(_ draft: SubmissionDraft, by actor: Actor) async throws -> Outcome {
        let type = try rules.type(named: draft.type)
        let contributor = try checked(draft.contributor, "/contributor", isRequired: !allowsAnonymous)
        let email = try Self.email(draft.contributorEmail)
        let locale = try Self.locale(draft.contributorLocale)
        let category = try checked(draft.category, "/category", isRequired: false)
        guard type.submittable else {
            throw Failure.invalid(FieldErrors("/type", "choice", tr("\(type.plural) can't be submitted.")))
        }
        if let key = draft.idempotencyKey,
            key.isEmpty || key.utf8.count > 255 || key.utf8.contains(where: { $0 < 0x21 || $0 > 0x7E })
        {
            throw Failure.invalid(
                FieldErrors(
                    "/headers/Idempotency-Key", "format", tr("Use 1 to 255 visible ASCII characters.")))
        }
        let checked = try await rules.checked(draft.fields, as: type, for: .submission, base: draft.base)
        let content = checked.content
        try await database.entries.checkTargets(of: [content], type)
        var original: [String: JSONValue] = [
            "type": .string(draft.type), "contributor": draft.contributor.map(JSONValue.string) ?? .null,
            "category": draft.category.map(JSONValue.string) ?? .null, "fields": .object(draft.fields),
        ]
        if let base = draft.base { original["base"] = .string(base) }
        let received = JSONValue.object(original).canonicalText
        let submission = NewSubmission(
            id: ID(UUIDv7.make()), type: type.name, actor: actor, contributor: contributor,
            contributorEmail: email, contributorLocale: locale, title: content.title(in: type),
            requestedCategory: category,
            fields: content.canonicalText, received: received,
            source: draft.source, sourceName: draft.sourceName, sourceURL: draft.sourceURL,
            idempotencyKey: draft.idempotencyKey,
            requestHash: SHA256.hash(received + (email.map { "\n\($0)" } ?? "") + (locale.map { "\n\($0)" } ?? "")),
            isHeldIfBlocked: blocked == .hold)
        switch try await database.receive(submission) {
        case .stored(let id):
            return .received(SubmissionReceipt(id: id, isNew: true, warnings: checked.warnings))
        case .storedBefore(let id):
            return .received(SubmissionReceipt(id: id, isNew: false, warnings: checked.warnings))
        case .blocked: throw BlockedContributor.failure
        case .keyReused(let holder): return .keyReused(holder)
        }
    }

    /// Empty means none.
    private static func email(_ text: String?) throws(Failure) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return try EmailAddress.check(text, pointer: "/contributor_email")
    }

    private static func locale(_ text: String?) throws(Failure) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return try LanguageTag.check(text, pointer: "/contributor_locale")
    }

    private func checked(_ text: String?, _ pointer: String, isRequired: Bool) throws(Failure) -> String? {
        let trimmed = PlainText.singleLine(text ?? "")
        if PlainText.isBlank(trimmed) {
            if isRequired { throw .invalid(FieldErrors(pointer, "required", tr("Enter the contributor's name."))) }
            return nil
        }
        guard trimmed.utf8.count <= 1600, trimmed.count <= 200 else {
            throw .invalid(FieldErrors(pointer, "too_long", tr("Enter at most 200 characters.")))
        }
        return trimmed
    }
}
