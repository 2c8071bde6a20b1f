// Stores received submissions: concurrent ones share a commit, and a repeated request is stored once.
import Domain
import FoundationEssentials
import Postgres

/// A validated and sanitized submission to be stored. A class, because it is passed along often.
package final class NewSubmission: Sendable {
    package let id: ID<Submission>
    package let type: String
    package let client: UUID
    package let contributor: String?
    package let contributorEmail: String?
    package let contributorLocale: String?
    package let title: String
    package let requestedCategory: String?
    /// JSON text of the fields; `received` is the JSON text as sent.
    package let fields: String
    package let received: String
    package let source: String
    package let sourceURL: String?
    package let idempotencyKey: String?
    /// SHA-256 of the request, which detects a reused key with another body.
    package let requestHash: [UInt8]
    package let requestID: String?
    package let remoteAddress: String?

    package init(
        id: ID<Submission>, type: String, client: UUID, contributor: String?, contributorEmail: String? = nil,
        contributorLocale: String? = nil,
        title: String,
        requestedCategory: String?,
        fields: String, received: String, source: String, sourceURL: String? = nil, idempotencyKey: String?,
        requestHash: [UInt8], requestID: String? = nil, remoteAddress: String? = nil
    ) {
        self.id = id
        self.type = type
        self.client = client
        self.contributor = contributor
        self.contributorEmail = contributorEmail
        self.contributorLocale = contributorLocale
        self.title = title
        self.requestedCategory = requestedCategory
        self.fields = fields
        self.received = received
        self.source = source
        self.sourceURL = sourceURL
        self.idempotencyKey = idempotencyKey
        self.requestHash = requestHash
        self.requestID = requestID
        self.remoteAddress = remoteAddress
    }
}

/// The result of receiving a submission: stored now, or stored before under the same key.
package enum Receipt: Sendable, Equatable {
    case stored(ID<Submission>)
    case storedBefore(ID<Submission>)
    /// The key was used with another body.
    case keyReused
}

final class SubmissionReceiver: Sendable {
    private let writer: BatchedStatement<NewSubmission, Bool>
    private let connection: StoreConnection

    init(client: PostgresClient) {
        connection = StoreConnection(client, packs: .none)
        writer = BatchedStatement(
            client: client, spread: .together, connections: 2, statement: Self.statement,
            outputs: { rows, inputs in
                let stored = Set(try rows.map { try $0("id") as UUID })
                return inputs.map { .success(stored.contains($0.id.uuid)) }
            })
    }

    /// Stores the submission; returns after the commit.
    func receive(_ submission: NewSubmission) async throws -> Receipt {
        let isNew = try await StoreFailure.translating { try await writer(submission) }
        if isNew { return .stored(submission.id) }
        let before = try await connection.first(
            """
            select id, request_hash from curation.submission
            where client_id = \(submission.client) and idempotency_key = \(submission.idempotencyKey)
            """
        ) { (id: try $0("id") as ID<Submission>, hash: try $0.bytes("request_hash")) }
        guard let before, before.hash == submission.requestHash else { return .keyReused }
        return .storedBefore(before.id)
    }

    /// One statement for all: submissions, their queue items and their audit events are written together or not at all.
    private static func statement(_ all: [NewSubmission]) -> SQL {
        func column(_ value: (NewSubmission) -> Bind) -> Bind { .array(all.map(value)) }
        return """
            with input as (
                select * from unnest(\(column { $0.id.postgresBind })::uuid[], \(column { .text($0.type) })::text[],
                    \(column { $0.client.postgresBind })::uuid[], \(column { Bind($0.contributor) })::text[],
                    \(column { .text($0.title) })::text[], \(column { Bind($0.requestedCategory) })::text[],
                    \(column { .text($0.fields) })::jsonb[], \(column { .text($0.received) })::jsonb[],
                    \(column { .text($0.source) })::text[], \(column { Bind($0.sourceURL) })::text[],
                    \(column { Bind($0.idempotencyKey) })::text[], \(column { .binary($0.requestHash) })::bytea[],
                    \(column { Bind($0.requestID) })::text[], \(column { Bind($0.remoteAddress) })::text[],
                    \(column { Bind($0.contributorEmail) })::text[], \(column { Bind($0.contributorLocale) })::text[])
                as i (id, type, client_id, contributor, title, requested_category, fields, received, source, source_url,
                    idempotency_key, request_hash, request_id, remote_address, contributor_email, contributor_locale)),
            stored as (
                insert into curation.submission (id, type, client_id, contributor, title, requested_category, fields, received,
                    source, source_url, idempotency_key, request_hash, contributor_email, contributor_locale)
                select id, type, client_id, contributor, title, requested_category, fields, received, source, source_url,
                    idempotency_key, request_hash, contributor_email, contributor_locale from input
                on conflict (client_id, idempotency_key) do nothing
                returning id, type, client_id, title, requested_category, received_at),
            queued as (
                insert into curation.queue_item (submission_id, type, client_id, title, requested_category, received_at)
                select id, type, client_id, title, requested_category, received_at from stored),
            audited as (
                insert into ops.audit_event (actor_id, action, object_type, object_id, request_id, remote_address)
                select s.client_id, 'submission.create', 'submission', s.id::text, i.request_id, i.remote_address
                from stored s join input i on i.id = s.id)
            select id from stored
            """
    }
}

extension Database {
    /// Stores a submission, its queue item and its audit event; returns after the commit. Called by Intake only.
    package func receive(_ submission: NewSubmission) async throws -> Receipt {
        try await receiver.receive(submission)
    }
}
