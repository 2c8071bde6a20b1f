// Filters and sort orders of the queue.
import Domain
import Postgres

/// All set fields must match.
package struct QueueFilter: Sendable, Equatable {
    package var type: String?
    package var client: ID<APIClient>?
    /// Any of these.
    package var sources: SourceFilter?
    package var category: String?
    package var claimedBy: ID<Account>?
    /// Nobody has claimed it.
    package var isUnclaimed = false
    /// Someone has claimed it.
    package var isClaimed = false
    package var assignedTo: ID<Account>?
    /// The name of a role.
    package var assignedRole: String?
    package var isUnassigned = false
    package var priority: Priority?
    /// Screened, with at least this score.
    package var minScore: Int?
    /// Screened, with at most this score.
    package var maxScore: Int?
    /// Reopened by its contributor: `resubmit` or `appeal`.
    package var reopenedBy: String?
    /// Resubmitted after this person requested changes.
    package var resubmittedTo: ID<Account>?
    /// At least this many hours old.
    package var minAgeHours: Int?
    /// Less than this many hours old.
    package var maxAgeHours: Int?
    /// Received after this time.
    package var receivedAfter: Timestamp?
    /// Only snoozed items; otherwise none of them.
    package var isSnoozed = false
    /// Only items that are kept aside because their contributors are blocked; otherwise none of them.
    package var isHeld = false
    package var contributor: ID<Contributor>?
    /// Beginnings of words of the contributor's name, or their email address.
    package var contributorName: String?
    /// The domain of a link.
    package var domain: String?
    /// Has a note that mentions this person and that they have not seen.
    package var mentioning: ID<Account>?
    /// Words of the title, the contributor's name and the text.
    package var query: String?
    /// The filter can't be understood, so nothing matches it.
    package var isUnreadable = false
    /// That of the page, unless another is set.
    package var scope = AccessScope.current

    package init() {}

    /// Filters by more than an access scope and an age.
    var isSelective: Bool {
        var broad = QueueFilter()
        (broad.scope, broad.minAgeHours) = (scope, minAgeHours)
        return self != broad
    }

    /// The index by score (`queue_item_by_score`) covers all its columns.
    var isCoveredByScoreIndex: Bool {
        var rest = self
        if rest.scope.groups.isEmpty { rest.scope = .all }
        (rest.query, rest.isSnoozed, rest.type, rest.client) = (nil, false, nil, nil)
        (rest.minScore, rest.minAgeHours, rest.maxAgeHours, rest.receivedAfter) = (nil, nil, nil, nil)
        var all = QueueFilter()
        all.scope = .all
        return rest == all
    }

    /// The filter as a condition on `curation.queue_item q`, for rows that are read in order.
    var condition: SQL {
        guard let query else { return rest }
        // As subqueries they are computed once; a generic plan would otherwise compute them again for each row.
        return """
            \(rest) and (q.search_terms @@ (select api_v1.parse_query(\(query)))
                or q.submission_id in (\(SubmissionWordStore.queued(words: query))))
            """
    }

    /// The same condition, for rows that are looked up in the indexes of words.
    var lookup: SQL {
        guard let query else { return rest }
        return """
            \(rest) and (q.search_terms @@ (select api_v1.parse_query(\(query)))
                or q.submission_id = any(array(\(SubmissionWordStore.queued(words: query)))))
            """
    }

    /// The condition without the words.
    private var rest: SQL {
        if isUnreadable { return "false" }
        var sql: SQL =
            isHeld
            ? "q.is_held and q.snoozed_until > now()"
            : isSnoozed
                ? "q.snoozed_until > now() and not q.is_held" : "(q.snoozed_until is null or q.snoozed_until <= now())"
        if let type { sql += " and q.type = \(type)" }
        if let client { sql += " and q.client_id = \(client)" }
        if let sources { sql += " and \(sources.condition("q"))" }
        if let contributorName { sql += " and q.submission_id in (\(SubmissionWordStore.sent(by: contributorName)))" }
        if let domain { sql += " and q.submission_id in (\(SubmissionWordStore.queued(domain: domain)))" }
        if let contributor {
            sql += """
                 and q.submission_id in (
                    select s.id from curation.contributor c
                    join curation.submission s on s.client_id = c.client_id and s.contributor = c.name where c.id = \(contributor))
                """
        }
        if let category { sql += " and q.requested_category = \(category)" }
        if let claimedBy { sql += " and q.claimed_by = \(claimedBy) and q.claimed_until > now()" }
        if isUnclaimed { sql += " and (q.claimed_by is null or q.claimed_until <= now())" }
        if isClaimed { sql += " and q.claimed_by is not null and q.claimed_until > now()" }
        if let assignedTo { sql += " and q.assigned_to = \(assignedTo)" }
        if let assignedRole { sql += " and q.assigned_role = \(assignedRole)" }
        if isUnassigned { sql += " and q.assigned_to is null and q.assigned_role is null" }
        if let priority { sql += " and q.priority = \(priority.rawValue)" }
        if let minScore { sql += " and q.risk_order <= \(100 - minScore)" }
        if let maxScore { sql += " and q.risk_order between \(100 - maxScore) and 100" }
        if let reopenedBy { sql += " and q.reopened_by = \(reopenedBy)" }
        if let resubmittedTo { sql += " and q.resubmitted_to = \(resubmittedTo)" }
        if let minAgeHours { sql += " and q.received_at <= now() - make_interval(hours => \(minAgeHours)::integer)" }
        if let maxAgeHours { sql += " and q.received_at > now() - make_interval(hours => \(maxAgeHours)::integer)" }
        if let receivedAfter { sql += " and q.received_at > \(receivedAfter.text)::timestamptz" }
        if let mentioning {
            sql += """
                 and exists (
                    select from curation.note n join curation.mention m on m.note_id = n.id
                    where n.submission_id = q.submission_id and m.account_id = \(mentioning) and m.seen_at is null)
                """
        }
        if !scope.isAll { sql += " and \(scope.submission("q"))" }
        return sql
    }
}

package enum QueueOrder: String, Sendable, CaseIterable {
    case oldest, newest, priority
    /// Highest score first; unscreened submissions come last.
    case score

    /// The columns of the order; of `curation.queue_item` unless a table is named.
    var columns: SQL {
        switch self {
        case .oldest: "received_at, submission_id"
        case .newest: "received_at desc, submission_id desc"
        case .priority: "priority, received_at, submission_id"
        case .score: "risk_order, received_at, submission_id"
        }
    }

    /// The leading column, if it is a number.
    var leadingNumber: SQL? {
        switch self {
        case .oldest, .newest: nil
        case .priority: "priority"
        case .score: "risk_order"
        }
    }

    var reversed: SQL {
        switch self {
        case .oldest: "received_at desc, submission_id desc"
        case .newest: "received_at, submission_id"
        case .priority: "priority desc, received_at desc, submission_id desc"
        case .score: "risk_order desc, received_at desc, submission_id desc"
        }
    }
}

/// The position of one item in the queue, in any order.
package struct QueuePosition: Sendable {
    let priority: Int
    /// 100 minus its score; 101 when it is not screened yet.
    let riskOrder: Int
    /// PostgreSQL's own text, to the microsecond.
    let receivedAt: String
    let id: ID<Submission>

    package init(
        priority: Int = Priority.normal.rawValue, riskOrder: Int = 101, receivedAt: String, id: ID<Submission>
    ) {
        self.priority = priority
        self.riskOrder = riskOrder
        self.receivedAt = receivedAt
        self.id = id
    }

    init(parsing cursor: String, _ order: QueueOrder) throws {
        let isNumbered = order.leadingNumber != nil
        let position = try Cursor(parsing: cursor, count: isNumbered ? 3 : 2)
        let values = isNumbered ? Array(position.values.dropFirst()) : position.values
        let number = isNumbered ? Int(position.values[0]) : 1
        let time = values[0]
        // Nothing but a time may reach the cast.
        let isTime =
            (19...40).contains(time.utf8.count)
            && time.utf8.allSatisfy { (0x30...0x3A).contains($0) || [0x2D, 0x2B, 0x2E, 0x20].contains($0) }
        guard isTime, let id = ID<Submission>(values[1]), let number,
            (order == .priority ? 1...4 : 0...101).contains(number)
        else {
            throw Cursor.unreadable
        }
        self.init(
            priority: order == .priority ? number : Priority.normal.rawValue, riskOrder: order == .score ? number : 101,
            receivedAt: time, id: id)
    }

    func cursor(_ order: QueueOrder) -> Cursor {
        Cursor((number(order).map { [String($0)] } ?? []) + [receivedAt, id.description])
    }

    /// The value of the order's leading column, if it is a number.
    private func number(_ order: QueueOrder) -> Int? {
        switch order {
        case .priority: priority
        case .score: riskOrder
        case .oldest, .newest: nil
        }
    }

    /// Items after this position.
    func after(_ order: QueueOrder) -> SQL { compared(order, order == .newest ? "<" : ">") }

    /// Items before or at this position.
    func upTo(_ order: QueueOrder) -> SQL { compared(order, order == .newest ? ">=" : "<=") }

    private func compared(_ order: QueueOrder, _ comparator: SQL) -> SQL {
        switch order {
        case .oldest, .newest:
            "(q.received_at, q.submission_id) \(comparator) (\(receivedAt)::timestamptz, \(id))"
        case .priority:
            "(q.priority, q.received_at, q.submission_id) \(comparator) (\(priority)::smallint, \(receivedAt)::timestamptz, \(id))"
        case .score:
            "(q.risk_order, q.received_at, q.submission_id) \(comparator) (\(riskOrder)::smallint, \(receivedAt)::timestamptz, \(id))"
        }
    }
}
