// What lists and pages of contributors show: status, record and submissions.
import Domain
import FoundationEssentials
import Postgres

package struct ReputationRow: Sendable {
    package let id: ID<Contributor>
    package let name: String
    package let client: UUID
    /// The API client, import or submission form.
    package let source: String
    /// Anybody can write the name into a submission form, so it can't be trusted.
    package let isFromForm: Bool
    package let firstSeen: Date
    /// Nil when it has ended.
    package let status: ContributorStatus?
    package let reason: String?
    package let until: Date?
    package let setBy: String?
    package let setAt: Date?

    static let columns: SQL = """
        c.id, c.name, c.client_id, a.name as source, a.kind = 'form' as is_from_form, c.first_seen_at, \(isCurrent) as is_current,
        c.status, c.status_reason, c.status_until, b.name as status_by_name, c.status_at
        """
    static let joined: SQL = "join ops.actor a on a.id = c.client_id left join ops.actor b on b.id = c.status_by"
    /// A status ends exactly at its time.
    static let isCurrent: SQL = "(c.status is not null and (c.status_until is null or c.status_until > now()))"

    init(row: Row) throws {
        id = try row("id")
        name = try row("name")
        client = try row("client_id")
        source = try row("source")
        isFromForm = try row("is_from_form")
        firstSeen = try row("first_seen_at")
        let isCurrent: Bool = try row("is_current")
        status = isCurrent ? (try row("status") as String?).flatMap(ContributorStatus.init) : nil
        reason = isCurrent ? try row("status_reason") : nil
        until = isCurrent ? try row("status_until") : nil
        setBy = isCurrent ? try row("status_by_name") : nil
        setAt = isCurrent ? try row("status_at") : nil
    }
}

/// A contributor in a list.
package struct ContributorLine: Sendable {
    package let contributor: ReputationRow
    /// Stops counting at the limit + 1.
    package let submissions: Int
    package let lastSeen: Date?
}

/// How much there is about a contributor.
package struct ContributorCounts: Sendable {
    /// Each stops counting at the limit + 1.
    package static let limit = 1000

    package let submissions: Int
    package let reports: Int
    package let messages: Int
    package let notes: Int

    init(row: Row) throws {
        submissions = try row("submissions")
        reports = try row("reports")
        messages = try row("messages")
        notes = try row("notes")
    }
}

/// The submissions of a contributor by outcome, in an access scope.
package struct ReputationRecord: Sendable {
    /// Counts are of the latest `limit` submissions.
    package static let limit = 10_000

    package let states: [SubmissionState: Int]
    /// Of the pending ones.
    package let held: Int
    /// Of the approved ones: changed by their contributor when asked to.
    package let approvedAfterChanges: Int
    package let lastSeen: Date?
    /// Seconds from receipt to the first decision; nil without a decision.
    package let medianSeconds: Double?
    package let email: String?

    /// The submissions in one state, and what all of them have in common.
    struct Group: Sendable {
        let state: SubmissionState
        let count: Int
        let held: Int
        let resubmitted: Int
        let lastSeen: Date?
        let median: Double?
        let email: String?

        init(row: Row) throws {
            state = try row("state")
            count = try row("n")
            held = try row("held")
            resubmitted = try row("resubmitted")
            lastSeen = try row("last_seen_at")
            median = try row("median")
            email = try row("email")
        }
    }

    init(_ groups: [Group]) {
        var states: [SubmissionState: Int] = [:]
        for group in groups { states[group.state] = group.count }
        self.states = states
        held = groups.reduce(0) { $0 + $1.held }
        approvedAfterChanges = groups.first { $0.state == .approved }?.resubmitted ?? 0
        lastSeen = groups.compactMap(\.lastSeen).max()
        (medianSeconds, email) = (groups.first?.median, groups.first?.email)
    }

    package var count: Int { states.values.reduce(0, +) }
    package func count(_ state: SubmissionState) -> Int { states[state] ?? 0 }

    /// Nil before the first decision.
    package var approvalPercent: Int? {
        let decided = count(.approved) + count(.rejected)
        return decided == 0 ? nil : Int((Double(count(.approved)) * 100 / Double(decided)).rounded())
    }
}

/// One submission of a contributor with its outcome.
package struct ContributorSubmissionRow: Sendable {
    package let id: ID<Submission>
    package let type: String
    package let title: String
    package let receivedAt: Date
    package let receivedAtText: String
    package let state: SubmissionState
    package let isHeld: Bool
    /// It is in the queue, so it can be part of a bulk action.
    package let isQueued: Bool
    package let reason: String?
    /// The beginning of the message of the latest decision.
    package let message: String?
    package let decidedBy: String?
    package let decidedAt: Date?
    package let isLive: Bool

    init(row: Row) throws {
        id = try row("id")
        type = try row("type")
        title = try row("title")
        receivedAt = try row("received_at")
        receivedAtText = try row("received_at_text")
        state = try row("state")
        isHeld = try row("is_held")
        isQueued = try row("is_queued")
        reason = try row("reason")
        message = try row("message")
        decidedBy = try row("decided_by")
        decidedAt = try row("decided_at")
        isLive = try row("is_live")
    }
}
