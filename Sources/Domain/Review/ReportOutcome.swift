// What the team did about the reports of an entry.
import Localization

package enum ReportOutcome: String, Sendable, CaseIterable, Codable {
    case noAction = "no_action"
    /// A newer version was published.
    case edit
    case unpublish
    /// The contributor of the entry was blocked.
    case block

    package var label: String {
        switch self {
        case .noAction: tr("No action", context: "report outcome")
        case .edit: tr("Edited", context: "report outcome")
        case .unpublish: tr("Unpublished", context: "report outcome")
        case .block: tr("Contributor blocked")
        }
    }

    /// How emails to reporters state it, unless a text `mail.report_…` is published.
    package var sentence: String {
        switch self {
        case .noAction: tr("We checked it and left it as it is.")
        case .edit: tr("We corrected it.")
        case .unpublish: tr("We removed it.")
        case .block: tr("We took action.")
        }
    }

    package var textKey: String { "mail.report_\(rawValue)" }
}

/// A decision about all reports of a case.
package struct ReportDecisionDraft: Sendable {
    package let outcome: ReportOutcome
    /// For the team.
    package let note: String
    /// With `block`: when the block ends; nil for never.
    package let until: SnoozeTime?
    /// With `unpublish`: the digest of the plan that was shown; nil for none.
    package let plan: String?

    package init(_ outcome: ReportOutcome, note: String, until: SnoozeTime? = nil, plan: String? = nil) {
        (self.outcome, self.note, self.until, self.plan) = (outcome, note, until, plan)
    }

    /// The status that `block` sets. Its reason is the beginning of the note.
    package func blocking(_ note: String) -> ContributorStatusDraft {
        let reason = String(String.UnicodeScalarView(note.unicodeScalars.prefix(500)))
        return ContributorStatusDraft(.blocked, reason: reason, until: until)
    }

    /// The trimmed note. Throws `Failure.invalid` at `/note` and `/until`.
    package func checkedNote() throws(Failure) -> String {
        var errors = FieldErrors()
        let text = errors.collect { () throws(Failure) in
            try StaffNote.check(note, pointer: "/note", message: tr("Enter a note that explains the decision."))
        }
        _ = errors.collect { () throws(Failure) in try until?.check() }
        guard errors.isEmpty, let text else { throw .invalid(errors) }
        return text
    }
}
