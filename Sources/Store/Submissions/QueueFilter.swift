// Which part of the queue is shown, and in which order.
import Domain
import Postgres

/// Every field that is set must hold.
package struct QueueFilter: Sendable, Equatable {
    package var type: String?
    package var client: ID<APIClient>?
    package var category: String?
    package var claimedBy: ID<Account>?
    /// Nobody holds it.
    package var isFree = false
    /// Somebody holds it.
    package var isClaimed = false
    package var assignedTo: ID<Account>?
    package var assignedRole: Role?
    package var isUnassigned = false
    package var priority: Priority?
    /// It was screened, and has at least so many points.
    package var scoreAtLeast: Int?
    /// What its contributor did last to bring it back: answer or appeal.
    package var reopenedBy: String?
    /// At least so many hours old.
    package var hoursOld: Int?
    /// Younger than so many hours.
    package var hoursYoung: Int?
    /// Came later than this.
    package var receivedAfter: Timestamp?
    /// Only what is put off; nothing of that otherwise.
    package var isSnoozed = false
    /// A note that this person has not seen names them.
    package var mentioning: ID<Account>?
    package var words: String?
    /// Only what somebody works on: these content types; all where there are none.
    package var types: Set<String> = []
    /// And nothing that wishes for a category by one of these words, in small letters.
    package var unwished: Set<String> = []

    package init() {}

    /// More than what somebody works on and an age is asked for.
    var isNarrow: Bool {
        var wide = QueueFilter()
        (wide.types, wide.unwished, wide.hoursOld) = (types, unwished, hoursOld)
        return self != wide
    }

    /// All that it looks at stands in the index by score (`queue_item_by_score`).
    var isReadByScore: Bool {
        var rest = self
        (rest.words, rest.isSnoozed, rest.type, rest.types, rest.client) = (nil, false, nil, [], nil)
        (rest.scoreAtLeast, rest.hoursOld, rest.hoursYoung, rest.receivedAfter) = (nil, nil, nil, nil)
        return rest == QueueFilter()
    }

    /// What somebody works on, on `curation.queue_item q`; begins with " and".
    var scope: SQL {
        var sql: SQL = ""
        if !types.isEmpty { sql += " and q.type = any(\(types.sorted())::text[])" }
        if !unwished.isEmpty {
            sql += " and (q.requested_category is null or lower(q.requested_category) <> all(\(unwished.sorted())::text[]))"
        }
        return sql
    }

    /// On `curation.queue_item q`.
    var condition: SQL {
        var sql: SQL =
            isSnoozed ? "q.snoozed_until > now()" : "(q.snoozed_until is null or q.snoozed_until <= now())"
        if let type { sql += " and q.type = \(type)" }
        if let client { sql += " and q.client_id = \(client)" }
        if let category { sql += " and q.requested_category = \(category)" }
        if let claimedBy { sql += " and q.claimed_by = \(claimedBy) and q.claimed_until > now()" }
        if isFree { sql += " and (q.claimed_by is null or q.claimed_until <= now())" }
        if isClaimed { sql += " and q.claimed_by is not null and q.claimed_until > now()" }
        if let assignedTo { sql += " and q.assigned_to = \(assignedTo)" }
        if let assignedRole { sql += " and q.assigned_role = \(assignedRole)" }
        if isUnassigned { sql += " and q.assigned_to is null and q.assigned_role is null" }
        if let priority { sql += " and q.priority = \(priority.rawValue)" }
        if let scoreAtLeast { sql += " and q.risk_order <= \(100 - scoreAtLeast)" }
        if let reopenedBy { sql += " and q.reopened_by = \(reopenedBy)" }
        if let hoursOld { sql += " and q.received_at <= now() - make_interval(hours => \(hoursOld)::integer)" }
        if let hoursYoung { sql += " and q.received_at > now() - make_interval(hours => \(hoursYoung)::integer)" }
        if let receivedAfter { sql += " and q.received_at > \(receivedAfter.text)::timestamptz" }
        if let mentioning {
            sql += """
                 and exists (
                    select from curation.note n join curation.mention m on m.note_id = n.id
                    where n.submission_id = q.submission_id and m.account_id = \(mentioning) and m.seen_at is null)
                """
        }
        sql += scope
        // In brackets it is made once; else a plan that is kept for any words would make it anew for each row.
        if let words { sql += " and q.words @@ (select websearch_to_tsquery('simple', \(words)))" }
        return sql
    }
}

package enum QueueOrder: String, Sendable, CaseIterable {
    case oldest, newest, priority
    /// The highest score first; what was not screened yet comes last.
    case score

    /// The columns of the order, those of `curation.queue_item` where no table is named.
    var columns: SQL {
        switch self {
        case .oldest: "received_at, submission_id"
        case .newest: "received_at desc, submission_id desc"
        case .priority: "priority, received_at, submission_id"
        case .score: "risk_order, received_at, submission_id"
        }
    }

    /// What it looks at first, where that is a number.
    var number: SQL? {
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

/// Where one item stands in the queue, in any order.
package struct QueuePosition: Sendable {
    let priority: Int
    /// 100 less its score; 101 where it was not screened yet.
    let risk_order: Int
    /// PostgreSQL's own text, to the microsecond.
    let receivedAt: String
    let id: ID<Submission>

    package init(
        priority: Int = Priority.normal.rawValue, risk_order: Int = 101, receivedAt: String, id: ID<Submission>
    ) {
        self.priority = priority
        self.risk_order = risk_order
        self.receivedAt = receivedAt
        self.id = id
    }

    init(parsing cursor: String, _ order: QueueOrder) throws {
        let isNumbered = order.number != nil
        let place = try Cursor(parsing: cursor, count: isNumbered ? 3 : 2)
        let values = isNumbered ? Array(place.values.dropFirst()) : place.values
        let number = isNumbered ? Int(place.values[0]) : 1
        let time = values[0]
        // Anything but a time must not reach the cast.
        let isTime =
            (19...40).contains(time.utf8.count)
            && time.utf8.allSatisfy { (0x30...0x3A).contains($0) || [0x2D, 0x2B, 0x2E, 0x20].contains($0) }
        guard isTime, let id = ID<Submission>(values[1]), let number,
            (order == .priority ? 1...4 : 0...101).contains(number)
        else {
            throw Failure.invalid(
                FieldErrors("/cursor", "format", "This cursor is not one of ours. Begin again without one."))
        }
        self.init(
            priority: order == .priority ? number : Priority.normal.rawValue, risk_order: order == .score ? number : 101,
            receivedAt: time, id: id)
    }

    func cursor(_ order: QueueOrder) -> Cursor {
        Cursor((number(order).map { [String($0)] } ?? []) + [receivedAt, id.description])
    }

    /// What the order looks at first, where that is a number.
    private func number(_ order: QueueOrder) -> Int? {
        switch order {
        case .priority: priority
        case .score: risk_order
        case .oldest, .newest: nil
        }
    }

    /// What stands behind this place.
    func after(_ order: QueueOrder) -> SQL { compared(order, order == .newest ? "<" : ">") }

    /// What stands before this place, or at it.
    func upTo(_ order: QueueOrder) -> SQL { compared(order, order == .newest ? ">=" : "<=") }

    private func compared(_ order: QueueOrder, _ comparator: SQL) -> SQL {
        switch order {
        case .oldest, .newest:
            "(q.received_at, q.submission_id) \(comparator) (\(receivedAt)::timestamptz, \(id))"
        case .priority:
            "(q.priority, q.received_at, q.submission_id) \(comparator) (\(priority)::smallint, \(receivedAt)::timestamptz, \(id))"
        case .score:
            "(q.risk_order, q.received_at, q.submission_id) \(comparator) (\(risk_order)::smallint, \(receivedAt)::timestamptz, \(id))"
        }
    }
}
