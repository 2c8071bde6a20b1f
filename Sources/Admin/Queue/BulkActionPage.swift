// The page of a bulk action: a preview with a form before it runs, the result of each submission afterwards.
import Domain
import HTTP
import Localization
import Store

struct BulkActionPage: Encodable, Sendable {
    struct Share: Encodable, Sendable {
        let type: String
        let source: String
        let count: Int
        /// How many are claimed by others.
        let claimed: Int?
    }

    struct Item: Encodable, Sendable {
        let title: String
        let url: String
        let about: String
        let reason: String?
    }

    /// The form that runs the bulk action; its fields depend on the action.
    struct Form: Encodable, Sendable {
        let url: String
        let button: String
        let isDanger: Bool
        let verdict: String?
        let placement: FieldForm?
        let publishTiming: ReviewForms.Timing?
        let reasons: [Option]
        let hasMessage: Bool
        let message: String
        let durations: [Option]
        let local: String
        let zone: String
        let assignees: [Option]
        let priorities: [Option]
        let hasComment: Bool
        let comment: String
    }

    struct Outcome: Encodable, Sendable {
        let message: String
        let doneAt: Instant
        let createdBy: String
        let undoneAt: Instant?
        let undoURL: String?
        let publication: Int64?
        let release: Int64?
    }

    let heading: String
    let shares: [Share]
    let sample: [Item]
    let isWholeSample: Bool
    let claimedCount: Int?
    let isFull: Bool
    let form: Form?
    let outcome: Outcome?
    let skipped: [Item]
    /// Submissions whose undo failed because they have been changed since.
    let kept: [Item]
    let queueURL: String
    let problem: ErrorSummary?

    private static let sampleSize = 10
    /// The number of skipped submissions shown.
    private static let skippedLimit = 500

    static func load(
        _ request: AdminRequest, _ bulkAction: BulkActionRow, typed: FormFields? = nil,
        errors: FieldErrors = FieldErrors()
    ) async throws -> BulkActionPage {
        let store = request.database.bulkActions
        let types = request.context.rules.types
        func items(_ rows: [BulkActionItemRow]) -> [Item] {
            rows.map { row in
                Item(
                    title: row.title.isEmpty ? tr("Untitled", context: "outcome") : row.title,
                    url: AdminURL.submission(row.id),
                    about: "\(types[row.type]?.label ?? row.type), \(row.source)",
                    reason: row.reason.map(skipReason))
            }
        }
        let isOpen = bulkAction.doneAt == nil
        let shares = try await store.groups(of: bulkAction.id, for: request.actor.rowID)
        let sample =
            isOpen || bulkAction.count(.done) > 0
            ? try await store.items(of: bulkAction.id, result: isOpen ? nil : .done, limit: sampleSize) : []
        let claimed = shares.map(\.claimed).reduce(0, +)
        return BulkActionPage(
            heading: "\(bulkAction.action.label): \(count(bulkAction.size))",
            shares: shares.map {
                Share(
                    type: types[$0.type]?.label ?? $0.type, source: $0.source, count: $0.count,
                    claimed: isOpen && $0.claimed > 0 ? $0.claimed : nil)
            },
            sample: items(sample), isWholeSample: (isOpen ? bulkAction.size : bulkAction.count(.done)) <= sampleSize,
            claimedCount: isOpen && claimed > 0 ? claimed : nil,
            isFull: isOpen && bulkAction.size >= BulkActionKind.limit,
            form: isOpen && bulkAction.size > 0
                ? try await form(request, bulkAction, shares.first.flatMap { types[$0.type] }, typed, errors) : nil,
            outcome: outcome(bulkAction),
            skipped: items(try await store.items(of: bulkAction.id, result: .skipped, limit: skippedLimit)),
            kept: items(try await store.items(of: bulkAction.id, result: .kept, limit: skippedLimit)),
            queueURL: QueueQuery(queryString: bulkAction.query).url(AdminURL.queue()),
            problem: ErrorSummary(errors, ids: ids))
    }

    static func count(_ number: Int) -> String {
        number == 1 ? "1 submission" : tr("\(number) submissions", context: "outcome")
    }

    private static let ids = [
        "/reason": "reason", "/message": "message", "/until": "until", "/until/local": "local", "/zone": "zone",
        "/publish/local": "local", "/publish/zone": "zone", "/assignee": "assignee", "/text": "text",
        "/priority": "priority",
    ]

    private static func skipReason(_ reason: String) -> String {
        switch reason {
        case "decided": tr("Already decided.")
        case "claimed": tr("Claimed or just decided by someone else.")
        case "assigned": tr("Assigned to someone else.")
        case "appeal": tr("An appeal against your rejection. A different reviewer must decide.")
        case "changed": tr("Changed in the meantime.")
        default: reason
        }
    }

    private static func form(
        _ request: AdminRequest, _ bulkAction: BulkActionRow, _ type: ContentType?, _ typed: FormFields?,
        _ errors: FieldErrors
    ) async throws -> Form {
        func text(_ name: String) -> String { typed?.first(name) ?? "" }
        func choices(_ pairs: [(String, String)], _ current: String) -> [Option] {
            Option.list(pairs, chosen: current)
        }
        var placement: FieldForm?
        var publishTiming: ReviewForms.Timing?
        if bulkAction.action == .approve, let type {
            let offered = try await FieldChoices.load(for: type, rules: request.context.rules, request.database)
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
        return Form(
            url: AdminURL.bulkActionRun(bulkAction.id), button: button(bulkAction.action, bulkAction.size),
            isDanger: bulkAction.action == .reject, verdict: Verdict(rawValue: bulkAction.action.rawValue)?.rawValue,
            placement: placement, publishTiming: publishTiming,
            reasons: bulkAction.action == .reject
                ? choices([("", "Choose…")] + RejectReason.allCases.map { ($0.rawValue, $0.label) }, text("reason"))
                : [],
            hasMessage: bulkAction.action == .reject || bulkAction.action == .requestChanges, message: text("message"),
            durations: bulkAction.action == .snooze
                ? choices(SubmissionActionForms.durations, typed == nil ? "24" : text("until")) : [],
            local: text("local"),
            zone: typed?.first("zone") ?? request.request.cookies[ReviewForms.zoneCookie] ?? "UTC",
            assignees: bulkAction.action == .assign
                ? choices(
                    [("", tr("Unassigned", context: "outcome"))] + QueueFilterForm.assignees(accounts), text("assignee")
                ) : [],
            priorities: bulkAction.action == .update
                ? choices(Priority.allCases.map { ($0.name, $0.label) }, typed == nil ? "high" : text("priority")) : [],
            hasComment: bulkAction.action == .assign, comment: text("text"))
    }

    private static func button(_ action: BulkActionKind, _ number: Int) -> String {
        switch action {
        case .requestChanges: tr("Request changes to \(count(number))")
        case .update: tr("Set priority of \(count(number))")
        case .approve, .reject, .snooze, .assign: "\(action.label) \(count(number))"
        }
    }

    private static func outcome(_ bulkAction: BulkActionRow) -> Outcome? {
        guard let doneAt = bulkAction.doneAt else { return nil }
        let done = bulkAction.count(.done) + bulkAction.count(.undone) + bulkAction.count(.kept)
        var parts = [tr("Done: \(count(done))", context: "outcome")]
        if bulkAction.count(.skipped) > 0 {
            parts.append(tr("\(bulkAction.count(.skipped)) skipped", context: "outcome"))
        }
        if bulkAction.undoneAt != nil {
            parts.append(tr("\(bulkAction.count(.undone)) undone", context: "outcome"))
            if bulkAction.count(.kept) > 0 {
                parts.append(tr("\(bulkAction.count(.kept)) unchanged", context: "outcome"))
            }
        }
        return Outcome(
            message: parts.joined(separator: ", ") + ".", doneAt: Instant(doneAt), createdBy: bulkAction.createdBy,
            undoneAt: bulkAction.undoneAt.map { Instant($0) },
            undoURL: bulkAction.undoneAt == nil && bulkAction.count(.done) > 0
                ? AdminURL.bulkActionUndo(bulkAction.id) : nil,
            publication: bulkAction.publication, release: bulkAction.release)
    }
}
