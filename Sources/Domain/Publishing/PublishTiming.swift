// When a change becomes public: now, at a time, with a release, or later; and who may choose that.
import Localization

package enum PublishTiming: Sendable, Hashable {
    /// Saved, to be approved by someone else.
    case draft
    /// Approved without publishing.
    case approveOnly
    case now
    /// At a time, with a release of its own.
    case at(WallTime)
    /// With an open or scheduled release.
    case release(Int64)

    /// Reads `now`, `none`, an RFC 3339 instant (stored in UTC), or a wall time such as `2026-11-20T18:00`, which
    /// requires `zone`.
    package init(parsing text: String, zone: String? = nil, pointer: String = "/publish") throws(Failure) {
        switch text {
        case "now": self = .now
        case "none": self = .approveOnly
        default:
            if let instant = Timestamp(text) {
                self = .at(WallTime(instant))
                return
            }
            var rest = Substring(text).utf8
            guard CivilTime(reading: &rest, needsSeconds: false) != nil, rest.isEmpty else {
                let message = tr("Enter now, none, or a date and time such as 2026-11-20T18:00.")
                throw .invalid(FieldErrors(pointer, "format", message))
            }
            guard let zone else {
                throw .invalid(FieldErrors(pointer, "required", tr("Add a time zone, such as Europe/London.")))
            }
            self = .at(try WallTime(local: text, zone: zone, pointer: pointer))
        }
    }

    /// Reads the choice of a form: `draft`, `approve` or `none`, `now`, the number of a release, or `at` with a date and
    /// time in a zone. Nil for any other text.
    package init?(choice: String, local: String = "", zone: String = "") throws(Failure) {
        switch choice {
        case "draft": self = .draft
        case "approve", "none": self = .approveOnly
        case "now": self = .now
        case "at": self = .at(try WallTime(local: local, zone: zone, pointer: "/publish"))
        default:
            guard let number = Int64(choice) else { return nil }
            self = .release(number)
        }
    }

    /// Whether an approval of a submission can't have it.
    var isForEntries: Bool {
        switch self {
        case .draft, .release: true
        case .approveOnly, .now, .at: false
        }
    }

    package var time: WallTime? {
        if case .at(let time) = self { time } else { nil }
    }

    /// Throws `Failure.forbidden` unless the actor may publish a change at this time, and approve it: all but a draft is
    /// approved first.
    package func require(of actor: Actor) throws(Failure) {
        switch self {
        case .draft: return
        case .approveOnly: break
        case .now: try actor.require(.publish, "publish")
        case .at: try actor.require(.publish, tr("schedule publications"))
        case .release: try actor.require(.createRelease, tr("add changes to releases"))
        }
        try actor.require(.approve, tr("approve versions"))
    }

    /// Whether `require` admits the actor.
    package func isAllowed(for actor: Actor) -> Bool {
        (try? require(of: actor)) != nil
    }

    /// The timing of an edit that anybody may suggest: who may not approve and publish saves a draft instead.
    package func orDraft(for actor: Actor) -> PublishTiming {
        self == .now && !isAllowed(for: actor) ? .draft : self
    }

    /// The label of "approve only" for this actor, who may or may not complete the approval. It says that nothing is published:
    /// beside "Now" and "Schedule", a shorter "Later" would read as a time at which it is.
    package static func approveOnlyLabel(for actor: Actor) -> String {
        actor.may(.approve) ? tr("Approve without publishing") : tr("Send to an editor")
    }
}
