// Who has a submission open.
import Domain
import Postgres

package struct ViewerStore: Sendable {
    let connection: StoreConnection

    /// Pages renew more often than this; a closed browser is forgotten after it.
    private static let recent: SQL = "v.seen_at > now() - interval '6 seconds'"

    /// The names of the other people who have the submission open, in alphabetical order.
    package func others(_ submission: ID<Submission>, than account: ID<Account>) async throws -> [String] {
        try await connection.rows(
            """
            select a.name from curation.viewer v join ops.actor a on a.id = v.account_id
            where v.submission_id = \(submission) and v.account_id <> \(account) and \(Self.recent) order by a.name limit 20
            """
        ) { try $0("name") }
    }

    /// For each open submission, who else has it open.
    package func others(than account: ID<Account>, limit: Int = 200) async throws -> [ID<Submission>: [String]] {
        let rows = try await connection.rows(
            """
            select v.submission_id, a.name from curation.viewer v join ops.actor a on a.id = v.account_id
            where v.account_id <> \(account) and \(Self.recent) order by a.name limit \(fixed: limit)
            """
        ) { (try $0("submission_id") as ID<Submission>, try $0("name") as String) }
        return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
    }

    // MARK: Changes

    /// Records that the account has the submission open; false if there is no such submission.
    package func see(_ submission: ID<Submission>, by account: ID<Account>) async throws -> Bool {
        try await connection.run(
            """
            insert into curation.viewer (submission_id, account_id)
            select s.id, \(account) from curation.submission s where s.id = \(submission)
            on conflict (submission_id, account_id) do update set seen_at = clock_timestamp()
            """) > 0
    }

    package func leave(_ submission: ID<Submission>, by account: ID<Account>) async throws {
        try await connection.run(
            "delete from curation.viewer where submission_id = \(submission) and account_id = \(account)")
    }
}
