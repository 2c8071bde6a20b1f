// What was learned from past decisions: words of spam, and the records of contributors; counted in sets by a job.
import Domain
import FoundationEssentials
import Postgres

/// A contributor: a reference of an application.
package struct ContributorKey: Sendable, Hashable {
    package let client: UUID
    package let contributor: String

    package init(client: UUID, contributor: String) {
        (self.client, self.contributor) = (client, contributor)
    }
}

/// A submission whose decision says something else than what was learned from it.
package struct TrainingSampleRow: Sendable {
    package let id: UUID
    package let type: String
    package let fields: [String: JSONValue]
    package let contributor: ContributorKey?
    /// approved, rejected or spam; nil where nothing is to be learned from it (any more).
    package let verdict: String?
    package let trained: String?
    package let decidedAt: String

    init(row: Row) throws {
        id = try row("id")
        type = try row("type")
        fields = (try row("fields") as JSONValue).objectValue ?? [:]
        let name: String? = try row("contributor")
        let client: UUID = try row("client_id")
        contributor = name.map { ContributorKey(client: client, contributor: $0) }
        verdict = try row("verdict")
        trained = try row("learned")
        decidedAt = try row("decided_at")
    }
}

package struct SpamStore: Sendable {
    let connection: StoreConnection

    /// What a decision teaches; of what the program decided itself nothing, so that it is not its own teacher.
    private static let sample: SQL = """
        case when d.decided_by = '00000000-0000-7000-8000-000000000001' then null
            when d.verdict = 'approve' then 'approved' when d.verdict = 'reject' and d.reason = 'spam' then 'spam'
            when d.verdict = 'reject' then 'rejected' end
        """

    // MARK: Looking up

    package func totals() async throws -> SpamCount {
        try await connection.first("select spam, ham from curation.screening_clock") {
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

    /// Counts these submissions (that were not screened before) in the hours in which they came; gives how many each
    /// contributor has in each hour.
    package func count(
        _ arrived: [(id: UUID, contributor: ContributorKey, hour: String)]
    ) async throws -> [UUID: Int] {
        let rows = try await connection.rows(
            """
            with input as materialized (
                select i.id, i.client_id, i.contributor, i.hour::timestamptz as hour
                from unnest(\(arrived.map(\.id))::uuid[], \(arrived.map(\.contributor.client))::uuid[],
                    \(arrived.map(\.contributor.contributor))::text[], \(arrived.map(\.hour))::text[])
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

    // MARK: Learning

    /// Where so many decisions wait to be learned from that they are read in parts: when the last of the next part was made.
    package func partEnd(of most: Int = 200_000) async throws -> String? {
        try await connection.first(
            """
            select d.decided_at::text as decided_at from curation.decision d, curation.screening_clock c
            where d.id >= curation.uuid_from(c.trained_to - interval '15 minutes') order by d.id offset \(most) limit 1
            """
        ) { try $0("decided_at") }
    }

    /// Submissions that were decided since what was learned from last, until `end`, in the order of their decisions. Locks the clock, so
    /// that nobody learns the same at the same time. Ids of decisions begin with their time; those that were committed late
    /// are found within a quarter of an hour.
    package func samples(until end: String?, limit: Int) async throws -> [TrainingSampleRow] {
        try await connection.rows(
            """
            with clock as materialized (select trained_to from curation.screening_clock for update),
            news as materialized (
                select d.submission_id, max(d.decided_at) as decided_at from curation.decision d, clock c
                where d.id >= curation.uuid_from(c.trained_to - interval '15 minutes')
                  and (\(end)::timestamptz is null or d.decided_at <= \(end)::timestamptz)
                group by d.submission_id),
            due as materialized (
                select s.submission_id, s.decided_at, w.verdict, l.verdict as learned
                from news s
                cross join lateral (
                    select \(Self.sample) as verdict from curation.decision d
                    where d.submission_id = s.submission_id order by d.number desc limit 1) w
                left join curation.training_sample l on l.submission_id = s.submission_id
                where w.verdict is distinct from l.verdict
                order by s.decided_at, s.submission_id limit \(limit))
            select s.id, s.type, s.client_id, s.contributor, coalesce(v.fields, s.fields) as fields, u.verdict, u.learned,
                u.decided_at::text as decided_at
            from due u join curation.submission s on s.id = u.submission_id
            left join lateral (
                select fields from curation.submission_version v where v.submission_id = s.id order by v.number desc limit 1) v
                on true
            order by u.decided_at, u.submission_id
            """, TrainingSampleRow.init)
    }

    /// The last decisions, newest first, for a trial: those that people made.
    package func decided(before place: UUID?, limit: Int) async throws -> [(decision: UUID, sample: TrainingSampleRow)] {
        try await connection.rows(
            """
            select d.id as decision_id, s.id, s.type, s.client_id, s.contributor, coalesce(v.fields, s.fields) as fields,
                \(Self.sample) as verdict, null::text as learned, d.decided_at::text as decided_at
            from curation.decision d join curation.submission s on s.id = d.submission_id
            left join lateral (
                select fields from curation.submission_version v where v.submission_id = s.id order by v.number desc limit 1) v
                on true
            where (\(place)::uuid is null or d.id < \(place)::uuid) and d.verdict in ('approve', 'reject')
              and d.decided_by <> '00000000-0000-7000-8000-000000000001'
              and not exists (
                select from curation.decision n where n.submission_id = d.submission_id and n.number > d.number)
            order by d.id desc limit \(limit)
            """
        ) { (try $0("decision_id"), try TrainingSampleRow(row: $0)) }
    }

    /// Adds to the counts, keeps what was learned of which submission, and moves the clock; to now without an `end`.
    package func train(
        _ samples: [TrainingSampleRow], tokens: [SpamToken: SpamCount], records: [ContributorKey: ContributorRecord],
        totals: SpamCount, until end: String?
    ) async throws {
        let words = tokens.filter { $0.value != SpamCount() }.sorted {
            ($0.key.field.rawValue, $0.key.text) < ($1.key.field.rawValue, $1.key.text)
        }
        try await connection.run(
            """
            insert into curation.spam_token as t (field, token, spam, ham)
            select * from unnest(\(words.map(\.key.field.rawValue))::text[], \(words.map(\.key.text))::text[],
                \(words.map(\.value.spam))::integer[], \(words.map(\.value.ham))::integer[])
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
            forgotten as (
                delete from curation.training_sample l using input i where l.submission_id = i.id and i.verdict is null)
            insert into curation.training_sample (submission_id, verdict)
            select id, verdict from input where verdict is not null
            on conflict (submission_id) do update set verdict = excluded.verdict
            """)
        try await connection.run(
            """
            update curation.screening_clock set spam = greatest(0, spam + \(totals.spam)::bigint),
                ham = greatest(0, ham + \(totals.ham)::bigint),
                trained_to = coalesce(\(end)::timestamptz, transaction_timestamp())
            """)
    }

    /// Hours that no rule asks for any more.
    package func sweep() async throws {
        try await connection.run("delete from curation.contributor_hour where hour < now() - interval '7 days'")
    }
}
