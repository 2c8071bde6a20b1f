// The database: every module may read, only work modules open audited transactions.
import Domain
import EventLoop
import Postgres
import Synchronization

package final class Database: Stores {
    package let connection: StoreConnection
    private let client: PostgresClient
    private let others: [Actor.Authority: PostgresClient]
    let receiver: SubmissionReceiver
    package var packs: PackSet { connection.packs }

    /// Transactions of an authority use its client in `others`, all else `client`. With `mediaFileSize`, nothing is published
    /// whose images lack a file (A40).
    package init(
        client: PostgresClient, others: [Actor.Authority: PostgresClient] = [:], packs: PackSet,
        mediaFileSize: MediaFileSize? = nil
    ) {
        self.client = client
        self.others = others
        connection = StoreConnection(client, packs: packs, mediaFileSize: mediaFileSize)
        receiver = SubmissionReceiver(client: client)
    }

    /// Returns when the database is available. Throws the error of PostgreSQL, which says why it is not; the stores throw a
    /// failure that does not.
    package func connect() async throws { _ = try await client.run("select 1") }

    /// Writes the audit event `action`, then runs `body`, in one transaction. The database rejects writes to a governed
    /// table in a transaction without an audit event (invariant 4). Retried at most three times after a serialization
    /// failure or a deadlock. Throws `RepeatedFormPost` if another request has carried out the form that this task is for.
    package func transaction<Value: Sendable>(
        by actor: Actor, _ action: AuditEvent, _ body: @Sendable @escaping (AuditedTransaction) async throws -> Value
    ) async throws -> Value {
        let post = FormPost.current
        return try await work(as: actor) { transaction in
            try await transaction.audit(action)
            if let post { try await transaction.formPosts.reserve(post) }
            return try await body(transaction)
        }
    }

    /// Runs several reads on one snapshot of the database.
    package func snapshot<Value: Sendable>(
        _ body: @Sendable @escaping (any Stores) async throws -> Value
    ) async throws -> Value {
        try await StoreFailure.translating {
            try await client.transaction(isolation: .repeatableRead, readOnly: true) {
                [pool = connection] transaction in
                try await body(SnapshotStores(connection: pool.on(transaction)))
            }
        }
    }

    /// Runs reads on one snapshot that a page can do without; nil if one of them takes longer than 400 ms, as may happen in a
    /// large table.
    package func quickly<Value: Sendable>(
        _ body: @Sendable @escaping (any Stores) async throws -> Value
    ) async throws -> Value? {
        do {
            return try await snapshot { stores in
                try await stores.connection.runLater("set local statement_timeout to 400")
                try await stores.connection.runLater("set local jit to off")
                return try await body(stores)
            }
        } catch let failure as Failure where failure == .tooSlow {
            return nil
        }
    }

    /// Runs `prepare` on a snapshot of the database, and then `work` on up to `connections` at once that all see it.
    /// Connections that can't be opened are left out, except the first.
    package func snapshot<Plan: Sendable>(
        connections: Int, prepare: @Sendable @escaping (any Stores) async throws -> Plan,
        work: @Sendable @escaping (any Stores, Plan) async throws -> Void
    ) async throws {
        try await StoreFailure.translating {
            try await client.transaction(isolation: .repeatableRead, readOnly: true, retries: 0) {
                [client, pool = connection] first in
                // The snapshot ends with this transaction, which is idle while it waits for the others.
                try await first.execute("set local idle_in_transaction_session_timeout to 0")
                let stores = SnapshotStores(connection: pool.on(first))
                let plan = try await prepare(stores)
                let snapshot: String = try await first.one("select pg_export_snapshot() as id")("id")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 1..<max(connections, 1) {
                        group.addTask { try await Self.join(snapshot, of: client, pool) { try await work($0, plan) } }
                    }
                    try await work(stores, plan)
                    try await group.waitForAll()
                }
            }
        }
    }

    /// Runs `work` on one more connection that sees a snapshot; does nothing if there is none.
    private static func join(
        _ snapshot: String, of client: PostgresClient, _ pool: StoreConnection,
        work: @Sendable (any Stores) async throws -> Void
    ) async throws {
        let hasBegun = Mutex(false)
        do {
            try await client.transaction(
                isolation: .repeatableRead, readOnly: true, snapshot: snapshot, retries: 0
            ) { transaction in
                try await transaction.execute("select 1")
                hasBegun.withLock { $0 = true }
                try await work(SnapshotStores(connection: pool.on(transaction)))
            }
        } catch let error as PostgresError where !hasBegun.withLock({ $0 }) && error.isUnavailable {
            return
        }
    }

    /// Runs scheduled work in a transaction; `body` writes the audit events for its own changes.
    package func work<Value: Sendable>(
        as actor: Actor, _ body: @Sendable @escaping (AuditedTransaction) async throws -> Value
    ) async throws -> Value {
        try await StoreFailure.translating {
            try await ReopenedReleases.collecting {
                try await client(of: actor).transaction { [pool = connection] connection in
                    try await body(AuditedTransaction(connection: pool.on(connection), actor: actor))
                }
            }
        }
    }

    /// Calls `onNotify` with the payload of every NOTIFY on `channel`, and `onConnect` after each (re)connection,
    /// because notifications may have been missed before it.
    package func listen(
        _ channel: String, onNotify: @escaping @Sendable (String) -> Void,
        onConnect: @escaping @Sendable () -> Void
    ) {
        client.listen(channel, onNotify: onNotify, onConnect: onConnect)
    }

    package func close() async {
        for other in others.values { await other.close() }
        await client.close()
    }

    func client(of actor: Actor) -> PostgresClient { others[actor.authority] ?? client }
}

private struct SnapshotStores: Stores {
    let connection: StoreConnection
}
