// The form above the queue: everything that a list can be filtered and sorted by.
import Domain
import Store

struct QueueFilterForm: Encodable, Sendable {
    struct Option: Encodable, Sendable {
        let value: String
        let label: String
        let isChosen: Bool
    }

    let words: String?
    let types: [Option]
    let clients: [Option]
    let priorities: [Option]
    let orders: [Option]
    let category: String?
    let holders: [Option]
    let assignees: [Option]
    let scores: [Option]
    let comebacks: [Option]
    let ages: [Option]
    let isSnoozed: Bool
    let isMentioned: Bool
    let isOpen: Bool

    static func load(_ query: QueueQuery, _ request: AdminRequest) async throws -> QueueFilterForm {
        let people = try await request.database.accounts.list().filter { !$0.isDisabled }
        func options(_ pairs: [(String, String)], _ chosen: String?) -> [Option] {
            pairs.map { Option(value: $0.0, label: $0.1, isChosen: $0.0 == chosen ?? "") }
        }
        let target = request.context.targetHours
        var ages = [
            ("-1", "Under an hour"), ("-24", "Under a day"), ("24", "Over a day"), ("72", "Over 3 days"),
            ("168", "Over a week"),
        ]
        if !ages.contains(where: { $0.0 == String(target) }) {
            ages.append((String(target), "Over \(target) h (late)"))
        }
        if let age = query.age, !ages.contains(where: { $0.0 == String(age) }) {
            ages.append((String(age), age > 0 ? "Over \(age) h" : "Under \(-age) h"))
        }
        var scores: [(String, String)] = []
        if let version = try await request.database.screenings.current() {
            let rules = try ScreeningRules(reading: version.rules)
            scores = [(String(rules.medium), "Medium or high"), (String(rules.high), "High")]
        }
        if let score = query.score, !scores.contains(where: { $0.0 == String(score) }) {
            scores.append((String(score), "From \(score) points"))
        }
        return QueueFilterForm(
            words: query.words,
            types: options(
                [("", "All")]
                    + request.context.rules.types.all.filter {
                        $0.submittable && request.actor.scope.holds(type: $0.name)
                    }.map { ($0.name, $0.label) },
                query.type),
            clients: options(
                [("", "All")]
                    + (try await request.database.clients.list().map { ($0.client.id.description, $0.client.name) }),
                query.client?.description),
            priorities: options([("", "All")] + Priority.allCases.map { ($0.name, $0.label) }, query.priority?.name),
            orders: options(QueueOrder.allCases.map { ($0.rawValue, label($0)) }, query.order.rawValue),
            category: query.category,
            holders: options(
                [("", "All"), ("mine", "Taken by me"), ("free", "Taken by nobody"), ("taken", "Taken by anybody")],
                query.holder?.rawValue),
            assignees: options(
                [("", "All"), ("me", "Me"), ("nobody", "Nobody")] + assignees(people), query.assigned?.text),
            scores: options([("", "Any")] + scores, query.score.map(String.init)),
            comebacks: options(
                [("", "All"), ("resubmit", "Sent again"), ("appeal", "Appealed")], query.reopenedBy),
            ages: options([("", "Any")] + ages, query.age.map(String.init)),
            isSnoozed: query.isSnoozed, isMentioned: query.isMentioned, isOpen: query.hasRareFilter)
    }

    static func label(_ order: QueueOrder) -> String {
        switch order {
        case .oldest: "Oldest first"
        case .newest: "Newest first"
        case .priority: "Most urgent first"
        case .score: "Highest risk first"
        }
    }

    /// Roles and people, as a menu offers them.
    static func assignees(_ people: [AccountRow]) -> [(String, String)] {
        Role.allCases.dropFirst().map { (Assignee.role($0).text, "Any \($0.label.lowercased())") }
            + people.map { (Assignee.account($0.id).text, $0.name) }
    }
}
