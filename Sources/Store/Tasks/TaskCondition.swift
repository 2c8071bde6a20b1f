// When a scheduled task has something to do, in SQL, so that one statement decides about all of them.
import Postgres

/// Evaluated by every daemon up to once a second, as its role: it must read an index only.
package struct TaskCondition: Sendable {
    let sql: SQL

    package init(_ sql: SQL) {
        self.sql = sql
    }
}

extension TaskCondition {
    /// Also true while an older transaction is open, behind which events are not sealed yet.
    package static let unsealedEvents = TaskCondition(
        """
        exists (
            select from ops.audit_event e
            where (e.transaction, e.id) > (
                coalesce((select b.last_transaction from ops.audit_block b order by b.position desc limit 1), '0'),
                coalesce((
                    select b.event_ids[cardinality(b.event_ids)] from ops.audit_block b order by b.position desc limit 1), 0)))
        """)

    /// Outcomes whose undo window has ended. The oldest one decides, so that the others are not read.
    package static func dueOutcomes(afterMinutes minutes: Int) -> TaskCondition {
        TaskCondition(
            """
            (select min(decided_at) from ops.outcome where state = 'waiting')
                + make_interval(mins => \(minutes)::integer) <= clock_timestamp()
            """)
    }

    /// Submissions without a score or their words, and published entries whose similarity keys are not read yet.
    package static let unscreened = TaskCondition(
        """
        exists (select from curation.queue_item where risk_order = 101)
        or exists (select from curation.submission_search where not is_complete)
        or exists (
            select from curation.publication_change c
            where (c.publication, c.entry_id) > (
                (select publication from curation.screening_cursor), (select entry_id from curation.screening_cursor)))
        """)

    /// Changes of the read tables whose terms are not indexed yet.
    package static let unindexedChanges = TaskCondition(
        "exists (select from api_v1.change where number > (select change from delivery.search_progress))")
}
