// A group of statements sent together, and the caller that waits for their results.
import CPostgres
import EventLoop

/// One group of statements between two synchronization points. Belongs to its connection's event loop.
final class Exchange: @unchecked Sendable {
    typealias Outcome = Result<[QueryResult], PostgresError>

    private(set) var statements: [SQL]
    /// The first statement is the connection's own.
    private var isGuarded = false
    /// Monotonic milliseconds; `.max` for never.
    let deadline: Int64
    /// Whether no transaction is open around the group, so that PostgreSQL commits all of it or nothing.
    let isAlone: Bool
    /// Whether the statements are prepared.
    let isRepeated: Bool
    var hasBeenRepeated = false

    /// Which statements (by position) are preceded by their preparation.
    private var prepared: [Int] = []
    private var position = 0
    private var awaitsPreparation = false
    private var results: [QueryResult] = []
    private(set) var failure: PostgresError?
    private var completion: ((Outcome) -> Void)?

    init(
        _ statements: [SQL], deadline: Duration?, isAlone: Bool = true, isRepeated: Bool = true,
        completion: @escaping (Outcome) -> Void
    ) {
        self.statements = statements
        self.deadline = deadline.map { TimerQueue.now() + $0.wholeMilliseconds } ?? .max
        self.isAlone = isAlone
        self.isRepeated = isRepeated
        self.completion = completion
    }

    /// Puts a statement first whose result the caller doesn't get.
    func guardedBy(_ statement: SQL) {
        guard !isGuarded else { return }
        isGuarded = true
        statements.insert(statement, at: 0)
    }

    /// The server process that the guard asked for.
    var guardedBackend: Int? {
        guard isGuarded, let row = results.first?.rows.first else { return nil }
        return try? row(1) as Int
    }

    /// Why the group can't be sent: C strings end at NUL, which would silently truncate a text.
    var refusal: PostgresError? {
        for statement in statements {
            if statement.binds.count > Int(PQ_QUERY_PARAM_MAX_LIMIT) {
                return PostgresError(kind: .server, sqlState: "54000", message: "more than 65535 values in a statement")
            }
            for case .text(var text) in statement.binds where text.withUTF8({ $0.contains(0) }) {
                return PostgresError(kind: .server, sqlState: "22021", message: "a text value contains a NUL character")
            }
        }
        return nil
    }

    // MARK: Events of the connection

    func willPrepare(_ index: Int) {
        prepared.append(index)
        if index == position { awaitsPreparation = true }
    }

    /// The statement whose preparation the next result belongs to, or nil when it belongs to an execution.
    var statementBeingPrepared: SQL? { awaitsPreparation ? statements[position] : nil }

    /// Receives the result of a preparation or an execution, and frees or keeps it.
    func take(_ result: OpaquePointer) {
        if awaitsPreparation {
            awaitsPreparation = false
            PQclear(result)
            return
        }
        results.append(QueryResult(results: ResultSet(result)))
        advance()
    }

    /// Receives an error; the server skips the statements after it.
    func fail(_ error: PostgresError) {
        if failure == nil { failure = error }
        skip()
    }

    /// Records that the server skipped a preparation or an execution.
    func skip() {
        if awaitsPreparation { awaitsPreparation = false } else { advance() }
    }

    private func advance() {
        position += 1
        awaitsPreparation = !prepared.isEmpty && prepared.contains(position)
    }

    /// Resets the group so that it can be sent again.
    func rewind() {
        prepared = []
        position = 0
        awaitsPreparation = false
        results = []
        failure = nil
        hasBeenRepeated = true
    }

    /// Whether the caller still waits.
    var isWaitedFor: Bool { completion != nil }

    /// Resumes the caller, once; later calls do nothing.
    func finish(_ outcome: Outcome) {
        guard let completion else { return }
        self.completion = nil
        completion(outcome)
    }

    /// Resumes the caller with the server's error or results.
    func finish() {
        finish(failure.map { .failure($0) } ?? .success(isGuarded ? Array(results.dropFirst()) : results))
    }
}

extension Exchange.Outcome {
    /// The result of a group with one statement.
    var single: Result<QueryResult, PostgresError> {
        flatMap { results in
            results.last.map { .success($0) } ?? .failure(.unavailable("PostgreSQL sent no result"))
        }
    }
}
