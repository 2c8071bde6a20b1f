// What failed and waits for somebody, counted for the home page.
import Domain
import Postgres

/// Each number stops at the limit of the caller + 1.
package struct FailureCounts: Sendable {
    package let releases: Int
    package let tasks: Int
    package let mails: Int
    package let deliveries: Int
    /// Webhooks that failed for so long that nothing is sent to them.
    package let webhooks: Int
}

package struct AttentionStore: Sendable {
    let connection: StoreConnection

    /// Failed releases in the scope of the page; the others regardless of it.
    package func failures(limit: Int) async throws -> FailureCounts? {
        let end: SQL = "limit \(fixed: limit + 1)"
        return try await connection.first(
            """
            select
                (select count(*) from (select from curation.release r where r.state = 'failed'
                    and \(AccessScope.current.release("r")) \(end)) x) as releases,
                (select count(*) from (select from ops.task where state = 'failed' \(end)) x) as tasks,
                (select count(*) from (select from ops.outbox_message
                    where state = 'failed' and webhook_id is null \(end)) x) as mails,
                (select count(*) from (select from ops.outbox_message
                    where state = 'failed' and webhook_id is not null \(end)) x) as deliveries,
                (select count(*) from (select from ops.webhook where state = 'disabled' \(end)) x) as webhooks
            """
        ) {
            FailureCounts(
                releases: try $0("releases"), tasks: try $0("tasks"), mails: try $0("mails"),
                deliveries: try $0("deliveries"), webhooks: try $0("webhooks"))
        }
    }
}
