// Decides whether a process can serve requests, and why not.
import Store

struct Readiness: Sendable {
    /// Nil if the process is ready.
    var problem: String?
    /// Further members of the JSON response, each after a comma.
    var details = ""

    /// A daemon is ready when every migration is applied.
    static func ofDaemon(_ schema: Schema) async throws -> Readiness {
        let pending = try await schema.pending()
        if pending.isEmpty { return Readiness() }
        return Readiness(problem: "\(pending.count) migrations are pending; run vitrine migrate")
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
