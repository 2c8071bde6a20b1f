// The forms of the review page that arrange and do not decide: put off, hand on, priority, note.
import Domain
import FoundationEssentials
import HTTP
import Store

struct SubmissionActionForms: Encodable, Sendable {
    struct Choice: Encodable, Sendable {
        let value: String
        let label: String
        let isChosen: Bool
    }

    struct Snooze: Encodable, Sendable {
        let address: String
        let wakeAddress: String
        /// Until when it is put off.
        let until: Instant?
        let choices: [Choice]
        let local: String
        let zone: String
        let note: String
        let isOpen: Bool
        let errors: [String]
    }

    struct Assign: Encodable, Sendable {
        let address: String
        /// Who has it now.
        let holder: String?
        let choices: [Choice]
        let note: String
        let isOpen: Bool
        let errors: [String]
    }

    struct Rank: Encodable, Sendable {
        let address: String
        let choices: [Choice]
    }

    struct Note: Encodable, Sendable {
        let address: String
        let text: String
        let errors: [String]
    }

    /// Nil for what does not wait in the queue.
    let snooze: Snooze?
    let assign: Assign?
    let rank: Rank?
    let note: Note

    /// What was sent in one of these forms and refused.
    struct Typed: Sendable {
        enum Permission { case snooze, assign, note, takeOver }

        let action: Permission
        let form: FormFields
    }

    static let times = [
        ("4", "4 hours"), ("24", "A day"), ("72", "3 days"), ("168", "A week"), ("720", "30 days"),
        ("at", "Until a time"),
    ]

    static func load(
        _ request: AdminRequest, _ id: ID<Submission>, _ queued: QueueRow?, _ query: QueueQuery, typed: Typed?,
        errors: FieldErrors
    ) async throws -> SubmissionActionForms {
        func address(_ action: String) -> String { query.address("/queue/\(id)/\(action)") }
        func text(_ action: Typed.Permission, _ name: String) -> String? {
            typed.flatMap { $0.action == action ? $0.form.first(name) ?? "" : nil }
        }
        func messages(_ action: Typed.Permission, _ pointers: String...) -> [String] {
            typed?.action == action
                ? errors.items.filter { item in pointers.contains { item.pointer.hasPrefix($0) } }.map(\.message) : []
        }
        let note = Note(
            address: address("notes"), text: text(.note, "text") ?? "", errors: messages(.note, "/text"))
        guard let queued else { return SubmissionActionForms(snooze: nil, assign: nil, rank: nil, note: note) }
        let people = try await request.database.accounts.list().filter { !$0.isDisabled }
        let until = text(.snooze, "until") ?? "24"
        let assignee =
            text(.assign, "assignee")
            ?? queued.assignedToID.map { Assignee.account($0).text } ?? queued.assignedRole.map {
                Assignee.role($0).text
            }
            ?? ""
        return SubmissionActionForms(
            snooze: Snooze(
                address: address("snooze"), wakeAddress: address("wake"),
                until: queued.snoozedUntil.map { Instant($0) },
                choices: times.map { Choice(value: $0.0, label: $0.1, isChosen: $0.0 == until) },
                local: text(.snooze, "local") ?? "",
                zone: text(.snooze, "zone") ?? request.request.cookies[ReviewForms.zoneCookie] ?? "UTC",
                note: text(.snooze, "text") ?? "", isOpen: typed?.action == .snooze,
                errors: messages(.snooze, "/until", "/zone", "/text")),
            assign: Assign(
                address: address("assignment"), holder: queued.assignedTo ?? queued.assignedRole?.label,
                choices: [Choice(value: "", label: "Everybody", isChosen: assignee.isEmpty)]
                    + QueueFilterForm.assignees(people).map {
                        Choice(value: $0.0, label: $0.1, isChosen: $0.0 == assignee)
                    },
                note: text(.assign, "text") ?? "", isOpen: typed?.action == .assign,
                errors: messages(.assign, "/assignee", "/text")),
            rank: Rank(
                address: address("priority"),
                choices: Priority.allCases.map {
                    Choice(value: $0.name, label: $0.label, isChosen: $0 == queued.priority)
                }),
            note: note)
    }

    /// The ids of fields that are named otherwise, for the summary of what is wrong.
    static func ids(for action: Typed.Permission) -> [String: String] {
        switch action {
        case .snooze:
            ["/until": "snooze", "/until/local": "snooze-local", "/zone": "snooze-zone", "/text": "snooze-text"]
        case .assign: ["/assignee": "assignee", "/text": "assign-text"]
        case .note: ["/text": "note-text"]
        case .takeOver: ["/take_over_reason": "take-over-reason"]
        }
    }

    /// The time that a form says: so many hours, or a time at a place.
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
        default: throw .invalid(FieldErrors("/until", "required", "Choose until when it is put off."))
        }
    }

    /// Nil for everybody.
    static func assignee(_ form: FormFields) throws(Failure) -> Assignee? {
        let text = form.first("assignee") ?? ""
        if text.isEmpty { return nil }
        guard let assignee = Assignee(text) else {
            throw .invalid(FieldErrors("/assignee", "choice", "Choose who is to decide."))
        }
        return assignee
    }

    /// The words of a form; nil when there are none.
    static func words(_ form: FormFields) -> String? {
        let text = form.first("text") ?? ""
        return PlainText.isBlank(text) ? nil : text
    }
}
