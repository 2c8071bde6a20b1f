// The rules of deciding about a submission, and of undoing that.

package enum Decision {
    /// What a curator filled in, before it is written down.
    package struct Draft: Sendable, Equatable {
        package var verdict: Verdict
        /// Only with, and always with, a rejection.
        package var reason: RejectReason?
        /// For the contributor.
        package var message: String?
        /// Only with, and always with, a duplicate.
        package var original: Original?
        /// The fields as the curator left them, unchecked; nil where the submission is taken as it came.
        package var edits: [String: JSONValue]?
        package var feeds: [ID<Entry>]
        package var categories: [ID<Entry>]
        package var publishTiming: PublishTiming

        package init(
            verdict: Verdict, reason: RejectReason? = nil, message: String? = nil, original: Original? = nil,
            edits: [String: JSONValue]? = nil, feeds: [ID<Entry>] = [], categories: [ID<Entry>] = [],
            publishTiming: PublishTiming = .approveOnly
        ) {
            self.verdict = verdict
            self.reason = reason
            self.message = message
            self.original = original
            self.edits = edits
            self.feeds = feeds
            self.categories = categories
            self.publishTiming = publishTiming
        }

        /// Throws `Failure.conflict` where a submission in this state cannot be decided so, and `Failure.invalid` with
        /// every message where the draft is not whole.
        package func check(on state: SubmissionState) throws(Failure) {
            guard Decision.verdicts(in: state).contains(verdict) else {
                throw .conflict(
                    code: "already_decided",
                    message: "This submission is \(state.rawValue) already. Undo that before deciding anew.")
            }
            var errors = FieldErrors()
            checkReason(&errors)
            checkMessage(&errors)
            checkOriginal(&errors)
            checkPlacing(&errors)
            try errors.throwIfAny()
        }

        private func checkReason(_ errors: inout FieldErrors) {
            if verdict == .reject, reason == nil {
                errors.add("/reason", "required", "Choose why it is rejected.")
            } else if verdict != .reject, reason != nil {
                errors.add("/reason", "unknown_field", "Only a rejection has a reason.")
            }
        }

        private func checkMessage(_ errors: inout FieldErrors) {
            let text = message ?? ""
            if PlainText.isBlank(text), verdict == .requestChanges {
                errors.add("/message", "required", "Say what should be changed.")
            } else if PlainText.isBlank(text), reason == .other {
                errors.add("/message", "required", "Say what the reason is.")
            }
            if PlainText.isLonger(text, than: Decision.maxMessageLength) {
                let limit = Decision.maxMessageLength
                errors.add("/message", "too_long", "\(text.count) characters; at most \(limit) are allowed.")
            }
            if PlainText.holdsNUL(text) {
                errors.add("/message", "control_characters", "NUL characters are not allowed.")
            }
        }

        private func checkOriginal(_ errors: inout FieldErrors) {
            if verdict == .duplicate, original == nil {
                errors.add("/duplicate_of", "required", "Name the submission or the entry that this is a duplicate of.")
            } else if verdict != .duplicate, original != nil {
                errors.add("/duplicate_of", "unknown_field", "Only a duplicate has an original.")
            }
        }

        /// What was typed for an approval must not vanish in another verdict unseen.
        private func checkPlacing(_ errors: inout FieldErrors) {
            guard verdict != .approve else { return }
            let message = "Only an accepted submission can have this."
            if edits != nil { errors.add("/edits", "unknown_field", message) }
            if !feeds.isEmpty { errors.add("/feeds", "unknown_field", message) }
            if !categories.isEmpty { errors.add("/categories", "unknown_field", message) }
            if publishTiming != .approveOnly { errors.add("/publish_timing", "unknown_field", message) }
        }
    }

    /// In characters.
    package static let maxMessageLength = 2000

    /// What may be decided about a submission in this state. One that was sent back may still be decided when its
    /// contributor does not come back; all others are decided for good, unless that is undone.
    package static func verdicts(in state: SubmissionState) -> [Verdict] {
        switch state {
        case .pending: Verdict.allCases
        case .changesRequested: [.approve, .reject, .duplicate]
        case .approved, .rejected, .duplicate: []
        }
    }

    /// The latest decision may be undone, which makes the submission pending again, as long as nothing of it was
    /// published.
    package static func checkUndo(of state: SubmissionState, isPublished: Bool) throws(Failure) {
        if state == .pending {
            throw .conflict(code: "not_decided", message: "This submission was not decided yet.")
        }
        if isPublished {
            throw .conflict(
                code: "already_published",
                message: "This is published already. Withdraw the entry in a release instead.")
        }
    }
}
