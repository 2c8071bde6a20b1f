// One decision of a submission's history, in words.
import Domain
import Store

struct DecisionLine: Encodable, Sendable {
    let who: String
    let did: String
    let reason: String?
    let message: String?
    let when: Instant

    init(_ decision: DecisionRow) {
        who = decision.decidedBy
        reason = decision.reason.map { RejectReason(rawValue: $0)?.label ?? $0 }
        message = decision.message
        when = Instant(decision.decidedAt)
        switch decision.verdict {
        case "accept": did = "accepted it"
        case "reject": did = "rejected it"
        case "return": did = "asked for changes"
        case "duplicate": did = "marked it as a duplicate"
        case "undo": did = "undid the decision"
        default: did = decision.verdict
        }
    }
}
