// Archives old audit events in a file and verifies such a file against the hashes kept in the database.
import Domain
import Postgres

/// One block of the chain with its events, as PostgreSQL prints them: the file contains exactly these texts.
package struct AuditBlockText: Sendable {
    package let position: Int64
    package let block: String
    package let events: [String]
}

/// The verification result of one line of a file: the end of its block, its hash, and its problem (`changed`,
/// `removed`, `chain`).
package struct AuditBlockVerification: Sendable {
    package let position: Int64
    package let events: Int
    package let hash: String
    package let problem: String?
}

extension AuditStore {
    /// Verifies one line of a file, given the hash of the preceding block; nil when the line is not a block.
    package func verify(line: String, after hash: String?) async throws -> AuditBlockVerification? {
        try await connection.longFirst(
            """
            select (l -> 'block' ->> 'position')::bigint as position, l -> 'block' ->> 'hash' as hash,
                jsonb_array_length(l -> 'events') as events,
                ops.audit_verify_block(\(hash)::bytea, l -> 'block', l -> 'events') as problem
            from (select \(line)::jsonb as l) x
            where l -> 'block' ->> 'position' is not null and l -> 'block' ->> 'hash' is not null
              and jsonb_typeof(l -> 'events') = 'array'
            """
        ) {
            AuditBlockVerification(
                position: try $0("position"), events: try $0("events"), hash: try $0("hash"), problem: try $0("problem")
            )
        }
    }

    /// The hash of the block that ends at a position, as `\x…`; nil when the database has no such block.
    package func hash(at position: Int64) async throws -> String? {
        try await connection.first(
            "select hash::text as hash from ops.audit_block where position = \(position)"
        ) { try $0("hash") }
    }
}

extension OwnerDatabase {
    /// The end of the blocks older than an instant, and the hash they continue from; nil when there are none.
    package func archivable(before instant: String) async throws -> (until: Int64, after: Int64, hash: String?)? {
        try await StoreFailure.translating {
            try await client.transaction(retries: 0, deadline: .seconds(3600)) { transaction in
                try await transaction.execute("set local role \(raw: roles.owner)")
                try await transaction.execute("select ops.audit_seal()")
                let row = try await transaction.one(
                    """
                    select ops.audit_archivable(\(instant)::timestamptz) as until, a.position as after, a.hash::text as hash
                    from (select 1) one left join (
                        select * from ops.audit_block where archived_at is not null order by position desc limit 1) a on true
                    """)
                guard let until: Int64 = try row("until") else { return nil }
                return (until, try row("after") ?? 0, try row("hash"))
            }
        }
    }

    /// The first block that ends after `position` and at or before `end`, with its events in order.
    package func block(after position: Int64, until end: Int64) async throws -> AuditBlockText? {
        try await StoreFailure.translating {
            try await client.transaction(retries: 0, deadline: .seconds(3600)) { transaction in
                try await transaction.execute("set local role \(raw: roles.owner)")
                try await transaction.execute("set local timezone to 'UTC'")
                let found = try await transaction.query(
                    """
                    select b.position, to_jsonb(b)::text as block, array(
                        select to_jsonb(e)::text from ops.audit_event e where e.id = any(b.event_ids)
                        order by e.transaction, e.id) as events
                    from ops.audit_block b where b.position > \(position) and b.position <= \(end)
                    order by b.position limit 1
                    """)
                return try found.first.map {
                    AuditBlockText(position: try $0("position"), block: try $0("block"), events: try $0("events"))
                }
            }
        }
    }

    /// Deletes the events up to a position and records that in an audit event of its own. Returns how many were
    /// deleted.
    package func deleteArchivedEvents(until position: Int64, detail: [String: JSONValue], by actor: Actor) async throws
        -> Int
    {
        try await StoreFailure.translating {
            try await client.transaction(retries: 0, deadline: .seconds(3600)) { connection in
                try await connection.execute("set local role \(raw: roles.owner)")
                let transaction = AuditedTransaction(
                    connection: StoreConnection(connection, packs: packs), actor: actor)
                try await transaction.audit(AuditEvent("audit.archive", on: "audit", String(position), detail: detail))
                return try await connection.one("select ops.audit_delete_archived(\(position)) as n")("n")
            }
        }
    }
}
