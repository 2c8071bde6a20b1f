// What a new deployment has done so far.
import Domain
import Postgres

/// The steps of a new deployment, each from facts in the database.
package struct ChecklistFacts: Sendable {
    /// Another account than the first.
    package let hasColleague: Bool
    package let hasFeed: Bool
    package let hasClient: Bool
    package let hasSubmission: Bool
    package let hasApproval: Bool
    /// An API client that may read used the API.
    package let hasRead: Bool

    package var isComplete: Bool {
        hasColleague && hasFeed && hasClient && hasSubmission && hasApproval && hasRead
    }
}

package struct ChecklistStore: Sendable {
    let connection: StoreConnection

    /// Nil once it is dismissed.
    package func facts() async throws -> ChecklistFacts? {
        try await connection.first(
            """
            select (select count(*) from (select from ops.account limit 2) x) > 1 as colleague,
                exists (select from curation.entry where kind = 'feed') as feed,
                exists (select from delivery.client where revoked_at is null) as client,
                exists (select from curation.submission) as submission,
                exists (select from curation.entry where submission_id is not null) as approval,
                exists (select from delivery.client c join ops.client_use u on u.client_id = c.id
                    where c.scopes && '{read-guest,read-full}') as reading
            where not exists (select from ops.checklist)
            """
        ) {
            ChecklistFacts(
                hasColleague: try $0("colleague"), hasFeed: try $0("feed"), hasClient: try $0("client"),
                hasSubmission: try $0("submission"), hasApproval: try $0("approval"), hasRead: try $0("reading"))
        }
    }

    // MARK: Changes

    package func dismiss(by actor: Actor) async throws {
        try await connection.run(
            "insert into ops.checklist (dismissed_by) values (\(actor.rowID)) on conflict do nothing")
    }
}
