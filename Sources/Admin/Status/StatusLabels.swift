// The state of a submission in the copy of its status page, for contributors.
import Domain
import Localization
import Operations

struct StatusLabels: Encodable, Sendable {
    /// Where it is on its way.
    enum Position: Sendable {
        case review, changes, decided
    }

    let label: String
    let tone: String
    let sentence: String
    /// What happens next.
    let next: String
    let steps: [StatusStep]

    init(_ tracked: TrackedSubmission) {
        let state = tracked.row.state
        label = state == .approved && tracked.status.isLive ? tr("Published", context: "status labels") : state.label
        switch state {
        case .pending:
            tone = "wait"
            steps = StatusStep.all(.review)
            switch tracked.status.verdict {
            case "resubmit": sentence = tr("We received your changes and will review them.")
            case "appeal": sentence = tr("We received your appeal. A different reviewer will look at it.")
            case "undo": sentence = tr("We are reviewing it again.")
            default: sentence = tr("We received your submission and will review it. No action is needed.")
            }
            next = tr("You see our decision here.")
        case .changesRequested:
            tone = "wait"
            steps = StatusStep.all(.changes)
            sentence = tr("Read our message, edit your submission below and resubmit it. You can do this once.")
            next = tr("We review it again after you resubmit it.")
        case .approved:
            tone = "ok"
            steps = StatusStep.all(.decided)
            sentence =
                tracked.status.isLive ? tr("It is public. Thank you.") : tr("Thank you. We will publish it later.")
            next = tr("No action is needed.")
        case .rejected:
            tone = "bad"
            steps = StatusStep.all(.decided)
            sentence =
                tracked.mayAppeal
                ? tr("We won't publish it. You can appeal once.")
                : tr("We won't publish it. A reviewer looked at it again after your appeal.")
            next =
                tracked.mayAppeal
                ? tr("If you appeal, a different reviewer looks at it.") : tr("This decision is final.")
        case .duplicate:
            tone = ""
            steps = StatusStep.all(.decided)
            sentence = tr("We already have this, so we won't publish it again.")
            next = tr("No action is needed.")
        }
    }
}
