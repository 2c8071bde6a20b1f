// One line of a submission's history: a decision, or a note of the staff, in words.
import Domain
import FoundationEssentials
import Store

struct DecisionLine: Encodable, Sendable {
    struct Link: Encodable, Sendable {
        let title: String
        let address: String
    }

    let who: String
    let did: String
    let reason: String?
    let message: String?
    let original: Link?
    let bulkActionAddress: String?
    let mentioned: String?
    /// Only the staff sees it.
    let isNote: Bool
    let when: Instant
    private let date: Date

    private enum CodingKeys: CodingKey {
        case who, did, reason, message, original, bulkActionAddress, mentioned, isNote, when
    }

    init(_ decision: DecisionRow) {
        who = decision.decidedBy
        reason = decision.reason.map { RejectReason(rawValue: $0)?.label ?? $0 }
        message = decision.message
        let title = decision.originalTitle.flatMap { $0.isEmpty ? nil : $0 } ?? "Without a title"
        switch decision.original {
        case .submission(let id): original = Link(title: title, address: "/queue/\(id)")
        case .entry(let id): original = Link(title: title, address: "/entries/\(id)")
        case nil: original = nil
        }
        bulkActionAddress = decision.bulkAction.map { "/bulk-actions/\($0)" }
        mentioned = nil
        isNote = false
        date = decision.decidedAt
        when = Instant(decision.decidedAt)
        switch decision.verdict {
        case "approve": did = "accepted it"
        case "reject": did = "rejected it"
        case "request_changes": did = "asked for changes"
        case "duplicate": did = "marked it as a duplicate of"
        case "resubmit": did = "sent it again, changed"
        case "appeal": did = "appealed"
        case "undo": did = "undid the decision"
        default: did = decision.verdict
        }
    }

    init(_ note: NoteRow) {
        who = note.author
        reason = nil
        message = note.text
        original = nil
        bulkActionAddress = nil
        mentioned = note.mentioned.isEmpty ? nil : note.mentioned.joined(separator: ", ")
        isNote = true
        date = note.writtenAt
        when = Instant(note.writtenAt)
        switch note.kind {
        case .note: did = "noted"
        case .assign: did = "handed it on"
        case .takeOver: did = "took it over"
        case .snooze: did = "put it off"
        }
    }

    /// Decisions and notes in the order in which they came.
    static func history(_ decisions: [DecisionRow], _ notes: [NoteRow]) -> [DecisionLine] {
        (decisions.map { DecisionLine($0) } + notes.map { DecisionLine($0) }).sorted { $0.date < $1.date }
    }
}
