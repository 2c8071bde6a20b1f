// How a submission stands, in the words that its contributor reads.
import Domain
import Review

struct StatusLabels: Encodable, Sendable {
    let label: String
    let tone: String
    let sentence: String

    init(_ followed: FollowedSubmission) {
        switch followed.row.state {
        case .pending:
            tone = "wait"
            label = "Waiting"
            switch followed.standing.verdict {
            case "resubmit": sentence = "We have what you sent again. Somebody will look at it."
            case "appeal": sentence = "We have your appeal. Somebody else than before will look at it."
            case "undo": sentence = "It is being looked at once more."
            default: sentence = "We have it, and somebody will look at it. You need not do anything."
            }
        case .changesRequested:
            (label, tone) = ("We ask for a change", "wait")
            sentence = "Read what we ask for, change it below and send it again. You can do so once."
        case .approved:
            (label, tone) = followed.standing.isLive ? ("Published", "ok") : ("Approved", "ok")
            sentence =
                followed.standing.isLive
                ? "Readers can see it. Thank you." : "Thank you. It has not been published yet; its turn will come."
        case .rejected:
            (label, tone) = ("Not accepted", "bad")
            sentence =
                followed.mayAppeal
                ? "We will not publish it. You can ask once that somebody else looks at it."
                : "We will not publish it. This was looked at again after your appeal."
        case .duplicate:
            (label, tone) = ("We have this already", "")
            sentence = "Somebody sent the same before, so it goes no further."
        }
    }
}
