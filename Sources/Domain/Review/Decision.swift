// The rules for deciding a submission and undoing the decision.
import Localization

package enum Decision {
    /// A decision as entered by a curator, before validation.
    package struct Draft: Sendable, Equatable {
        package var verdict: Verdict
        /// Required for a rejection; not allowed otherwise.
        package var reason: RejectReason?
        /// For the contributor.
        package var message: String?
        /// What the message says about single fields, by their names; only with `requestChanges`.
        package var fieldNotes: [String: String]
        /// Required for a duplicate; not allowed otherwise.
        package var original: Original?
        /// The edited fields, not validated; nil if the submission is unchanged.
        package var edits: [String: JSONValue]?
        package var feeds: [ID<Entry>]
        package var categories: [ID<Entry>]
        package var publishTiming: PublishTiming

        package init(
            verdict: Verdict, reason: RejectReason? = nil, message: String? = nil, fieldNotes: [String: String] = [:],
            original: Original? = nil, edits: [String: JSONValue]? = nil, feeds: [ID<Entry>] = [],
            categories: [ID<Entry>] = [],
            publishTiming: PublishTiming = .approveOnly
        ) {
            self.verdict = verdict
            self.reason = reason
            self.message = message
            self.fieldNotes = fieldNotes
            self.original = original
            self.edits = edits
            self.feeds = feeds
            self.categories = categories
            self.publishTiming = publishTiming
        }

        /// Throws `Failure.conflict` if this verdict is not possible in this state, and `Failure.invalid` with all
        /// errors of
        /// the draft.
        package func check(on state: SubmissionState) throws(Failure) {
            guard Decision.verdicts(in: state).contains(verdict) else {
                throw .conflict(code: "already_decided", message: Decision.obstacle(in: state))
            }
            var errors = FieldErrors()
            checkReason(&errors)
            checkMessage(&errors)
            checkOriginal(&errors)
            checkApprovalFields(&errors)
            if verdict != .requestChanges, !fieldNotes.isEmpty {
                errors.add("/field_notes", "unknown_field", tr("Only a request for changes can have notes at fields."))
            }
            try errors.throwIfAny()
        }

        private func checkReason(_ errors: inout FieldErrors) {
            if verdict == .reject, reason == nil {
                errors.add("/reason", "required", tr("Choose a reason for the rejection."))
            } else if verdict != .reject, reason != nil {
                errors.add("/reason", "unknown_field", tr("Only a rejection can have a reason."))
            }
        }

        private func checkMessage(_ errors: inout FieldErrors) {
            let text = message ?? ""
            if PlainText.isBlank(text), verdict == .requestChanges {
                errors.add("/message", "required", tr("Describe the changes you request."))
            } else if PlainText.isBlank(text), reason == .other {
                errors.add("/message", "required", tr("Describe the reason."))
            }
            if PlainText.isLonger(text, than: Decision.maxMessageLength) {
                errors.add("/message", "too_long", PlainText.tooLong(text, limit: Decision.maxMessageLength))
            }
            if PlainText.containsNUL(text) {
                errors.add("/message", "control_characters", tr("NUL characters are not allowed."))
            }
        }

        private func checkOriginal(_ errors: inout FieldErrors) {
            if verdict == .duplicate, original == nil {
                errors.add("/duplicate_of", "required", tr("Choose the submission or entry that this duplicates."))
            } else if verdict != .duplicate, original != nil {
                errors.add("/duplicate_of", "unknown_field", tr("Only a duplicate can have an original."))
            }
        }

        /// Rejects input for an approval in other verdicts instead of silently dropping it.
        private func checkApprovalFields(_ errors: inout FieldErrors) {
            if verdict == .approve {
                if publishTiming.isForEntries { errors.add("/publish", "required", tr("Choose when to publish.")) }
                return
            }
            let message = tr("Only an approval can have this.")
            if edits != nil { errors.add("/edits", "unknown_field", message) }
            if !feeds.isEmpty { errors.add("/feeds", "unknown_field", message) }
            if !categories.isEmpty { errors.add("/categories", "unknown_field", message) }
            if publishTiming != .approveOnly { errors.add("/publish", "unknown_field", message) }
        }
    }

    /// The maximum length of a message in characters.
    package static let maxMessageLength = 2000

    /// Why a verdict is not possible in this state. A sentence for each: languages inflect what is within one.
    private static func obstacle(in state: SubmissionState) -> String {
        switch state {
        case .pending: tr("This submission is already pending.")
        case .changesRequested: tr("Changes to this submission are already requested. Undo that decision first.")
        case .approved: tr("This submission is already approved. Undo that decision first.")
        case .rejected: tr("This submission is already rejected. Undo that decision first.")
        case .duplicate: tr("This submission is already marked as a duplicate. Undo that decision first.")
        }
    }

    /// The possible verdicts in this state. A submission with requested changes can still be decided if its contributor
    /// does
    /// not resubmit; other decisions must be undone first.
    package static func verdicts(in state: SubmissionState) -> [Verdict] {
        switch state {
        case .pending: Verdict.allCases
        case .changesRequested: [.approve, .reject, .duplicate]
        case .approved, .rejected, .duplicate: []
        }
    }
}
