// Spam training: term counts and contributor records, aggregated from past decisions by a background task.
import Domain
import FoundationEssentials
import Postgres

/// A contributor, identified by a client and that client's reference.
package struct ContributorKey: Sendable, Hashable {
    package let client: UUID
    package let contributor: String

    package init(client: UUID, contributor: String) {
        (self.client, self.contributor) = (client, contributor)
    }
}

/// A submission whose decision differs from its training sample.
package struct TrainingSampleRow: Sendable {
    package let id: UUID
    package let type: String
    package let fields: [String: JSONValue]
    package let contributor: ContributorKey?
    /// approved, rejected or spam; nil when it must not be used for training.
    package let verdict: String?
    package let trained: String?
    package let decidedAt: String

    init(row: Row) throws {
        id = try row("id")
        type = try row("type")
        fields = (try row("fields") as StoredFields).values
        let name: String? = try row("contributor")
        let client: UUID = try row("client_id")
        contributor = name.map { ContributorKey(client: client, contributor: $0) }
        verdict = try row("verdict")
        trained = try row("trained")
        decidedAt = try row("decided_at")
    }
}

package struct SpamStore: Sendable {
    let connection: StoreConnection

    /// The training verdict of a decision; null for automatic decisions, so that the model does not train on itself.
    private static let sample: SQL = """
        case when d.decided_by = '00000000-0000-7000-8000-000000000001' then null
            when d.verdict = 'approve' then 'approved' when d.verdict = 'reject' and d.reason = 'spam' then 'spam'
            when d.verdict = 'reject' then 'rejected' end
        """

    // MARK: Looking up

    package func totals() async throws -> SpamCount {
        try await connection.first("select spam, ham from curation.screening_cursor") {
            SpamCount(spam: try $0("spam"), ham: try $0("ham"))
        } ?? SpamCount()
    }

    package func counts(of tokens: Set<SpamToken>) async throws -> [SpamToken: SpamCount] {
        let all = Array(tokens)
        let rows = try await connection.rows(
            """
            select t.field, t.token, t.spam, t.ham
            from unnest(\(all.map(\.field.rawValue))::text[], \(all.map(\.text))::text[]) i (field, token)
            join curation.spam_token t on t.field = i.field and t.token = i.token
            """
        ) {
            (
                SpamToken(field: SpamToken.Field(rawValue: try $0("field")) ?? .text, text: try $0("token")),
                SpamCount(spam: try $0("spam"), ham: try $0("ham"))
            )
        }
        return Dictionary(rows) { first, _ in first }
    }

    package func records(of contributors: Set<ContributorKey>) async throws -> [ContributorKey: ContributorRecord] {
        let all = Array(contributors)
        let rows = try await connection.rows(
            """
            select r.client_id, r.contributor, r.approved, r.rejected, r.spam
            from unnest(\(all.map(\.client))::uuid[], \(all.map(\.contributor))::text[]) i (client_id, contributor)
            join curation.contributor_record r on r.client_id = i.client_id and r.contributor = i.contributor
            """
        ) {
            (
                ContributorKey(client: try $0("client_id"), contributor: try $0("contributor")),
                ContributorRecord(
                    approved: try $0("approved"), rejected: try $0("rejected"), spam: try $0("spam"))
            )
        }
        return Dictionary(rows) { first, _ in first }
    }

    // MARK: Counting

    /// Counts submissions that were not screened before by the hour of their receipt. Returns the count of the
    /// contributor's hour for each.
    package func count(
        _ received: [(id: UUID, contributor: ContributorKey, hour: String)]
    ) async throws -> [UUID: Int] {
        let rows = try await connection.rows(
            """
            with input as materialized (
                select i.id, i.client_id, i.contributor, i.hour::timestamptz as hour
                from unnest(\(received.map(\.id))::uuid[], \(received.map(\.contributor.client))::uuid[],
                    \(received.map(\.contributor.contributor))::text[], \(received.map(\.hour))::text[])
                    i (id, client_id, contributor, hour)),
            counted as (
                insert into curation.contributor_hour as h (client_id, contributor, hour, n)
                select i.client_id, i.contributor, i.hour, count(*) from input i
                where not exists (select from curation.screening n where n.submission_id = i.id)
                group by i.client_id, i.contributor, i.hour order by 1, 2, 3
                on conflict (client_id, contributor, hour) do update set n = h.n + excluded.n
                returning client_id, contributor, hour, n)
            select i.id, coalesce(c.n, h.n, 1) as n from input i
            left join counted c on (c.client_id, c.contributor, c.hour) = (i.client_id, i.contributor, i.hour)
            left join curation.contributor_hour h
                on (h.client_id, h.contributor, h.hour) = (i.client_id, i.contributor, i.hour)
            """
        ) { (try $0("id") as UUID, try $0("n") as Int) }
        return Dictionary(rows) { first, _ in first }
    }

    // MARK: Training

    /// When more than `size` decisions await training: the time of the last decision of the next batch.
    package func batchEnd(of size: Int = 200_000) async throws -> String? {
        try await connection.first(
            """
            select d.decided_at::text as decided_at from curation.decision d, curation.screening_cursor c
            where d.id >= curation.uuid_v7_from(c.trained_to - interval '15 minutes') order by d.id offset \(size) limit 1
            """
        ) { try $0("decided_at") }
    }

    /// Submissions decided since the last training until `end`, in the order of their decisions. Locks the cursor, so
    /// that two callers do not train on the same samples. Ids of decisions begin with their time; decisions committed
    /// late are found within a quarter of an hour.
    package func samples(until end: String?, limit: Int) async throws -> [TrainingSampleRow] {
        try await connection.rows(
            """
            with cursor as materialized (select trained_to from curation.screening_cursor for update),
            decided as materialized (
                select d.submission_id, max(d.decided_at) as decided_at from curation.decision d, cursor c
                where d.id >= curation.uuid_v7_from(c.trained_to - interval '15 minutes')
                  and (\(end)::timestamptz is null or d.decided_at <= \(end)::timestamptz)
                group by d.submission_id),
            due as materialized (
                select s.submission_id, s.decided_at, w.verdict, l.verdict as trained
                from decided s
                cross join lateral (
                    select \(Self.sample) as verdict from curation.decision d
                    where d.submission_id = s.submission_id order by d.number desc limit 1) w
                left join curation.training_sample l on l.submission_id = s.submission_id
                where w.verdict is distinct from l.verdict
                order by s.decided_at, s.submission_id limit \(limit))
            select s.id, s.type, s.client_id, \(SubjectRow.contributor), coalesce(v.fields, s.fields) as fields, u.verdict, u.trained,
                u.decided_at::text as decided_at
            from due u join curation.submission s on s.id = u.submission_id
            \(SubmissionStore.latestVersion("fields"))
            order by u.decided_at, u.submission_id
            """, TrainingSampleRow.init)
    }

    /// The latest decisions made by people, newest first, for a trial.
    package func decided(before last: UUID?, limit: Int) async throws -> [(decision: UUID, sample: TrainingSampleRow)] {
        try await connection.rows(
            """
            select d.id as decision_id, s.id, s.type, s.client_id, \(SubjectRow.contributor), coalesce(v.fields, s.fields) as fields,
                \(Self.sample) as verdict, null::text as trained, d.decided_at::text as decided_at
            from curation.decision d join curation.submission s on s.id = d.submission_id
            \(SubmissionStore.latestVersion("fields"))
            where (\(last)::uuid is null or d.id < \(last)::uuid) and d.verdict in ('approve', 'reject')
              and d.decided_by <> '00000000-0000-7000-8000-000000000001'
              and not exists (
                select from curation.decision n where n.submission_id = d.submission_id and n.number > d.number)
            order by d.id desc limit \(limit)
            """
        ) { (try $0("decision_id"), try TrainingSampleRow(row: $0)) }
    }

    /// Adds to the counts, saves the training samples and advances the cursor to `end`, or to now without one.
    package func train(
        _ samples: [TrainingSampleRow], tokens: [SpamToken: SpamCount], records: [ContributorKey: ContributorRecord],
        totals: SpamCount, until end: String?
    ) async throws {
        let changed = tokens.filter { $0.value != SpamCount() }.sorted {
            ($0.key.field.rawValue, $0.key.text) < ($1.key.field.rawValue, $1.key.text)
        }
        try await connection.run(
            """
            insert into curation.spam_token as t (field, token, spam, ham)
            select * from unnest(\(changed.map(\.key.field.rawValue))::text[], \(changed.map(\.key.text))::text[],
                \(changed.map(\.value.spam))::integer[], \(changed.map(\.value.ham))::integer[])
            on conflict (field, token) do update set spam = greatest(0, t.spam + excluded.spam),
                ham = greatest(0, t.ham + excluded.ham)
            """)
        let people = Array(records)
        try await connection.run(
            """
            insert into curation.contributor_record as r (client_id, contributor, approved, rejected, spam)
            select * from unnest(\(people.map(\.key.client))::uuid[], \(people.map(\.key.contributor))::text[],
                \(people.map(\.value.approved))::integer[], \(people.map(\.value.rejected))::integer[],
                \(people.map(\.value.spam))::integer[])
            on conflict (client_id, contributor) do update set approved = greatest(0, r.approved + excluded.approved),
                rejected = greatest(0, r.rejected + excluded.rejected), spam = greatest(0, r.spam + excluded.spam)
            """)
        try await connection.run(
            """
            with input as materialized (
                select * from unnest(\(samples.map(\.id))::uuid[], \(Bind.array(samples.map { Bind($0.verdict) }))::text[]) i (id, verdict)),
            removed as (
                delete from curation.training_sample l using input i where l.submission_id = i.id and i.verdict is null)
            insert into curation.training_sample (submission_id, verdict)
            select id, verdict from input where verdict is not null
            on conflict (submission_id) do update set verdict = excluded.verdict
            """)
        try await connection.run(
            """
            update curation.screening_cursor set spam = greatest(0, spam + \(totals.spam)::bigint),
                ham = greatest(0, ham + \(totals.ham)::bigint),
                trained_to = coalesce(\(end)::timestamptz, transaction_timestamp())
            """)
    }

    /// Deletes hourly counts that no rule uses.
    package func sweep() async throws {
        try await connection.run("delete from curation.contributor_hour where hour < now() - interval '7 days'")
    }
}
