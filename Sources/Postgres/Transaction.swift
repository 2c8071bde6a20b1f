// One transaction, on a connection of its own.
import EventLoop

/// Made by `PostgresClient.transaction` and valid during its body only. BEGIN travels with the first statement, and
/// what
/// was asked to run later with the next one.
package final class Transaction: Queryable, @unchecked Sendable {
    package enum Isolation: String, Sendable {
        case readCommitted = "read committed"
        case repeatableRead = "repeatable read"
        case serializable = "serializable"
    }

    private let connection: PostgresConnection
    private let loop: EventLoop
    private let deadline: Duration
    private let settings: ConnectionSettings

    // Used on the loop's thread only.
    private var held: [SQL]
    /// How many statements open the transaction.
    private let opening: Int
    private var hasBegun = false
    private var hasEnded = false
    private var failure: PostgresError?

    init(
        _ connection: PostgresConnection, isolation: Isolation, readOnly: Bool, snapshot: String?, deadline: Duration,
        settings: ConnectionSettings
    ) {
        self.connection = connection
        self.deadline = deadline
        self.settings = settings
        loop = connection.loop
        held = ["begin isolation level \(raw: isolation.rawValue)\(raw: readOnly ? " read only" : "")"]
        // Before any query, and so before the role.
        if let snapshot { held.append("set transaction snapshot '\(raw: snapshot)'") }
        if let localRole = connection.localRole(of: settings) { held.append(localRole) }
        opening = held.count
    }

    package func run(_ sql: SQL) async throws -> QueryResult {
        try Exchange.Outcome.success(try await batch([sql])).single.get()
    }

    package func runLong(_ sql: SQL) async throws -> QueryResult {
        let deadline = settings.configuration.longDeadline
        let limit: SQL = "set local statement_timeout to \(raw: settings.statementTimeout(deadline))"
        return try Exchange.Outcome.success(try await batch([limit, sql], deadline: deadline)).single.get()
    }

    package func runLater(_ sql: SQL) async throws {
        try Task.checkCancellation()
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            loop.perform { [self] in
                if hasEnded {
                    continuation.resume(throwing: Self.ended)
                } else {
                    held.append(sql)
                    continuation.resume()
                }
            }
        }
    }

    /// Runs several statements in one round trip and gives their results in order. The first error ends it.
    package func batch(_ statements: [SQL]) async throws -> [QueryResult] {
        try await batch(statements, deadline: deadline)
    }

    private func batch(_ statements: [SQL], deadline: Duration) async throws -> [QueryResult] {
        try Task.checkCancellation()
        if statements.isEmpty { return [] }
        return try await withUnsafeThrowingContinuation { continuation in
            loop.perform { [self] in
                if hasEnded {
                    continuation.resume(throwing: Self.ended)
                    return
                }
                let before = held.count
                send(statements, deadline: deadline) { outcome in
                    continuation.resume(with: outcome.map { Array($0.dropFirst(before)) })
                }
            }
        }
    }

    private static var ended: PostgresError {
        PostgresError(kind: .server, sqlState: "25P01", message: "the transaction has ended")
    }

    /// Sends what is held, and then the statements; the outcome has the results of all.
    private func send(_ statements: [SQL], deadline: Duration, completion: @escaping (Exchange.Outcome) -> Void) {
        let all = held + statements
        held = []
        hasBegun = true
        let exchange = Exchange(all, deadline: deadline, isAlone: false) { [self] outcome in
            if case .failure(let error) = outcome, failure == nil { failure = error }
            completion(outcome)
        }
        connection.send(exchange)
    }

    // MARK: For the client

    func commit() async throws {
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            loop.perform { [self] in
                hasEnded = true
                // Nothing was asked, so nothing was begun.
                if !hasBegun && held.count == opening {
                    continuation.resume()
                    return
                }
                send(["commit"], deadline: deadline) { [self] outcome in
                    switch outcome {
                    case .success(let results) where results.last?.tag == "COMMIT": continuation.resume()
                    case .success:
                        // A failed statement whose error the body swallowed: PostgreSQL rolled everything back.
                        let rolledBack = PostgresError(
                            kind: .server, sqlState: "25P02", message: "the transaction was rolled back")
                        continuation.resume(throwing: failure ?? rolledBack)
                    case .failure(let error): continuation.resume(throwing: error)
                    }
                }
            }
        }
    }

    /// Undoes what was done; the connection closes when that fails.
    func rollBack() async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            loop.perform { [self] in
                hasEnded = true
                held = []
                if !hasBegun || !connection.isReady || connection.isIdle {
                    continuation.resume()
                    return
                }
                send(["rollback"], deadline: deadline) { _ in continuation.resume() }
            }
        }
    }

    /// Whether the transaction failed in a way that another try may cure.
    func mayBeRetried() async -> Bool {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Bool, Never>) in
            loop.perform { [self] in
                continuation.resume(returning: failure.map { $0.isRetryable || $0.isStalePlan } ?? false)
            }
        }
    }
}
