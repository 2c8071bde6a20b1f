// One submission that awaits a decision, as lists show it.
import Domain
import FoundationEssentials
import Postgres

package struct QueueRow: Sendable {
    package let id: ID<Submission>
    package let type: String
    package let title: String
    package let source: String
    package let requestedCategory: String?
    package let receivedAt: Date
    package let receivedAtText: String
    package let priority: Priority
    package let claimedBy: String?
    package let claimedByID: ID<Account>?
    package let claimedUntil: Date?
    package let snoozedUntil: Date?
    package let assignedTo: String?
    package let assignedToID: ID<Account>?
    package let assignedRole: Role?
    /// Reopened by its contributor: `resubmit` or `appeal`.
    package let reopenedBy: String?
    let riskOrder: Int
    /// Nil until it is screened.
    package let screening: ScreeningRow?

    /// Columns of `curation.queue_item q` with `joined`.
    static let columns: SQL = """
        q.submission_id, q.type, q.title, c.name as source, q.requested_category, q.received_at,
        q.received_at::text as received_at_text, q.priority::integer as priority,
        case when q.claimed_until > now() then k.name end as claimed_name,
        case when q.claimed_until > now() then q.claimed_by end as claimed_id,
        case when q.claimed_until > now() then q.claimed_until end as claimed_until,
        case when q.snoozed_until > now() then q.snoozed_until end as snoozed_until,
        g.name as assigned_name, q.assigned_to, q.assigned_role, q.reopened_by, q.risk_order::integer as risk_order, \(ScreeningRow.columns)
        """

    static let joined: SQL = """
        join ops.actor c on c.id = q.client_id left join ops.actor k on k.id = q.claimed_by
        left join ops.actor g on g.id = q.assigned_to
        left join curation.screening n on n.submission_id = q.submission_id and q.risk_order <= 100
        """

    init(row: Row) throws {
        id = try row("submission_id")
        type = try row("type")
        title = try row("title")
        source = try row("source")
        requestedCategory = try row("requested_category")
        receivedAt = try row("received_at")
        receivedAtText = try row("received_at_text")
        priority = Priority(rawValue: try row("priority")) ?? .normal
        claimedBy = try row("claimed_name")
        claimedByID = try row("claimed_id")
        claimedUntil = try row("claimed_until")
        snoozedUntil = try row("snoozed_until")
        assignedTo = try row("assigned_name")
        assignedToID = try row("assigned_to")
        assignedRole = try row("assigned_role")
        reopenedBy = try row("reopened_by")
        riskOrder = try row("risk_order")
        screening = try ScreeningRow(joined: row)
    }

    package var position: QueuePosition {
        QueuePosition(priority: priority.rawValue, riskOrder: riskOrder, receivedAt: receivedAtText, id: id)
    }
}
