// One submission that awaits a decision, as lists show it.
import Domain
import FoundationEssentials
import Postgres

package struct QueueRow: Sendable {
    package let id: ID<Submission>
    package let type: String
    package let title: String
    /// What the source is called: by its document, or else the name of the client.
    package let source: String
    package let clientName: String
    package let requestedCategory: String?
    package let receivedAt: Date
    package let receivedAtText: String
    package let priority: Priority
    package let claimedBy: String?
    package let claimedByID: ID<Account>?
    package let claimedUntil: Date?
    package let snoozedUntil: Date?
    /// Kept aside, because its contributor is blocked.
    package let isHeld: Bool
    package let assignedTo: String?
    package let assignedToID: ID<Account>?
    package let assignedRole: Role?
    /// Reopened by its contributor: `resubmit` or `appeal`.
    package let reopenedBy: String?
    let riskOrder: Int
    /// Nil until it is screened.
    package let screening: ScreeningRow?
    /// Nil until the external classifier has answered.
    package let classification: ClassificationRow?

    /// Columns of `curation.queue_item q` with `joined`.
    static let columns: SQL = """
        q.submission_id, q.type, q.title, coalesce(q.source_name, c.name) as source, c.name as client_name, q.requested_category, q.received_at,
        q.received_at::text as received_at_text, q.priority::integer as priority,
        case when q.claimed_until > now() then k.name end as claimed_name,
        case when q.claimed_until > now() then q.claimed_by end as claimed_id,
        case when q.claimed_until > now() then q.claimed_until end as claimed_until,
        case when q.snoozed_until > now() and not q.is_held then q.snoozed_until end as snoozed_until,
        coalesce(q.is_held and q.snoozed_until > now(), false) as is_held,
        g.name as assigned_name, q.assigned_to, \(Role.column("q.assigned_role")) as assigned_role, q.reopened_by,
        q.risk_order::integer as risk_order, \(ScreeningRow.columns), \(ClassificationRow.columns)
        """

    static let joined: SQL = """
        join ops.actor c on c.id = q.client_id left join ops.actor k on k.id = q.claimed_by
        left join ops.actor g on g.id = q.assigned_to
        left join curation.screening n on n.submission_id = q.submission_id and q.risk_order <= 100
        left join curation.classification x on x.submission_id = q.submission_id and x.state = 'scored'
        """

    init(row: Row) throws {
        id = try row("submission_id")
        type = try row("type")
        title = try row("title")
        source = try row("source")
        clientName = try row("client_name")
        requestedCategory = try row("requested_category")
        receivedAt = try row("received_at")
        receivedAtText = try row("received_at_text")
        priority = Priority(rawValue: try row("priority")) ?? .normal
        claimedBy = try row("claimed_name")
        claimedByID = try row("claimed_id")
        claimedUntil = try row("claimed_until")
        snoozedUntil = try row("snoozed_until")
        isHeld = try row("is_held")
        assignedTo = try row("assigned_name")
        assignedToID = try row("assigned_to")
        assignedRole = try row("assigned_role")
        reopenedBy = try row("reopened_by")
        riskOrder = try row("risk_order")
        screening = try ScreeningRow(joined: row)
        classification = try ClassificationRow(joined: row)
    }

    package var position: QueuePosition {
        QueuePosition(priority: priority.rawValue, riskOrder: riskOrder, receivedAt: receivedAtText, id: id)
    }
}
