// One connection of its own for migrations, which may take long and run many statements at once.
import EventLoop

/// A session without pipeline and without deadlines; one statement at a time.
final class MigrationSession: @unchecked Sendable {
    private let loop: EventLoop
    // Used on the loop's thread only.
    private let connection: PostgresConnection

    /// The client's limits suit pages; a migration may take longer, but must not wait long for a lock, because
    /// later sessions queue behind it.
    private static let limits: [SQL] = [
        "set statement_timeout to 0", "set idle_in_transaction_session_timeout to 0", "set lock_timeout to '5s'",
    ]

    private init(_ connection: PostgresConnection) {
        self.connection = connection
        loop = connection.loop
    }

    /// Connects once; throws when that fails.
    static func open(for client: PostgresClient) async throws -> MigrationSession {
        let loop = client.loops[0]
        return try await withUnsafeThrowingContinuation { continuation in
            loop.perform {
                let connection = PostgresConnection(
                    loop: loop, settings: client.settings, mode: .simple, sessionStart: limits)
                connection.onReady = {
                    connection.onEnd = nil
                    continuation.resume(returning: MigrationSession(connection))
                }
                connection.onEnd = { continuation.resume(throwing: $0) }
                connection.open(attempt: 0)
            }
        }
    }

    /// Runs a statement, or a text of many statements without binds, and returns the rows of the last one.
    @discardableResult
    func run(_ sql: SQL) async throws -> [Row] {
        try await withUnsafeThrowingContinuation { continuation in
            loop.perform { [self] in
                connection.send(Exchange([sql], deadline: nil) { continuation.resume(with: $0.single.map(\.rows)) })
            }
        }
    }

    /// Whether a transaction is open and not failed.
    var isInTransaction: Bool {
        get async {
            await withUnsafeContinuation { continuation in
                loop.perform { [self] in continuation.resume(returning: connection.isInTransaction) }
            }
        }
    }

    func close() {
        loop.perform { [self] in connection.close(.unavailable("the migrations have ended")) }
    }
}
