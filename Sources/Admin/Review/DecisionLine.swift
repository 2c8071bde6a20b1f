// One line of a submission's history: a decision or an internal note.
import Domain
import FoundationEssentials
import Localization
import Store

struct DecisionLine: Encodable, Sendable {
    struct Link: Encodable, Sendable {
        let title: String
        let url: String
    }

    /// What a request for changes says about a field.
    struct Note: Encodable, Sendable {
        let label: String
        let text: String
    }

    let actor: String
    let action: String
    let reason: String?
    let message: String?
    let notes: [Note]
    let original: Link?
    let bulkAction: ID<BulkAction>?
    let mentioned: String?
    /// Notes are visible to the team only.
    let isNote: Bool
    let when: Instant
    private let date: Date

    private enum CodingKeys: CodingKey {
        case actor, action, reason, message, notes, original, bulkAction, mentioned, isNote, when
    }

    init(_ decision: DecisionRow, _ type: ContentType?) {
        actor = ActorName.shown(decision.decidedBy)
        reason = decision.reason.map { RejectReason(rawValue: $0)?.label ?? $0 }
        message = decision.message
        notes = FieldNotes.lines(decision.fieldNotes, as: type).map { Note(label: $0.label, text: $0.text) }
        let title = decision.originalTitle.flatMap { $0.isEmpty ? nil : $0 } ?? tr("Untitled", context: "coding keys")
        switch decision.original {
        case .submission(let id): original = Link(title: title, url: AdminURL.submission(id))
        case .entry(let id): original = Link(title: title, url: AdminURL.entry(id))
        case nil: original = nil
        }
        bulkAction = decision.bulkAction
        mentioned = nil
        isNote = false
        date = decision.decidedAt
        when = Instant(decision.decidedAt)
        action =
            decision.verdict == "duplicate" && original == nil
            ? tr("marked this as a duplicate of something outside your access scope") : Self.action(decision.verdict)
    }

    static func action(_ verdict: String) -> String {
        switch verdict {
        case "approve": tr("approved this")
        case "reject": tr("rejected this")
        case "request_changes": tr("requested changes")
        case "duplicate": tr("marked this as a duplicate of")
        case "resubmit": tr("resubmitted this")
        case "appeal": tr("appealed", context: "history")
        case "undo": tr("undid the decision")
        default: verdict
        }
    }

    init(_ note: NoteRow) {
        actor = ActorName.shown(note.author)
        reason = nil
        message = note.text
        notes = []
        original = nil
        bulkAction = nil
        mentioned = note.mentioned.isEmpty ? nil : note.mentioned.joined(separator: ", ")
        isNote = true
        date = note.writtenAt
        when = Instant(note.writtenAt)
        switch note.kind {
        case .note: action = tr("added a note")
        case .assign: action = tr("assigned this")
        case .takeOver: action = tr("took this over")
        case .snooze: action = tr("snoozed this")
        }
    }

    /// Decisions and notes in chronological order.
    static func history(
        _ decisions: [DecisionRow], _ notes: [NoteRow], of type: ContentType?
    ) -> [DecisionLine] {
        (decisions.map { DecisionLine($0, type) } + notes.map { DecisionLine($0) }).sorted { $0.date < $1.date }
    }
}
