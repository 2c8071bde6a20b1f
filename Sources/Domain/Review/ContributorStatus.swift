// What the team has decided about a contributor: trusted, or blocked.
import Localization

package enum ContributorStatus: String, Sendable, CaseIterable {
    /// Screening treats them as trusted, whatever their record is.
    case trusted
    /// Their submissions are refused or held, as the setting `intake.blocked` says.
    case blocked

    package var label: String {
        switch self {
        case .trusted: tr("Trusted", context: "contributor status")
        case .blocked: tr("Blocked", context: "contributor status")
        }
    }
}

/// A status to set.
package struct ContributorStatusDraft: Sendable {
    package let status: ContributorStatus
    /// For the team; contributors never see it.
    package let reason: String
    /// When it ends; nil for never.
    package let until: SnoozeTime?

    package init(_ status: ContributorStatus, reason: String, until: SnoozeTime? = nil) {
        (self.status, self.reason, self.until) = (status, reason, until)
    }

    /// The trimmed reason. Throws `Failure.invalid` at `/reason` and `/until`.
    package func checkedReason() throws(Failure) -> String {
        var errors = FieldErrors()
        let text = PlainText.singleLine(reason)
        if PlainText.isBlank(text) {
            errors.add("/reason", "required", tr("Enter a reason."))
        } else if text.unicodeScalars.count > 500 {
            errors.add("/reason", "too_long", tr("Use at most 500 characters."))
        }
        _ = errors.collect { () throws(Failure) in try until?.check() }
        if !errors.isEmpty { throw .invalid(errors) }
        return text
    }
}
