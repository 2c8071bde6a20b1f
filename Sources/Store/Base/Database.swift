// The product's database: reads for everyone above, changes for the work rooms only.
import Domain
import EventLoop
import Postgres

package final class Database: Stores {
    package let connection: StoreConnection
    private let client: PostgresClient
    let receiver: SubmissionReceiver

    package init(client: PostgresClient) {
        self.client = client
        connection = StoreConnection(client)
        receiver = SubmissionReceiver(client: client)
    }

    /// Changes something, all or nothing: writes the audit event of `action` first, then runs `body` in the same
    /// transaction. The database refuses a change of a governed table that has no audit event (wall 4).
    /// The whole is run again, at most three times, when PostgreSQL asks for it (serialization, deadlock).
    package func change<Value: Sendable>(
        by actor: Actor, _ action: AuditEvent, _ body: @Sendable @escaping (Change) async throws -> Value
    ) async throws -> Value {
        try await StoreFailure.translating {
            try await client.transaction { transaction in
                let change = Change(connection: StoreConnection(transaction), actor: actor)
                try await change.audit(action)
                return try await body(change)
            }
        }
    }

    /// Runs several reads on one snapshot.
    package func snapshot<Value: Sendable>(
        _ body: @Sendable @escaping (any Stores) async throws -> Value
    ) async throws -> Value {
        try await StoreFailure.translating {
            try await client.transaction(isolation: .repeatableRead, readOnly: true) { transaction in
                try await body(Reading(connection: StoreConnection(transaction)))
            }
        }
    }

    /// Runs work for the clock in a transaction that claims it; `body` audits what it changes.
    package func work<Value: Sendable>(
        as actor: Actor, _ body: @Sendable @escaping (Change) async throws -> Value
    ) async throws -> Value {
        try await StoreFailure.translating {
            try await client.transaction { transaction in
                try await body(Change(connection: StoreConnection(transaction), actor: actor))
            }
        }
    }

    /// Calls `onNotify` with the payload of every NOTIFY on `channel`, and `onConnect` after each (re)connection, when
    /// notifications may have been missed.
    package func listen(
        _ channel: String, onNotify: @escaping @Sendable (String) -> Void,
        onConnect: @escaping @Sendable () -> Void
    ) {
        client.listen(channel, onNotify: onNotify, onConnect: onConnect)
    }

    package func close() async { await client.close() }
}

private struct Reading: Stores {
    let connection: StoreConnection
}
