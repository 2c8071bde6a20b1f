// Tells the operator why the database does not do what it should; callers hear only that it does not.
import Platform
import Postgres
import Synchronization

/// Logs at most one reason a second, with how many were kept back: in an outage there are thousands.
final class DatabaseDiagnosis: Sendable {
    private struct State {
        var lastLine: Stopwatch?
        var keptBack = 0
    }

    private let log: Logger
    private let state = Mutex(State())

    init(log: Logger) {
        self.log = log
    }

    func note(_ reason: PostgresError) {
        let keptBack: Int? = state.withLock { state in
            if let last = state.lastLine, last.milliseconds < 1000 {
                state.keptBack += 1
                return nil
            }
            defer { state = State(lastLine: Stopwatch()) }
            return state.keptBack
        }
        guard let keptBack else { return }
        log.warning(
            "the database is in trouble", ["reason": .text(reason.description), "kept_back": .integer(keptBack)])
    }
}
