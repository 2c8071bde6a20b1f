// The filter form above the queue: every filter and sort order with its current value.
import Domain
import Localization
import Store

struct QueueFilterForm: Encodable, Sendable {
    let q: String?
    let types: [Option]
    let sources: [Option]
    let priorities: [Option]
    let sortOrders: [Option]
    let category: String?
    let claims: [Option]
    let assignees: [Option]
    let scores: [Option]
    let reopenings: [Option]
    let ages: [Option]
    let isSnoozed: Bool
    let isHeld: Bool
    /// The one whose submissions are listed.
    let contributor: ContributorLink?
    let isMentioned: Bool
    /// The filters that are set, except the search text, which is in its field.
    private(set) var chips: [FilterChip] = []
    /// How many they are; nil for none.
    private(set) var count: Int?

    static func load(_ query: QueueQuery, _ request: AdminRequest) async throws -> QueueFilterForm {
        let accounts = try await request.database.accounts.list().filter { !$0.isDisabled }
        let ages = ages(query, request)
        let scores = try await scores(query, request)
        var form = QueueFilterForm(
            q: query.q,
            types: types(query.type, request),
            sources: try await sources(query, request),
            priorities: Option.list(
                [("", tr("All", context: "queue filter form"))] + Priority.allCases.map { ($0.name, $0.label) },
                chosen: query.priority?.name),
            sortOrders: Option.list(QueueOrder.allCases.map { ($0.rawValue, label($0)) }, chosen: query.order.rawValue),
            category: query.category,
            claims: Option.list(
                [
                    ("", tr("All", context: "queue filter form")), ("mine", tr("Claimed by me")),
                    ("none", tr("Unclaimed", context: "queue filter form")),
                    ("any", tr("Claimed", context: "queue filter form")),
                ],
                chosen: query.claim?.rawValue),
            assignees: Option.list(
                [
                    ("", tr("All", context: "queue filter form")), ("me", tr("Me", context: "queue filter form")),
                    ("none", tr("Unassigned", context: "queue filter form")),
                ] + assignees(try await request.database.roles.list(), accounts), chosen: query.assignee?.text),
            scores: Option.list(
                [("", tr("Any", context: "queue filter form"))] + scores, chosen: query.score.map(String.init)),
            reopenings: reopenings(
                query.reopened?.rawValue, others: [("resubmit_to_me", tr("Resubmitted after my request"))]),
            ages: Option.list(
                [("", tr("Any", context: "queue filter form"))] + ages, chosen: query.age.map(String.init)),
            isSnoozed: query.isSnoozed, isHeld: query.isHeld,
            contributor: try await contributor(query, request), isMentioned: query.isMentioned)
        form.chips = form.activeFilters(query)
        form.count = FilterCount.of(form.chips.count)
        return form
    }

    private func activeFilters(_ query: QueueQuery) -> [FilterChip] {
        func without(_ name: String) -> String { query.url(AdminURL.queue(), without: name) }
        let menus = [
            ("type", tr("Type", context: "filter"), types), ("source", tr("Source", context: "filter"), sources),
            ("priority", tr("Priority", context: "filter"), priorities), ("age", tr("Age", context: "filter"), ages),
            ("score", tr("Risk", context: "filter"), scores),
            ("reopened_by", tr("Reopened", context: "filter"), reopenings),
            ("claim", tr("Claim", context: "filter"), claims),
            ("assignee", tr("Assignee", context: "filter"), assignees),
        ]
        var chips = menus.compactMap { name, label, menu in FilterChip(label, menu, without: without(name)) }
        let state = tr("State", context: "filter")
        if let category {
            let name = tr("Suggested category", context: "filter")
            chips.append(FilterChip(name, category, without: without("category")))
        }
        if isSnoozed { chips.append(FilterChip(state, tr("Snoozed", context: "filter"), without: without("snoozed"))) }
        if isHeld { chips.append(FilterChip(state, tr("Held", context: "filter"), without: without("held"))) }
        if isMentioned {
            chips.append(FilterChip(state, tr("Mentions me", context: "filter"), without: without("mentions")))
        }
        if query.contributor != nil {
            chips.append(
                FilterChip(
                    tr("Contributor", context: "filter"), contributor?.name ?? tr("Unknown", context: "filter"),
                    without: without("contributor")))
        }
        return chips
    }

    /// The types of submissions in the scope of the person.
    static func types(_ chosen: String?, _ request: AdminRequest) -> [Option] {
        let types = request.context.rules.types.all.filter {
            $0.submittable && request.actor.scope.contains(type: $0.name)
        }
        return Option.list(
            [("", tr("All", context: "queue filter form"))] + types.map { ($0.name, $0.label) }, chosen: chosen)
    }

    static func reopenings(_ chosen: String?, others: [(String, String)] = []) -> [Option] {
        Option.list(
            [
                ("", tr("All", context: "queue filter form")),
                ("resubmit", tr("Resubmitted", context: "queue filter form")),
                ("appeal", tr("Appealed", context: "queue filter form")),
            ] + others, chosen: chosen)
    }

    /// Sources that the menu names besides senders; others are found by the search.
    private static let shownSources = 200

    /// API clients, forms and the import, then what pending submissions of the import call their sources.
    private static func sources(_ query: QueueQuery, _ request: AdminRequest) async throws -> [Option] {
        async let senders = request.database.clients.sources()
        // Names are of submissions, which may be outside the scope of a restricted account.
        var names = request.actor.scope.isAll ? try await request.database.queue.sourceNames(limit: shownSources) : []
        if let name = query.sourceName, !names.contains(name) { names.append(name) }
        var sources = [("", tr("All", context: "queue filter form"))]
        sources += try await senders.map { ($0.id.description, $0.name) }
        sources += names.map { ($0, $0) }
        return Option.list(sources, chosen: query.client?.description ?? query.sourceName)
    }

    private static func contributor(_ query: QueueQuery, _ request: AdminRequest) async throws -> ContributorLink? {
        guard let id = query.contributor else { return nil }
        return try await request.database.reputations.find(id).map(ContributorLink.init)
    }

    private static func ages(_ query: QueueQuery, _ request: AdminRequest) -> [(String, String)] {
        let target = request.services.reviewPolicy.targetHours
        var ages = [
            ("-1", tr("Under 1 hour")), ("-24", tr("Under 1 day")), ("24", tr("Over 1 day")), ("72", tr("Over 3 days")),
            ("168", tr("Over 1 week")),
        ]
        if !ages.contains(where: { $0.0 == String(target) }) {
            ages.append((String(target), tr("Over \(target) h (overdue)")))
        }
        if let age = query.age, !ages.contains(where: { $0.0 == String(age) }) {
            ages.append((String(age), age > 0 ? tr("Over \(age) h") : tr("Under \(-age) h")))
        }
        return ages
    }

    private static func scores(_ query: QueueQuery, _ request: AdminRequest) async throws -> [(String, String)] {
        var scores: [(String, String)] = []
        if let version = try await request.database.screenings.current() {
            let rules = try ScreeningRules(reading: version.rules)
            scores = [
                (String(rules.medium), tr("Medium or high")),
                (String(rules.high), tr("High", context: "queue filter form")),
            ]
        }
        if let score = query.score, !scores.contains(where: { $0.0 == String(score) }) {
            scores.append((String(score), tr("\(score) points or more")))
        }
        return scores
    }

    static func label(_ order: QueueOrder) -> String {
        switch order {
        case .oldest: tr("Oldest first")
        case .newest: tr("Newest first")
        case .priority: tr("Highest priority first")
        case .score: tr("Highest risk first")
        }
    }

    /// The assignees a menu offers: roles, then accounts.
    static func assignees(_ roles: [Role], _ accounts: [AccountRow]) -> [(String, String)] {
        roles.filter(\.isWorthRequiring).map {
            (Assignee.role($0.name).text, tr("Any \($0.labelInText)", context: "queue filter form"))
        }
            + accounts.map { (Assignee.account($0.id).text, $0.name) }
    }
}
