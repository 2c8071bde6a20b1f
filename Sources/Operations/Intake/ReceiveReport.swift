// Receives what a reader reports about a published entry: checks and stores it, and returns only after the commit.
import Domain
import Localization
import Platform
import Store

/// A report as a client sends it.
package struct ReportDraft: Sendable {
    /// What is reported: an id, or the slug of an entry of a kind.
    package enum Subject: Sendable {
        case id(ID<Entry>)
        case slug(String, kind: String)
    }

    package var subject: Subject
    package var reason: ReportReason
    package var text: String?
    /// A reference that the app vouches for; nil for an anonymous report.
    package var reporter: String?
    /// The email for the notification of the reporter.
    package var reporterEmail: String?
    package var reporterLocale: String?
    package var idempotencyKey: String?

    package init(
        _ subject: Subject, _ reason: ReportReason, text: String? = nil, reporter: String? = nil,
        reporterEmail: String? = nil, reporterLocale: String? = nil, idempotencyKey: String? = nil
    ) {
        (self.subject, self.reason, self.text, self.reporter) = (subject, reason, text, reporter)
        (self.reporterEmail, self.reporterLocale) = (reporterEmail, reporterLocale)
        self.idempotencyKey = idempotencyKey
    }

    /// What makes two requests the same.
    fileprivate var canonicalText: String {
        func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
        let named: [JSONValue] =
            switch subject {
            case .id(let id): [.string(id.description)]
            case .slug(let slug, let kind): [.string(kind), .string(slug)]
            }
        return JSONValue.object([
            "entry": .array(named), "reason": .string(reason.rawValue), "text": text(self.text),
            "reporter": text(reporter), "reporter_email": text(reporterEmail), "reporter_locale": text(reporterLocale),
        ]).canonicalText
    }
}

/// A report that is stored.
package struct StoredReport: Sendable {
    package let id: ID<Report>
    package let entry: ID<Entry>
    /// False if it was stored before: the same request, or the same reporter about the same entry.
    package let isNew: Bool
}

package struct ReceiveReport: Sendable {
    let database: Database

    /// Stores the report. Everything wrong with its fields is reported at once; then what can't be reported: at the pointer
    /// of the subject, with code `reference` for what was never published and `unpublished` for what no longer is.
    package func callAsFunction(_ draft: ReportDraft, by actor: Actor) async throws -> StoredReport {
        var errors = FieldErrors()
        let reporter = errors.collect { () throws(Failure) in try Self.reporter(draft.reporter) } ?? nil
        let email = errors.collect { () throws(Failure) in try Self.email(draft.reporterEmail) } ?? nil
        let locale = errors.collect { () throws(Failure) in try Self.locale(draft.reporterLocale) } ?? nil
        let text = errors.collect { () throws(Failure) in try Self.text(draft) } ?? ""
        try errors.throwIfAny()
        let entry = try await entry(draft.subject)
        let report = NewReport(
            id: ID(UUIDv7.make()), entry: entry, actor: actor, reporter: reporter, email: email, locale: locale,
            reason: draft.reason, text: text, idempotencyKey: draft.idempotencyKey,
            requestHash: SHA256.hash(draft.canonicalText))
        switch try await database.receive(report) {
        case .stored: return StoredReport(id: report.id, entry: entry, isNew: true)
        case .storedBefore(let id): return StoredReport(id: id, entry: entry, isNew: false)
        case .keyReused:
            throw Failure.refused(
                code: "key_reused", message: tr("This idempotency key was already used for a different report."))
        case .notPublished: throw Self.unpublished(at: draft.subject.pointer)
        }
    }

    // MARK: What is reported

    private func entry(_ subject: ReportDraft.Subject) async throws -> ID<Entry> {
        let found: ResolvedURL?
        switch subject {
        case .id(let id): found = try await database.resolved.find(id)
        case .slug(let slug, let kind):
            let kinds = database.packs.kindsWithSlug
            guard kinds.contains(kind) else {
                throw Failure.invalid(
                    FieldErrors("/kind", "choice", tr("Choose one of: \(kinds.joined(separator: ", ")).")))
            }
            found = try await database.resolved.find(kind, slug: slug)
        }
        guard let found else {
            throw Failure.invalid(
                FieldErrors(subject.pointer, "reference", tr("No published entry has this id or slug.")))
        }
        if found.state == .gone { throw Self.unpublished(at: subject.pointer) }
        return found.id
    }

    private static func unpublished(at pointer: String) -> Failure {
        .invalid(FieldErrors(pointer, "unpublished", tr("This entry is no longer published. No report is needed.")))
    }

    // MARK: Fields

    private static func reporter(_ text: String?) throws(Failure) -> String? {
        let trimmed = PlainText.singleLine(text ?? "")
        if trimmed.isEmpty { return nil }
        guard trimmed.unicodeScalars.count <= 200 else {
            throw .invalid(FieldErrors("/reporter", "too_long", tr("Enter at most 200 characters.")))
        }
        return trimmed
    }

    /// Empty means none.
    private static func email(_ text: String?) throws(Failure) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return try EmailAddress.check(text, pointer: "/reporter_email")
    }

    private static func locale(_ text: String?) throws(Failure) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return try LanguageTag.check(text, pointer: "/reporter_locale")
    }

    /// Plain text, shown as such. "Another reason" says which.
    private static func text(_ draft: ReportDraft) throws(Failure) -> String {
        let text = draft.text ?? ""
        if PlainText.isBlank(text), draft.reason != .other { return "" }
        return try StaffNote.check(text, message: tr("Describe the problem."))
    }
}

extension ReportDraft.Subject {
    package var pointer: String {
        switch self {
        case .id: "/entry"
        case .slug: "/slug"
        }
    }
}
