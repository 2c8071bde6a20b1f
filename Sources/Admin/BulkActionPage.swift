// The page of an action on many submissions: what would happen to how many, and afterwards what happened to each.
import Domain
import HTTP
import Store

struct BulkActionPage: Encodable, Sendable {
    struct Share: Encodable, Sendable {
        let type: String
        let source: String
        let count: Int
        let held: Int?
    }

    struct Item: Encodable, Sendable {
        let title: String
        let address: String
        let about: String
        let reason: String?
    }

    struct Choice: Encodable, Sendable {
        let value: String
        let label: String
        let isChosen: Bool
    }

    /// What is asked before it is done; which parts there are depends on the action.
    struct Ask: Encodable, Sendable {
        let address: String
        let button: String
        let isDanger: Bool
        let verdict: String?
        let placing: FieldForm?
        let when: ReviewForms.When?
        let reasons: [Choice]
        let asksMessage: Bool
        let message: String
        let times: [Choice]
        let local: String
        let zone: String
        let assignees: [Choice]
        let priorities: [Choice]
        let asksNote: Bool
        let note: String
    }

    struct Outcome: Encodable, Sendable {
        let sentence: String
        let when: Instant
        let who: String
        let undone: Instant?
        let undoAddress: String?
        let publication: Int64?
        let release: Int64?
    }

    let heading: String
    let shares: [Share]
    let sample: [Item]
    let isWholeSample: Bool
    let heldCount: Int?
    let isFull: Bool
    let ask: Ask?
    let outcome: Outcome?
    /// Each that was passed over, and why.
    let skipped: [Item]
    let kept: [Item]
    let queueAddress: String
    let problem: ErrorSummary?

    private static let sampleSize = 10
    /// As many refusals can be read.
    private static let skippedLimit = 500

    static func load(
        _ request: AdminRequest, _ bulkAction: BulkActionRow, typed: FormFields? = nil, errors: FieldErrors = FieldErrors()
    ) async throws -> BulkActionPage {
        let store = request.database.bulkActions
        let types = request.context.rules.types
        func items(_ rows: [BulkActionItemRow]) -> [Item] {
            rows.map { row in
                Item(
                    title: row.title.isEmpty ? "Without a title" : row.title, address: "/queue/\(row.id)",
                    about: "\(types[row.type]?.label ?? row.type) from \(row.source)", reason: row.reason.map(words))
            }
        }
        let isOpen = bulkAction.doneAt == nil
        let shares = try await store.shares(of: bulkAction.id, for: request.actor.rowID)
        let sample =
            isOpen || bulkAction.count(.done) > 0
            ? try await store.items(of: bulkAction.id, result: isOpen ? nil : .done, limit: sampleSize) : []
        let held = shares.map(\.held).reduce(0, +)
        return BulkActionPage(
            heading: "\(bulkAction.action.label): \(count(bulkAction.size))",
            shares: shares.map {
                Share(
                    type: types[$0.type]?.label ?? $0.type, source: $0.source, count: $0.count,
                    held: isOpen && $0.held > 0 ? $0.held : nil)
            },
            sample: items(sample), isWholeSample: (isOpen ? bulkAction.size : bulkAction.count(.done)) <= sampleSize,
            heldCount: isOpen && held > 0 ? held : nil, isFull: isOpen && bulkAction.size >= BulkActionKind.limit,
            ask: isOpen && bulkAction.size > 0
                ? try await ask(request, bulkAction, shares.first.flatMap { types[$0.type] }, typed, errors) : nil,
            outcome: outcome(bulkAction),
            skipped: items(try await store.items(of: bulkAction.id, result: .skipped, limit: skippedLimit)),
            kept: items(try await store.items(of: bulkAction.id, result: .kept, limit: skippedLimit)),
            queueAddress: QueueQuery(text: bulkAction.query).address("/queue"),
            problem: ErrorSummary(errors, ids: ids))
    }

    static func count(_ number: Int) -> String { number == 1 ? "1 submission" : "\(number) submissions" }

    private static let ids = [
        "/reason": "reason", "/message": "message", "/until": "until", "/until/local": "local", "/zone": "zone",
        "/publish_timing/local": "local", "/publish_timing/zone": "zone", "/assignee": "assignee", "/text": "text",
        "/priority": "priority",
    ]

    private static func words(_ reason: String) -> String {
        switch reason {
        case "decided": "It was decided meanwhile."
        case "claimed": "Somebody else is looking at it, or has just decided it."
        case "assigned": "It was handed on to others, who decide about it."
        case "appeal": "It is an appeal against your rejection; somebody else decides."
        case "changed": "Something was decided about it meanwhile."
        default: reason
        }
    }

    private static func ask(
        _ request: AdminRequest, _ bulkAction: BulkActionRow, _ type: ContentType?, _ typed: FormFields?, _ errors: FieldErrors
    ) async throws -> Ask {
        func text(_ name: String) -> String { typed?.first(name) ?? "" }
        func choices(_ pairs: [(String, String)], _ chosen: String) -> [Choice] {
            pairs.map { Choice(value: $0.0, label: $0.1, isChosen: $0.0 == chosen) }
        }
        var placing: FieldForm?
        var when: ReviewForms.When?
        if bulkAction.action == .approve, let type {
            let offered = try await FieldChoices.load(for: type, rules: request.context.rules, request.database)
            placing =
                if let typed {
                    FieldForm(type, typed: typed, errors: errors, choices: offered, only: DecisionForm.isPlacing)
                } else {
                    FieldForm(type, values: [:], choices: offered, only: DecisionForm.isPlacing)
                }
            when = ReviewForms.when(request, type, offered, typed.map { DecisionForm($0, type) }, errors)
        }
        let people = bulkAction.action == .assign ? try await request.database.accounts.list().filter { !$0.isDisabled } : []
        return Ask(
            address: "/bulk-actions/\(bulkAction.id)/run", button: "\(bulkAction.action.label) – \(count(bulkAction.size))",
            isDanger: bulkAction.action == .reject, verdict: Verdict(rawValue: bulkAction.action.rawValue)?.rawValue, placing: placing,
            when: when,
            reasons: bulkAction.action == .reject
                ? choices([("", "Choose…")] + RejectReason.allCases.map { ($0.rawValue, $0.label) }, text("reason"))
                : [],
            asksMessage: bulkAction.action == .reject || bulkAction.action == .requestChanges, message: text("message"),
            times: bulkAction.action == .snooze ? choices(SubmissionActionForms.times, typed == nil ? "24" : text("until")) : [],
            local: text("local"),
            zone: typed?.first("zone") ?? request.request.cookies[ReviewForms.zoneCookie] ?? "UTC",
            assignees: bulkAction.action == .assign
                ? choices([("", "Everybody")] + QueueFilterForm.assignees(people), text("assignee")) : [],
            priorities: bulkAction.action == .rank
                ? choices(Priority.allCases.map { ($0.name, $0.label) }, typed == nil ? "high" : text("priority")) : [],
            asksNote: bulkAction.action == .assign, note: text("text"))
    }

    private static func outcome(_ bulkAction: BulkActionRow) -> Outcome? {
        guard let doneAt = bulkAction.doneAt else { return nil }
        var parts: [String] = []
        let wasDone = bulkAction.count(.done) + bulkAction.count(.undone) + bulkAction.count(.kept)
        parts.append(wasDone == 0 ? "Nothing was done" : "Done with \(count(wasDone))")
        if bulkAction.count(.skipped) > 0 { parts.append("\(bulkAction.count(.skipped)) passed over") }
        if bulkAction.undoneAt != nil {
            parts.append("\(bulkAction.count(.undone)) undone")
            if bulkAction.count(.kept) > 0 { parts.append("\(bulkAction.count(.kept)) left as they are") }
        }
        return Outcome(
            sentence: parts.joined(separator: ", ") + ".", when: Instant(doneAt), who: bulkAction.createdBy,
            undone: bulkAction.undoneAt.map { Instant($0) },
            undoAddress: bulkAction.undoneAt == nil && bulkAction.count(.done) > 0 ? "/bulk-actions/\(bulkAction.id)/undo" : nil,
            publication: bulkAction.publication, release: bulkAction.release)
    }
}
