// The form that runs a bulk action on submissions.
import Domain
import HTTP
import Localization
import Store

/// Its fields depend on the action.
struct BulkSubmissionForm: Encodable, Sendable {
    let url: String
    let button: String
    let isDanger: Bool
    let verdict: String?
    let placement: FieldForm?
    let publishTiming: ReviewForms.Timing?
    let reasons: [Option]
    let reasonErrors: [String]
    let hasMessage: Bool
    let message: String
    let messageErrors: [String]
    let durations: [Option]
    let untilErrors: [String]
    let timeErrors: TimeErrors
    let local: String
    let zone: String
    let assignees: [Option]
    let assigneeErrors: [String]
    let priorities: [Option]
    let priorityErrors: [String]
    let hasComment: Bool
    let comment: String
    let commentErrors: [String]
    let autosave: Autosaved?

    static func load(
        _ request: AdminRequest, _ bulkAction: BulkActionRow, _ type: ContentType?, _ typed: FormFields?,
        _ errors: FieldErrors
    ) async throws -> BulkSubmissionForm {
        func text(_ name: String) -> String { typed?.first(name) ?? "" }
        func choices(_ pairs: [(String, String)], _ current: String) -> [Option] {
            Option.list(pairs, chosen: current)
        }
        var placement: FieldForm?
        var publishTiming: ReviewForms.Timing?
        if bulkAction.action == .approve, let type {
            let offered = try await FieldChoices.load(for: type, request).markingClosedFeeds(for: request.actor)
            placement =
                if let typed {
                    FieldForm(type, typed: typed, errors: errors, choices: offered, only: DecisionForm.isPlacement)
                } else {
                    FieldForm(type, values: [:], choices: offered, only: DecisionForm.isPlacement)
                }
            publishTiming = ReviewForms.publishTiming(
                request, type, offered, typed.map { DecisionForm($0, type) }, errors)
        }
        let accounts =
            bulkAction.action == .assign ? try await request.database.accounts.list().filter { !$0.isDisabled } : []
        return BulkSubmissionForm(
            url: AdminURL.bulkActionRun(bulkAction.id), button: button(bulkAction.action, bulkAction.size),
            isDanger: bulkAction.action == .reject, verdict: Verdict(rawValue: bulkAction.action.rawValue)?.rawValue,
            placement: placement, publishTiming: publishTiming,
            reasons: bulkAction.action == .reject
                ? choices(RejectReason.allCases.map { ($0.rawValue, $0.label) }, text("reason")) : [],
            reasonErrors: errors.messages(at: "/reason"),
            hasMessage: bulkAction.action == .reject || bulkAction.action == .requestChanges, message: text("message"),
            messageErrors: errors.messages(at: "/message"),
            durations: bulkAction.action == .snooze
                ? choices(SubmissionActionForms.durations, typed == nil ? "24" : text("until")) : [],
            untilErrors: errors.messages(at: "/until"), timeErrors: TimeErrors(until: errors), local: text("local"),
            zone: typed?.first("zone") ?? request.zone,
            assignees: bulkAction.action == .assign
                ? choices(
                    [("", tr("Unassigned", context: "outcome"))]
                        + QueueFilterForm.assignees(try await request.database.roles.list(), accounts), text("assignee")
                ) : [],
            assigneeErrors: errors.messages(at: "/assignee"),
            priorities: bulkAction.action == .update
                ? choices(Priority.allCases.map { ($0.name, $0.label) }, typed == nil ? "high" : text("priority")) : [],
            priorityErrors: errors.messages(at: "/priority"),
            hasComment: bulkAction.action == .assign, comment: text("text"),
            commentErrors: errors.messages(at: "/text"),
            autosave: request.autosave(AdminURL.bulkAction(bulkAction.id)))
    }

    private static func button(_ action: BulkActionKind, _ number: Int) -> String {
        switch action {
        case .requestChanges: tr("Request changes to \(BulkActionKind.Object.submission.count(number))")
        case .update: tr("Set priority of \(BulkActionKind.Object.submission.count(number))")
        case .approve, .reject, .snooze, .assign, .publish, .unpublish, .add:
            "\(action.label(on: .submission)) \(BulkActionKind.Object.submission.count(number))"
        }
    }
}
