// Old audit events on their way into a file, and the proof of such a file against the hash that stayed in the database.
import Domain
import Postgres

/// One block of the chain with its events, as PostgreSQL writes them: a file keeps exactly these texts.
package struct AuditBlockText: Sendable {
    package let position: Int64
    package let block: String
    package let events: [String]
}

/// What a line of a file holds: the end of its block, its hash, and what is wrong with it (`changed`, `removed`, `chain`).
package struct AuditBlockCheck: Sendable {
    package let position: Int64
    package let events: Int
    package let hash: String
    package let how: String?
}

extension AuditStore {
    /// Proves one line of a file, given the hash of the block before it.
    package func check(line: String, after hash: String?) async throws -> AuditBlockCheck? {
        try await connection.longFirst(
            """
            select (l -> 'block' ->> 'position')::bigint as position, l -> 'block' ->> 'hash' as hash,
                jsonb_array_length(l -> 'events') as events,
                ops.audit_check_block(\(hash)::bytea, l -> 'block', l -> 'events') as how
            from (select \(line)::jsonb as l) x
            where l -> 'block' ->> 'position' is not null and l -> 'block' ->> 'hash' is not null
              and jsonb_typeof(l -> 'events') = 'array'
            """
        ) {
            AuditBlockCheck(
                position: try $0("position"), events: try $0("events"), hash: try $0("hash"), how: try $0("how"))
        }
    }

    /// The hash of the block that ends at a position, as the database has it: `\x…`; nil where it has none.
    package func hash(at position: Int64) async throws -> String? {
        try await connection.first(
            "select hash::text as hash from ops.audit_block where position = \(position)"
        ) { try $0("hash") }
    }
}

extension OwnerDatabase {
    /// The end of what is older than an instant, and the hash that it goes on from; nil where nothing is.
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

    /// The first block that ends behind a position and not behind another, with its events in their order.
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

    /// Removes the events up to a position, with an audit event of its own that says so: how many.
    package func forgetAudit(until position: Int64, detail: [String: JSONValue], by actor: Actor) async throws -> Int {
        try await StoreFailure.translating {
            try await client.transaction(retries: 0, deadline: .seconds(3600)) { transaction in
                try await transaction.execute("set local role \(raw: roles.owner)")
                let change = Change(connection: StoreConnection(transaction), actor: actor)
                try await change.audit(AuditEvent("audit.archive", on: "audit", String(position), detail: detail))
                return try await transaction.one("select ops.audit_forget(\(position)) as n")("n")
            }
        }
    }
}
