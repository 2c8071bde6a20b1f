// Logs why the database is unavailable or slow. Clients only see that it is.
import Platform
import Postgres
import Synchronization

/// Logs at most one reason per second and counts the suppressed ones: an outage causes thousands.
final class DatabaseDiagnosis: Sendable {
    private struct State {
        var lastLogged: Stopwatch?
        var suppressed = 0
    }

    private let log: Logger
    private let state = Mutex(State())

    init(log: Logger) {
        self.log = log
    }

    func note(_ reason: PostgresError) {
        let suppressed: Int? = state.withLock { state in
            if let last = state.lastLogged, last.milliseconds < 1000 {
                state.suppressed += 1
                return nil
            }
            defer { state = State(lastLogged: Stopwatch()) }
            return state.suppressed
        }
        guard let suppressed else { return }
        log.warning(
            "database error", ["reason": .text(reason.description), "suppressed": .integer(suppressed)])
    }
}
