// Whether a process can do its work now, and what keeps it from that.
import Store

struct Readiness: Sendable {
    /// Nil where it can.
    var problem: String?
    /// More members of the answer, each after a comma.
    var details = ""

    /// A daemon needs a database with every migration.
    static func ofDaemon(_ schema: Schema) async throws -> Readiness {
        let pending = try await schema.pending()
        if pending.isEmpty { return Readiness() }
        return Readiness(problem: "the database lacks \(pending.count) migrations: run vitrine migrate")
    }

    /// A process that delivers needs read tables; a replica tells how far behind it is (R22). Beyond `lag` seconds it asks
    /// to be passed over.
    static func ofDelivery(_ reads: ReadDatabase, lag: Int) async throws -> Readiness {
        let standing = try await reads.standing()
        let seconds = (standing.lagSeconds * 10).rounded() / 10
        let details =
            #","replica":\#(standing.isReplica),"lag_seconds":\#(seconds),"publication":\#(standing.publication)"#
        let isLate = standing.lagSeconds > Double(lag)
        return Readiness(problem: isLate ? "the replica is too far behind" : nil, details: details)
    }
}
