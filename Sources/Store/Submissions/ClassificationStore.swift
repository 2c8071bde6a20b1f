// What the external classifier answered about submissions, and which it is asked about next.
import Domain
import FoundationEssentials
import Postgres

/// The state of one submission at the external classifier.
package struct ClassificationRow: Sendable {
    package enum State: String, Sendable, CaseIterable {
        case waiting, scored
        /// The service did not answer, or not in the expected form.
        case failed
        /// It was not asked: the budget was used up, or the submission was decided first.
        case skipped
    }

    package let state: State
    /// Nil unless it answered.
    package let response: ClassifierResponse?
    package let respondedAt: Date?
    /// Why there is no answer.
    package let problem: String?

    /// Reads `columns`; nil when the classifier was not to be asked.
    init?(joined row: Row) throws {
        guard let state: String = try row("classification_state") else { return nil }
        self.state = State(rawValue: state) ?? .waiting
        respondedAt = try row("classification_responded_at")
        problem = try row("classification_problem")
        let (score, reasons): (Int?, JSONValue?) = (
            try row("classification_score"), try row("classification_reasons")
        )
        let (name, version): (String?, String?) = (
            try row("classification_name"), try row("classification_version")
        )
        response = score.map {
            ClassifierResponse(
                score: $0, reasons: (reasons?.arrayValue ?? []).compactMap(\.stringValue), name: name, version: version)
        }
    }

    /// Columns of `curation.classification x`.
    static let columns: SQL = """
        x.state as classification_state, x.score::integer as classification_score, x.reasons as classification_reasons,
        x.service_name as classification_name, x.service_version as classification_version,
        x.responded_at as classification_responded_at, x.problem as classification_problem
        """
}

/// A submission that the classifier is to be asked about, claimed by this daemon.
package struct ClaimedClassification: Sendable {
    package let submission: ID<Submission>
    /// Identifies the question, the same at each attempt.
    package let message: UUID
    /// Including the one that it is claimed for.
    package let attempts: Int
}

/// Whether a claimed submission may be asked about.
package enum ClassifierAdmission: String, Sendable {
    /// Ask; the call is counted.
    case call
    /// An earlier answer about the same text was used.
    case reused
    /// The budget is used up.
    case skipped
    /// Later: the breaker is open, or somebody asks about the same text.
    case postponed
    /// It was resubmitted in the meantime.
    case outdated
}

package struct ClassificationStore: Sendable {
    let connection: StoreConnection

    package func find(_ id: ID<Submission>) async throws -> ClassificationRow? {
        try await connection.rows(
            "select \(ClassificationRow.columns) from curation.classification x where x.submission_id = \(id)"
        ) { try ClassificationRow(joined: $0) }.first ?? nil
    }

    /// Asks about these when the transaction commits; earlier answers are about an earlier text.
    package func request(_ submissions: [UUID]) async throws {
        if submissions.isEmpty { return }
        try await connection.run(
            """
            with requested as (
                insert into curation.classification (submission_id) select unnest(\(submissions)::uuid[])
                on conflict (submission_id) do update set message_id = excluded.message_id, state = 'waiting', attempts = 0,
                    next_at = excluded.next_at, content_hash = null, asked_until = null, score = null, reasons = null,
                    service_name = null, service_version = null, responded_at = null, duration_ms = null, problem = null,
                    created_at = excluded.created_at, finished_at = null
                returning submission_id)
            select pg_notify('vitrine_classifier', '') from (select count(*) from requested) r
            """)
    }

    /// Whether any may be claimed or given up.
    package func isAnyDue() async throws -> Bool {
        try await connection.first(
            """
            select coalesce((
                select min(next_at) from curation.classification where state = 'waiting') <= clock_timestamp(), false) as is_due
            """
        ) { try $0("is_due") } ?? false
    }

    /// Claims the next one and counts the attempt; none while the breaker is open or awaits its one call. A submission
    /// whose daemon dies is due again after the lease.
    package func claim(_ limits: ClassifierLimits) async throws -> ClaimedClassification? {
        try await connection.first(
            """
            update curation.classification set attempts = attempts + 1,
                next_at = clock_timestamp() + make_interval(secs => \(limits.leaseSeconds)::integer)
            where submission_id = (
                select submission_id from curation.classification
                where state = 'waiting' and next_at <= clock_timestamp() and attempts < \(limits.maxAttempts)::integer
                    and not exists (select from ops.classifier s
                        where s.open_until > clock_timestamp()
                            or s.open_until is not null and s.probe_until > clock_timestamp())
                order by next_at, submission_id limit 1 for update skip locked)
            returning submission_id, message_id, attempts::integer as attempts
            """
        ) {
            ClaimedClassification(
                submission: try $0("submission_id"), message: try $0("message_id"), attempts: try $0("attempts"))
        }
    }

    /// The content of a submission that awaits a decision; nil if it no longer does.
    package func subject(_ id: ID<Submission>) async throws -> SubjectRow? {
        try await connection.first(
            """
            select s.id, false as is_entry, s.type, coalesce(v.fields, s.fields) as fields, s.source_url, s.client_id,
                \(SubjectRow.contributor), null::text as hour
            from curation.queue_item q join curation.submission s on s.id = q.submission_id
            \(SubmissionStore.latestVersion("fields"))
            where q.submission_id = \(id)
            """, SubjectRow.init)
    }

    /// Decides whether a claimed one may be asked about; `hash` is that of what would be sent.
    package func admit(
        _ claimed: ClaimedClassification, hash: [UInt8], _ limits: ClassifierLimits
    ) async throws -> ClassifierAdmission {
        let result: String? = try await connection.first(
            """
            select ops.admit_classification(\(claimed.submission), \(claimed.message), \(hash)::bytea,
                \(limits.perHour)::integer, \(limits.perDay)::integer, \(limits.cacheSeconds)::integer,
                \(limits.leaseSeconds)::integer) as result
            """
        ) { try $0("result") }
        return result.flatMap(ClassifierAdmission.init) ?? .outdated
    }

    /// Records an answer. Returns whether it closed the breaker.
    package func record(
        _ claimed: ClaimedClassification, _ response: ClassifierResponse, milliseconds: Int
    ) async throws -> Bool {
        try await connection.first(
            """
            select ops.score_classification(\(claimed.submission), \(claimed.message), \(response.score)::integer,
                \(JSONValue.array(response.reasons.map(JSONValue.string)))::jsonb, \(response.name)::text,
                \(response.version)::text, \(milliseconds)::integer) as was_open
            """
        ) { try $0("was_open") } ?? false
    }

    /// Records a failed call, after which it is asked about again in so many seconds, or never. `pause`: for how many
    /// seconds the service asks not to be called. Returns until when the breaker is open, if it opened now.
    package func fail(
        _ claimed: ClaimedClassification, _ error: String, retryAfter seconds: Double?, pause: Int,
        _ limits: ClassifierLimits
    ) async throws -> Date? {
        try await connection.first(
            """
            select ops.fail_classification(\(claimed.submission), \(claimed.message), \(error)::text, \(seconds)::float8,
                \(limits.breakerFailures)::integer, \(limits.firstPauseSeconds)::integer,
                \(limits.longestPauseSeconds)::integer, \(pause)::integer) as open_until
            """
        ) { try $0("open_until") as Date? } ?? nil
    }

    /// Ends a claimed one without asking.
    package func skip(_ claimed: ClaimedClassification, _ reason: String) async throws {
        try await connection.run(
            """
            update curation.classification set state = 'skipped', problem = left(\(reason), 500), asked_until = null,
                finished_at = clock_timestamp()
            where submission_id = \(claimed.submission) and message_id = \(claimed.message) and state = 'waiting'
            """)
    }

    /// Gives up requests whose daemon died at the last attempt, and requests that have waited for a day.
    package func giveUp(_ limits: ClassifierLimits) async throws {
        try await connection.run(
            """
            update curation.classification set asked_until = null, finished_at = clock_timestamp(),
                state = case when attempts >= \(limits.maxAttempts)::integer then 'failed' else 'skipped' end,
                problem = coalesce(problem, 'No answer within the time.')
            where state = 'waiting' and next_at <= clock_timestamp()
                and (attempts >= \(limits.maxAttempts)::integer or created_at < clock_timestamp() - interval '1 day')
            """)
    }
}
