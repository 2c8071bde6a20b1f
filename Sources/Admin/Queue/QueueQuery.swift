// The filters, sort order and cursor of the queue, as the query string carries them from page to page.
import Domain
import HTTP
import Operations
import Store

struct QueueQuery: Sendable {
    enum Claim: String {
        /// Claimed by the signed-in person, unclaimed, claimed by anyone.
        case mine, unclaimed = "none", any
    }

    /// Returned to the queue by its contributor: resubmitted, resubmitted after the signed-in person requested changes,
    /// appealed.
    enum Reopening: String {
        case resubmit, resubmitToMe = "resubmit_to_me", appeal
    }

    enum AssigneeFilter: Sendable {
        case me, unassigned
        case to(Assignee)

        init?(_ text: String) {
            switch text {
            case "me": self = .me
            case "none": self = .unassigned
            default:
                guard let assignee = Assignee(text) else { return nil }
                self = .to(assignee)
            }
        }

        var text: String {
            switch self {
            case .me: "me"
            case .unassigned: "none"
            case .to(let assignee): assignee.text
            }
        }
    }

    let type: String?
    /// The sender, whatever it calls its sources.
    let client: ID<APIClient>?
    /// What an import calls the source, such as the title of a feed.
    let sourceName: String?
    let category: String?
    /// The search text.
    let q: String?
    let claim: Claim?
    let assignee: AssigneeFilter?
    let priority: Priority?
    /// Minimum screening score.
    let score: Int?
    let reopened: Reopening?
    /// Minimum age in hours; if negative, the maximum age.
    let age: Int?
    /// Snoozed submissions instead of pending ones.
    let isSnoozed: Bool
    /// Submissions of blocked contributors instead of pending ones.
    let isHeld: Bool
    let contributor: ID<Contributor>?
    /// Submissions with unread mentions of the signed-in person.
    let isMentioned: Bool
    let order: QueueOrder
    /// The cursor of the page.
    let cursor: String?

    /// Empty and invalid fields are ignored.
    init(_ query: FormFields) {
        type = query.filterText("type")
        let source = query.filterText("source")
        client = source.flatMap { ID($0) }
        sourceName = client == nil ? source : nil
        category = query.filterText("category")
        q = query.filterText("q")
        claim = query.text("claim").flatMap(Claim.init)
        assignee = query.text("assignee").flatMap(AssigneeFilter.init)
        priority = query.text("priority").flatMap { Priority(name: $0) }
        score = query.text("score").flatMap { Int($0) }.flatMap { (0...100).contains($0) ? $0 : nil }
        reopened = query.text("reopened_by").flatMap(Reopening.init)
        age = query.text("age").flatMap { Int($0) }.flatMap { (-100_000...100_000).contains($0) && $0 != 0 ? $0 : nil }
        isSnoozed = query.first("snoozed") == "1"
        isHeld = query.first("held") == "1"
        contributor = query.text("contributor").flatMap { ID($0) }
        isMentioned = query.first("mentions") == "1"
        order = query.text("sort").flatMap(QueueOrder.init) ?? .oldest
        cursor = query.text("after")
    }

    /// Parses a query string without `?`; an invalid one has no filters.
    init(queryString: String) {
        self.init((try? FormFields(urlEncoded: queryString.utf8)) ?? FormFields())
    }

    var isFiltered: Bool { filters.contains { $0.1 != nil } }

    func filter(for request: AdminRequest) async throws -> QueueFilter {
        let account = request.session?.account
        var filter = QueueFilter()
        filter.type = type
        filter.client = client
        if let sourceName { filter.sources = SourceFilter(names: [sourceName]) }
        filter.category = category
        filter.query = q
        switch claim {
        case .mine: filter.claimedBy = account
        case .unclaimed: filter.isUnclaimed = true
        case .any: filter.isClaimed = true
        case nil: break
        }
        switch assignee {
        case .me: filter.assignedTo = account
        case .unassigned: filter.isUnassigned = true
        case .to(let assignee): (filter.assignedTo, filter.assignedRole) = (assignee.account, assignee.role)
        case nil: break
        }
        filter.priority = priority
        filter.minScore = score
        switch reopened {
        case .resubmitToMe: filter.resubmittedTo = account
        case .resubmit, .appeal: filter.reopenedBy = reopened?.rawValue
        case nil: break
        }
        if let age { if age > 0 { filter.minAgeHours = age } else { filter.maxAgeHours = -age } }
        filter.isSnoozed = isSnoozed
        filter.isHeld = isHeld
        filter.contributor = contributor
        if isMentioned { filter.mentioning = account }
        try await search(request)?.apply(
            to: &filter, account: account, overdueAfter: request.services.reviewPolicy.targetHours)
        return filter
    }

    /// The search text with its operators; nil without one.
    func search(_ request: AdminRequest) async throws -> ResolvedSubmissionSearch? {
        guard let q else { return nil }
        return try await ReadSubmissionSearch.resolve(q, request.context.rules.types, request.database)
    }

    private var filters: [(String, String?)] {
        [
            ("type", type), ("source", client?.description ?? sourceName), ("category", category), ("q", q),
            ("claim", claim?.rawValue), ("assignee", assignee?.text), ("priority", priority?.name),
            ("score", score.map(String.init)), ("reopened_by", reopened?.rawValue),
            ("age", age.map(String.init)), ("snoozed", isSnoozed ? "1" : nil),
            ("held", isHeld ? "1" : nil), ("contributor", contributor?.description),
            ("mentions", isMentioned ? "1" : nil),
        ]
    }

    /// The filters, the sort order and the cursor as a query string without `?`; `without`: a filter that is left out.
    func queryString(cursor: String? = nil, without left: String? = nil) -> String {
        var fields = FormFields()
        for (name, value) in filters + [("sort", order == .oldest ? nil : order.rawValue), ("after", cursor)] {
            if let value, name != left { fields.append(name, value) }
        }
        return fields.isEmpty ? "" : fields.urlEncoded
    }

    /// `path` with the query string.
    func url(_ path: String, cursor: String? = nil, without left: String? = nil) -> String {
        let queryString = queryString(cursor: cursor, without: left)
        return queryString.isEmpty ? path : "\(path)?\(queryString)"
    }
}
