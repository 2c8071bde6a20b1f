// The form that decides a report case, with the outcomes that the signed-in person may choose.
import Domain
import HTTP
import Localization
import Store

struct ReportForm: Encodable, Sendable {
    struct Outcome: Encodable, Sendable {
        /// The digit that chooses it.
        let key: Int
        let value: String
        let label: String
        let hint: String
        let isChosen: Bool
    }

    let outcomes: [Outcome]
    let outcomeErrors: [String]
    let note: String
    let noteErrors: [String]
    /// Whether the end of a block can be chosen.
    let mayBlock: Bool
    let durations: [Option]
    let untilErrors: [String]
    let timeErrors: TimeErrors
    let isEndOpen: Bool
    let local: String
    let zone: String
    let autosave: Autosaved?

    /// Nil if the case is decided, or the person can't decide.
    init?(_ request: AdminRequest, _ found: ReportCaseRow, hasContributor: Bool, errors: FieldErrors) {
        let actor = request.actor
        guard found.isOpen, actor.may(.decide) else { return nil }
        let form = request.form
        let chosen = form.first("outcome").flatMap { ReportOutcome(rawValue: $0) }
        // A status concerns everything that the contributor sends.
        mayBlock = hasContributor && actor.scope.isAll
        let offered = ReportOutcome.allCases.filter { outcome in
            switch outcome {
            case .noAction: true
            case .edit: found.isEdited
            case .unpublish: found.liveVersion == nil || actor.may(.publish)
            case .block: hasContributor && actor.scope.isAll
            }
        }
        outcomes = offered.enumerated().map { index, outcome in
            Outcome(
                key: index + 1, value: outcome.rawValue, label: Self.label(outcome), hint: Self.hint(outcome, found),
                isChosen: outcome == chosen)
        }
        outcomeErrors = errors.messages(at: "/outcome")
        note = form.first("note") ?? ""
        noteErrors = errors.messages(at: "/note")
        durations = Option.list(ContributorStatusForm.durations, chosen: form.first("until") ?? "")
        untilErrors = errors.messages(at: "/until")
        timeErrors = TimeErrors(until: errors)
        isEndOpen = !untilErrors.isEmpty || !timeErrors.isEmpty
        local = form.first("local") ?? ""
        zone = form.first("zone") ?? request.zone
        autosave = request.autosave(AdminURL.report(found.id))
    }

    private static func label(_ outcome: ReportOutcome) -> String {
        switch outcome {
        case .noAction: tr("Take no action")
        case .edit: tr("Confirm the edit")
        case .unpublish: tr("Unpublish", context: "report outcome")
        case .block: tr("Block contributor")
        }
    }

    private static func hint(_ outcome: ReportOutcome, _ found: ReportCaseRow) -> String {
        switch outcome {
        case .noAction: tr("The entry stays as it is.")
        case .edit:
            tr("Version \(found.liveVersion ?? 0) is published; reported was version \(found.reportedVersion).")
        case .unpublish:
            found.liveVersion == nil
                ? tr("The entry is not published any more.") : tr("You'll review the changes before anything happens.")
        case .block: tr("The entry stays published. New submissions of its contributor are refused or held.")
        }
    }
}
