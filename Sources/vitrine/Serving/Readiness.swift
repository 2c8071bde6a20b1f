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
        return Readiness(problem: problem(status, lag: lag), details: details(status))
    }

    private static func problem(_ status: ReplicationStatus, lag: Int) -> String? {
        guard let seconds = status.lagSeconds else {
            return "the replica has no heartbeat; replicate delivery.heartbeat"
        }
        guard seconds > Double(lag) else { return nil }
        return "the replica is more than \(lag) s behind, or no daemon runs; check the replication"
    }

    private static func details(_ status: ReplicationStatus) -> String {
        let lag = status.lagSeconds.map { "\(($0 * 10).rounded() / 10)" } ?? "null"
        return #","replica":\#(status.isReplica),"lag_seconds":\#(lag),"publication":\#(status.publication.number),"#
            + #""publication_tag":"\#(status.publication.tag)""#
    }
}
