// Decides whether a process can serve requests, and why not.
import Postgres
import Store

struct Readiness: Sendable {
    /// Nil if the process is ready.
    var problem: String?
    /// Further members of the JSON response, each after a comma.
    var details = ""

    /// A daemon is ready when every migration is applied, its functions are installed, and no newer program has migrated
    /// the database.
    static func ofDaemon(_ schema: Schema) async throws -> Readiness {
        do {
            let state = try await schema.state(version: Program.version)
            if case .pending(let steps) = state {
                return Readiness(problem: "\(steps.count) migrations are pending; run vitrine migrate")
            }
            return Readiness(problem: state.refusal)
        } catch let error as MigrationError {
            return Readiness(problem: error.description)
        }
    }

    /// A delivery process is ready when it can read the read tables. A replica reports its lag (R22) and is not ready while
    /// the lag exceeds `lag` seconds.
    static func ofDelivery(_ reads: ReadDatabase, lag: Int) async throws -> Readiness {
        let status = try await reads.replicationStatus()
        let seconds = (status.lagSeconds * 10).rounded() / 10
        let details =
            #","replica":\#(status.isReplica),"lag_seconds":\#(seconds),"publication":\#(status.publication)"#
        let isLagging = status.lagSeconds > Double(lag)
        return Readiness(problem: isLagging ? "the replica lags too far behind" : nil, details: details)
    }
}
