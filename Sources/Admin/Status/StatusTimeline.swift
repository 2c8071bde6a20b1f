// What has happened with a submission, in the words of its status page: without names and without what was undone.
import Domain
import Localization
import Store

struct StatusTimeline: Encodable, Sendable {
    struct Event: Encodable, Sendable {
        let label: String
        let when: Instant
        let text: String?
        let notes: [DecisionLine.Note]
    }

    let events: [Event]

    /// Oldest first.
    init(_ row: SubmissionRow, _ decisions: [DecisionRow], of type: ContentType) {
        var open: [DecisionRow] = []
        for decision in decisions {
            if decision.verdict == "undo" { _ = open.popLast() } else { open.append(decision) }
        }
        let received = Event(
            label: tr("Received", context: "status timeline"), when: Instant(row.receivedAt), text: nil, notes: [])
        events =
            [received]
            + open.map { decision in
                // The text of an appeal is the contributor's, and is shown below.
                let isOurs = decision.verdict != "resubmit" && decision.verdict != "appeal"
                return Event(
                    label: Self.label(decision), when: Instant(decision.decidedAt),
                    text: isOurs ? decision.message : nil,
                    notes: FieldNotes.lines(decision.fieldNotes, as: type).map {
                        DecisionLine.Note(label: $0.label, text: $0.text)
                    })
            }
    }

    private static func label(_ decision: DecisionRow) -> String {
        switch decision.verdict {
        case "approve": tr("Approved", context: "status timeline")
        case "reject":
            decision.reason.map {
                tr("Rejected: \(RejectReason(rawValue: $0)?.label ?? $0)", context: "status timeline")
            }
                ?? tr("Rejected", context: "status timeline")
        case "request_changes": tr("We requested changes", context: "status timeline")
        case "duplicate": tr("We already have this", context: "status timeline")
        case "resubmit": tr("You sent your changes", context: "status timeline")
        case "appeal": tr("You appealed", context: "status timeline")
        default: decision.verdict
        }
    }
}

/// The way of a submission: received, in review, decided.
struct StatusStep: Encodable, Sendable {
    let label: String
    let isCurrent: Bool
    let isDone: Bool

    static func all(_ position: StatusLabels.Position) -> [StatusStep] {
        let labels = [
            tr("Received", context: "status step"), tr("In review", context: "status step"),
            position == .changes ? tr("Your turn", context: "status step") : nil,
            tr("Decision", context: "status step"),
        ].compactMap(\.self)
        let current = position == .review ? 1 : position == .changes ? 2 : labels.count - 1
        return labels.enumerated().map { index, label in
            StatusStep(label: label, isCurrent: index == current, isDone: index < current)
        }
    }
}
