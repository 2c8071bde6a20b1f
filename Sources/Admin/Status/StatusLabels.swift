// The state of a submission in the copy of its status page, for contributors.
import Domain
import Localization
import Review

struct StatusLabels: Encodable, Sendable {
    let label: String
    let tone: String
    let sentence: String

    init(_ tracked: TrackedSubmission) {
        let state = tracked.row.state
        label = state == .approved && tracked.status.isLive ? tr("Published", context: "status labels") : state.label
        switch state {
        case .pending:
            tone = "wait"
            switch tracked.status.verdict {
            case "resubmit": sentence = tr("We received your changes and will review them.")
            case "appeal": sentence = tr("We received your appeal. A different reviewer will look at it.")
            case "undo": sentence = tr("We are reviewing it again.")
            default: sentence = tr("We received your submission and will review it. No action is needed.")
            }
        case .changesRequested:
            tone = "wait"
            sentence = tr("Read our message, edit your submission below and resubmit it. You can do this once.")
        case .approved:
            tone = "ok"
            sentence =
                tracked.status.isLive ? tr("It is public. Thank you.") : tr("Thank you. We will publish it later.")
        case .rejected:
            tone = "bad"
            sentence =
                tracked.mayAppeal
                ? tr("We won't publish it. You can appeal once.")
                : tr("We won't publish it. A reviewer looked at it again after your appeal.")
        case .duplicate:
            tone = ""
            sentence = tr("We already have this, so we won't publish it again.")
        }
    }
}
