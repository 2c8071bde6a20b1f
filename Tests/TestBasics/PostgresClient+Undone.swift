// Runs a transaction, reads its effects, and rolls it back.
import Postgres

extension PostgresClient {
    private struct Undone<Seen: Sendable>: Error {
        let seen: Seen
    }

    /// Returns the result of `body` and rolls its changes back. It may write audited tables: an audit event is written
    /// first.
    package func undone<Seen: Sendable>(_ body: @Sendable (Transaction) async throws -> Seen) async throws -> Seen {
        do {
            return try await transaction { transaction -> Seen in
                try await transaction.execute(
                    """
                    insert into ops.audit_event (actor_id, action, object_type)
                    values ('00000000-0000-7000-8000-000000000001', 'test.try', 'publication')
                    """)
                throw Undone(seen: try await body(transaction))
            }
        } catch let undone as Undone<Seen> {
            return undone.seen
        }
    }
}
