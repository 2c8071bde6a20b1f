// Stores received submissions: concurrent ones share a commit, and a repeated request is stored once.
import Domain
import FoundationEssentials
import Postgres

/// A validated and sanitized submission to be stored. A class, because it is passed along often.
package final class NewSubmission: Sendable {
    package let id: ID<Submission>
    package let type: String
    /// The API client, or the import.
    package let actor: Actor
    package let contributor: String?
    package let contributorEmail: String?
    package let contributorLocale: String?
    package let title: String
    package let requestedCategory: String?
    /// JSON text of the fields; `received` is the JSON text as sent.
    package let fields: String
    package let received: String
    package let source: String
    package let sourceName: String?
    package let sourceURL: String?
    package let idempotencyKey: String?
    /// SHA-256 of the request, which detects a reused key with another body.
    package let requestHash: [UInt8]
    /// Whether it is stored but held if its contributor is blocked, or else refused.
    package let isHeldIfBlocked: Bool

    package init(
        id: ID<Submission>, type: String, actor: Actor, contributor: String?, contributorEmail: String? = nil,
        contributorLocale: String? = nil,
        title: String,
        requestedCategory: String?,
        fields: String, received: String, source: String, sourceName: String? = nil, sourceURL: String? = nil,
        idempotencyKey: String?,
        requestHash: [UInt8], isHeldIfBlocked: Bool = false
    ) {
        self.id = id
        self.type = type
        self.actor = actor
        self.contributor = contributor
        self.contributorEmail = contributorEmail
        self.contributorLocale = contributorLocale
        self.title = title
        self.requestedCategory = requestedCategory
        self.fields = fields
        self.received = received
        self.source = source
        self.sourceName = sourceName
        self.sourceURL = sourceURL
        self.idempotencyKey = idempotencyKey
        self.requestHash = requestHash
        self.isHeldIfBlocked = isHeldIfBlocked
    }
}

/// The result of receiving a submission: stored now, or stored before under the same key.
package enum Receipt: Sendable, Equatable {
    case stored(ID<Submission>)
    case storedBefore(ID<Submission>)
    /// The key was used with another body.
    case keyReused(KeyHolder?)
    /// Its contributor is blocked; nothing was stored.
    case blocked
}

/// How the submission that was stored under a key compares with another one under the same key.
package struct KeyHolder: Sendable, Equatable {
    package let hasSameTitle: Bool
    package let hasSameURL: Bool
    /// The value of the field `published`.
    package let hasSameDate: Bool
}

final class SubmissionReceiver: Sendable {
    private enum Written { case stored, blocked, storedBefore }

    private let writer: BatchedStatement<NewSubmission, Written>
    private let connection: StoreConnection

    init(client: PostgresClient) {
        connection = StoreConnection(client, packs: .none)
        writer = BatchedStatement(
            client: client, spread: .together, connections: 2, statement: { Self.statement($0) },
            outputs: { rows, inputs in
                let results = try Self.results(rows)
                return inputs.map { .success(results[$0.id.uuid] ?? .storedBefore) }
            })
    }

    /// Stores the submission; returns after the commit. Those of API clients share commits; `client` is for others, such as
    /// imports.
    func receive(_ submission: NewSubmission, _ client: PostgresClient) async throws -> Receipt {
        let result = try await StoreFailure.translating {
            submission.actor.authority == .request
                ? try await writer(submission)
                : try await client.transaction {
                    try Self.results(await $0.query(Self.statement([submission], by: submission.actor.authority)))[
                        submission.id.uuid] ?? .storedBefore
                }
        }
        if result == .stored { return .stored(submission.id) }
        let before = try await connection.first(
            """
            select id, request_hash from curation.submission
            where client_id = \(submission.actor.rowID) and idempotency_key = \(submission.idempotencyKey)
            """
        ) { (id: try $0("id") as ID<Submission>, hash: try $0.bytes("request_hash")) }
        // What was stored before a block is known after it, too.
        guard let before else { return result == .blocked ? .blocked : .keyReused(nil) }
        if before.hash == submission.requestHash { return .storedBefore(before.id) }
        return .keyReused(try await compare(before.id, with: submission))
    }

    private func compare(_ holder: ID<Submission>, with submission: NewSubmission) async throws -> KeyHolder? {
        try await connection.first(
            """
            select title = \(submission.title) as same_title,
                source_url is not distinct from \(submission.sourceURL)::text as same_url,
                fields ->> 'published' is not distinct from \(submission.fields)::jsonb ->> 'published' as same_date
            from curation.submission where id = \(holder)
            """
        ) {
            KeyHolder(
                hasSameTitle: try $0("same_title"), hasSameURL: try $0("same_url"), hasSameDate: try $0("same_date"))
        }
    }

    private static func results(_ rows: [Row]) throws -> [UUID: Written] {
        let results = try rows.map { (try $0("id") as UUID, try $0("is_stored") ? Written.stored : .blocked) }
        return Dictionary(results) { first, _ in first }
    }

    /// One statement for all: submissions, their queue items and their audit events are written together or not at all. Those of
    /// blocked contributors are not written, or written and held.
    private static func statement(_ all: [NewSubmission], by authority: Actor.Authority = .request) -> SQL {
        func column(_ value: (NewSubmission) -> Bind) -> Bind { .array(all.map(value)) }
        return """
            with input as materialized (
                select *, curation.blocked_until(i.client_id, i.contributor) as blocked_until from unnest(\(column { $0.id.postgresBind })::uuid[], \(column { .text($0.type) })::text[],
                    \(column { $0.actor.rowID.postgresBind })::uuid[], \(column { Bind($0.contributor) })::text[],
                    \(column { .text($0.title) })::text[], \(column { Bind($0.requestedCategory) })::text[],
                    \(column { .text($0.fields) })::jsonb[], \(column { .text($0.received) })::jsonb[],
                    \(column { .text($0.source) })::text[], \(column { Bind($0.sourceURL) })::text[],
                    \(column { Bind($0.idempotencyKey) })::text[], \(column { .binary($0.requestHash) })::bytea[],
                    \(column { Bind($0.actor.requestID) })::text[], \(column { Bind($0.actor.remoteAddress) })::text[],
                    \(column { Bind($0.contributorEmail) })::text[], \(column { Bind($0.contributorLocale) })::text[],
                    \(column { $0.actor.credential?.bytes.postgresBind ?? .null })::bytea[],
                    \(column { $0.isHeldIfBlocked.postgresBind })::boolean[], \(column { Bind($0.sourceName) })::text[])
                as i (id, type, client_id, contributor, title, requested_category, fields, received, source, source_url,
                    idempotency_key, request_hash, request_id, remote_address, contributor_email, contributor_locale,
                    credential, is_held_if_blocked, source_name)),
            -- Because of the lock, a transaction that lifts a block waits for this one and then finds what it holds.
            held as materialized (
                select c.client_id, c.name, coalesce(c.status_until, 'infinity') as until
                from input i join curation.contributor c on c.client_id = i.client_id and c.name = i.contributor
                where i.blocked_until is not null and i.is_held_if_blocked
                    and c.status = 'blocked' and (c.status_until is null or c.status_until > now())
                order by c.id for share of c),
            stored as (
                insert into curation.submission (id, type, client_id, contributor, title, requested_category, fields, received,
                    source, source_name, source_url, idempotency_key, request_hash, contributor_email, contributor_locale)
                select id, type, client_id, contributor, title, requested_category, fields, received, source, source_name,
                    source_url, idempotency_key, request_hash, contributor_email, contributor_locale from input
                where blocked_until is null or is_held_if_blocked
                on conflict (client_id, idempotency_key) do nothing
                returning id, type, client_id, contributor, title, requested_category, source_name, received_at),
            queued as (
                insert into curation.queue_item (submission_id, type, client_id, title, requested_category, source_name,
                    received_at, is_held, snoozed_until)
                select s.id, s.type, s.client_id, s.title, s.requested_category, s.source_name, s.received_at, h.until is not null, h.until
                from stored s cross join lateral (
                    select max(l.until) as until from held l
                    where l.client_id = s.client_id and l.name = s.contributor) h),
            audited as materialized (
                select ops.\(raw: authority.function)(array_agg(i.credential), array_agg(s.client_id),
                    array_agg('submission.create'::text), array_agg('submission'::text), array_agg(s.id::text),
                    array_agg('{}'::text), array_agg(i.request_id), array_agg(i.remote_address)) as done
                from stored s join input i on i.id = s.id)
            select s.id, true as is_stored from stored s cross join audited
            union all
            select id, false from input where blocked_until is not null and not is_held_if_blocked
            """
    }
}

extension Database {
    /// Stores a submission, its queue item and its audit event; returns after the commit. Called by Intake only.
    package func receive(_ submission: NewSubmission) async throws -> Receipt {
        try await receiver.receive(submission, client(of: submission.actor))
    }
}
