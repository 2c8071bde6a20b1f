// Which part of the queue a curator looks at, as the address carries it from page to page.
import Domain
import HTTP
import Review
import Store

struct QueueQuery: Sendable {
    enum Holder: String {
        /// Taken by whoever asks, by nobody, by anybody.
        case mine, free, taken
    }

    enum Assigned: Sendable {
        case me, nobody
        case to(Assignee)

        init?(_ text: String) {
            switch text {
            case "me": self = .me
            case "nobody": self = .nobody
            default:
                guard let assignee = Assignee(text) else { return nil }
                self = .to(assignee)
            }
        }

        var text: String {
            switch self {
            case .me: "me"
            case .nobody: "nobody"
            case .to(let assignee): assignee.text
            }
        }
    }

    let type: String?
    let client: ID<APIClient>?
    let category: String?
    let words: String?
    let holder: Holder?
    let assigned: Assigned?
    let priority: Priority?
    /// Points of the screening, at least so many.
    let score: Int?
    /// answer or appeal.
    let reopenedBy: String?
    /// Hours: at least so old, or (below 0) younger than that.
    let age: Int?
    /// What is put off, in place of what waits.
    let isSnoozed: Bool
    /// Where a note names whoever asks, and they have not looked yet.
    let isMentioned: Bool
    let order: QueueOrder
    /// Where the page of the list begins.
    let after: String?

    /// Fields that are empty, or cannot be meant, do not filter.
    init(_ query: FormFields) {
        func text(_ name: String) -> String? {
            let text = PlainText.singleLine(query.first(name) ?? "")
            return text.isEmpty ? nil : String(text.prefix(200))
        }
        type = text("type")
        client = text("client").flatMap { ID($0) }
        category = text("category")
        words = text("q")
        holder = text("holder").flatMap(Holder.init)
        assigned = text("assigned").flatMap(Assigned.init)
        priority = text("priority").flatMap { Priority(name: $0) }
        score = text("score").flatMap { Int($0) }.flatMap { (0...100).contains($0) ? $0 : nil }
        reopenedBy = text("back").flatMap { ["resubmit", "appeal"].contains($0) ? $0 : nil }
        age = text("age").flatMap { Int($0) }.flatMap { (-100_000...100_000).contains($0) && $0 != 0 ? $0 : nil }
        isSnoozed = query.first("snoozed") == "1"
        isMentioned = query.first("mentions") == "1"
        order = text("sort").flatMap(QueueOrder.init) ?? .oldest
        after = query.first("after").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The query of an address, without `?`; one that cannot be read filters nothing.
    init(text: String) {
        self.init((try? FormFields(urlEncoded: text.utf8)) ?? FormFields())
    }

    var isFiltered: Bool { filters.contains { $0.1 != nil } }

    /// Filters that are not at hand in the first line of the form.
    var hasRareFilter: Bool {
        category != nil || holder != nil || assigned != nil || score != nil || reopenedBy != nil || age != nil
            || isSnoozed || isMentioned
    }

    func filter(for request: AdminRequest) async throws -> QueueFilter {
        let account = request.session?.account
        var filter = try await request.database.queueFilter(within: request.actor.scope)
        filter.type = type
        filter.client = client
        filter.category = category
        filter.words = words
        switch holder {
        case .mine: filter.claimedBy = account
        case .free: filter.isFree = true
        case .taken: filter.isClaimed = true
        case nil: break
        }
        switch assigned {
        case .me: filter.assignedTo = account
        case .nobody: filter.isUnassigned = true
        case .to(let assignee): (filter.assignedTo, filter.assignedRole) = (assignee.account, assignee.role)
        case nil: break
        }
        filter.priority = priority
        filter.scoreAtLeast = score
        filter.reopenedBy = reopenedBy
        if let age { if age > 0 { filter.hoursOld = age } else { filter.hoursYoung = -age } }
        filter.isSnoozed = isSnoozed
        if isMentioned { filter.mentioning = account }
        return filter
    }

    private var filters: [(String, String?)] {
        [
            ("type", type), ("client", client?.description), ("category", category), ("q", words),
            ("holder", holder?.rawValue), ("assigned", assigned?.text), ("priority", priority?.name),
            ("score", score.map(String.init)), ("back", reopenedBy),
            ("age", age.map(String.init)), ("snoozed", isSnoozed ? "1" : nil), ("mentions", isMentioned ? "1" : nil),
        ]
    }

    /// The filter and the order, as an address has them behind `?`; and the place where the list goes on.
    func text(after: String? = nil) -> String {
        var fields = FormFields()
        for (name, value) in filters + [("sort", order == .oldest ? nil : order.rawValue), ("after", after)] {
            if let value { fields.append(name, value) }
        }
        return fields.isEmpty ? "" : fields.urlEncoded
    }

    /// `path` with the filter, and with the place where the list goes on.
    func address(_ path: String, after: String? = nil) -> String {
        let text = text(after: after)
        return text.isEmpty ? path : "\(path)?\(text)"
    }
}
