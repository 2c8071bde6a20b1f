// The forms of the review page besides the decision: snooze, assign, priority and note.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Operations
import Store

struct SubmissionActionForms: Encodable, Sendable {
    struct Snooze: Encodable, Sendable {
        let url: String
        let unsnoozeURL: String
        /// Nil unless snoozed.
        let until: Instant?
        let isHeld: Bool
        let choices: [Option]
        let local: String
        let zone: String
        let timeErrors: TimeErrors
        let comment: String
        let commentErrors: [String]
        let isOpen: Bool
        let errors: [String]
        let autosave: Autosaved?
    }

    struct Assign: Encodable, Sendable {
        let url: String
        /// The current assignee.
        let assignee: String?
        let choices: [Option]
        let comment: String
        let commentErrors: [String]
        let isOpen: Bool
        let errors: [String]
        let autosave: Autosaved?
    }

    struct PriorityForm: Encodable, Sendable {
        let url: String
        let choices: [Option]
    }

    /// Nil unless the submission is in the queue.
    let snooze: Snooze?
    let assign: Assign?
    let priority: PriorityForm?
    let note: NoteForm?

    /// A submitted form that was rejected, or one that was not submitted.
    struct Rejected: Sendable {
        enum Form: String { case snooze, assign, note, takeOver }

        let form: Form
        let fields: FormFields
    }

    static var durations: [(String, String)] {
        [
            ("4", tr("4 hours", context: "duration")), ("24", tr("1 day", context: "duration")),
            ("72", tr("3 days", context: "duration")), ("168", tr("1 week", context: "duration")),
            ("720", tr("30 days", context: "duration")),
            ("at", tr("Until a date and time")),
        ]
    }

    /// All are nil for people who don't review.
    static func load(
        _ request: AdminRequest, _ id: ID<Submission>, _ permissions: ReviewPermissions, _ query: QueueQuery,
        rejected: Rejected?, restored: [Rejected], errors: FieldErrors
    ) async throws -> SubmissionActionForms {
        guard permissions.mayReview else {
            return SubmissionActionForms(snooze: nil, assign: nil, priority: nil, note: nil)
        }
        func url(_ action: AdminURL) -> String { query.url(action(id)) }
        let typed = (rejected.map { [$0] } ?? []) + restored
        func text(_ form: Rejected.Form, _ name: String) -> String? {
            let sent = typed.filter { $0.form == form }
            return sent.isEmpty ? nil : sent.lazy.compactMap { $0.fields.first(name) }.first ?? ""
        }
        func messages(_ form: Rejected.Form, _ pointer: String) -> [String] {
            rejected?.form == form ? errors.messages(at: pointer) : []
        }
        let note = NoteForm(
            url: url(.submissionNotes), text: text(.note, "text") ?? "", errors: messages(.note, "/text"),
            team: try await request.teammates(of: .submission(id)),
            autosave: ReviewAutosaves.action(.note, request, id))
        guard let queued = permissions.queued else {
            return SubmissionActionForms(snooze: nil, assign: nil, priority: nil, note: note)
        }
        let accounts = try await request.database.accounts.list().filter { !$0.isDisabled }
        let until = text(.snooze, "until") ?? "24"
        let assignee =
            text(.assign, "assignee")
            ?? queued.assignedToID.map { Assignee.account($0).text } ?? queued.assignedRole.map {
                Assignee.role($0.name).text
            }
            ?? ""
        return SubmissionActionForms(
            snooze: Snooze(
                url: url(.submissionSnooze), unsnoozeURL: url(.submissionUnsnooze),
                until: queued.snoozedUntil.map { Instant($0) }, isHeld: queued.isHeld,
                choices: Option.list(durations, chosen: until),
                local: text(.snooze, "local") ?? "",
                zone: text(.snooze, "zone") ?? request.zone,
                timeErrors: TimeErrors(
                    until: rejected?.form == .snooze ? errors : FieldErrors(), prefix: "snooze-"),
                comment: text(.snooze, "text") ?? "", commentErrors: messages(.snooze, "/text"),
                isOpen: typed.contains { $0.form == .snooze }, errors: messages(.snooze, "/until"),
                autosave: ReviewAutosaves.action(.snooze, request, id)),
            assign: Assign(
                url: url(.submissionAssign), assignee: queued.assignedTo ?? queued.assignedRole?.label,
                choices: [Option(value: "", label: tr("Unassigned", context: "form"), isChosen: assignee.isEmpty)]
                    + QueueFilterForm.assignees(try await request.database.roles.list(), accounts).map {
                        Option(value: $0.0, label: $0.1, isChosen: $0.0 == assignee)
                    },
                comment: text(.assign, "text") ?? "", commentErrors: messages(.assign, "/text"),
                isOpen: typed.contains { $0.form == .assign }, errors: messages(.assign, "/assignee"),
                autosave: ReviewAutosaves.action(.assign, request, id)),
            priority: PriorityForm(
                url: url(.submissionPriority),
                choices: Priority.allCases.map {
                    Option(value: $0.name, label: $0.label, isChosen: $0 == queued.priority)
                }),
            note: note)
    }

    /// The HTML ids of controls that don't follow from the pointers of their errors.
    static func ids(for form: Rejected.Form) -> [String: String] {
        switch form {
        case .snooze:
            [
                "/until": "snooze", "/until/local": "snooze-local", "/until/zone": "snooze-zone",
                "/zone": "snooze-zone", "/text": "snooze-text",
            ]
        case .assign: ["/assignee": "assignee", "/text": "assign-text"]
        case .note: ["/text": "note-text"]
        case .takeOver: ["/take_over_reason": "take-over-reason"]
        }
    }

    /// Reads the time of a form: a number of hours, or a date and time in a time zone.
    static func time(_ form: FormFields) throws(Failure) -> SnoozeTime {
        switch form.first("until") {
        case "at":
            return .at(
                try WallTime(
                    local: PlainText.singleLine(form.first("local") ?? ""),
                    zone: PlainText.singleLine(form.first("zone") ?? ""), pointer: "/until"))
        case .some(let text):
            guard let hours = Int(text) else { fallthrough }
            return .hours(hours)
        default: throw .invalid(FieldErrors("/until", "required", tr("Choose a duration.")))
        }
    }

    /// Nil for unassigned.
    static func assignee(_ form: FormFields) throws(Failure) -> Assignee? {
        let text = form.first("assignee") ?? ""
        if text.isEmpty { return nil }
        guard let assignee = Assignee(text) else {
            throw .invalid(FieldErrors("/assignee", "choice", tr("Choose an assignee.")))
        }
        return assignee
    }

    /// The comment of a form, saved as a note; nil if it is blank.
    static func note(_ form: FormFields) -> String? {
        let text = form.first("text") ?? ""
        return PlainText.isBlank(text) ? nil : text
    }
}
