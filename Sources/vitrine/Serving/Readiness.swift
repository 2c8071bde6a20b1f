// Decides whether a process can serve requests, and why not.
import Postgres
import Store

struct Readiness: Sendable {
    /// Nil if the process is ready.
    var problem: String?
    /// Further members of the JSON response, each after a comma.
    var details = ""

    /// A daemon is ready when its login may use the roles of its connections, every migration is applied, its functions
    /// are installed, no newer program has migrated the database, and the key is its own.
    static func ofDaemon(
        _ schema: Schema, roles: [String], identities: IdentityStore, fingerprint: String
    ) async throws -> Readiness {
        let missing = try await schema.missing(roles)
        if !missing.isEmpty { return Readiness(problem: grant(missing)) }
        do {
            if let problem = try await schema.state(version: Program.version).problem {
                return Readiness(problem: problem)
            }
        } catch let error as MigrationError {
            return Readiness(problem: error.description)
        }
        if let expected = try await identities.find(.key), expected != fingerprint {
            return Readiness(problem: "the database expects another encryption key; restart the daemon with that key")
        }
        return Readiness()
    }

    static func grant(_ roles: [String], login: String = "DATABASE_URL") -> String {
        let roles = roles.joined(separator: ", ")
        return "the login of \(login) may not use \(roles); run vitrine migrate, then: grant \(roles) to LOGIN"
    }

    /// Why the check failed, without names of servers or paths, because everybody may read it. The log has the full reason.
    /// `roles`: what the login needs.
    static func problem(of error: any Error, roles: [String], login: String = "DATABASE_URL") -> String {
        guard let error = error as? PostgresError else { return unreachable }
        if error.isMisconfigured { return error.message }
        switch error.sqlState {
        // "permission denied to set role" and "role does not exist"
        case "42501", "22023": return grant(roles, login: login)
        case "42P01", "3F000": return "the database is not migrated; run vitrine migrate"
        default: return unreachable
        }
    }

    private static let unreachable = "PostgreSQL can't be reached or refuses the connection; the log says why"

    /// A delivery process is ready when it can read the read tables. A replica reports its lag (R22) and is not ready while
    /// the lag exceeds `lag` seconds, unless it is a standby that has all that its primary sends: then only the daemons,
    /// which write the heartbeat, are down.
    static func ofDelivery(_ reads: ReadDatabase, lag: Int) async throws -> Readiness {
        let status = try await reads.replicationStatus()
        return Readiness(problem: problem(status, lag: lag), details: details(status))
    }

    private static func problem(_ status: ReplicationStatus, lag: Int) -> String? {
        guard let seconds = status.lagSeconds else {
            return "the replica has no heartbeat; replicate delivery.heartbeat"
        }
        guard seconds > Double(lag), !status.isStreaming else { return nil }
        return "the replica is more than \(lag) s behind, or no daemon runs; check the replication"
    }

    private static func details(_ status: ReplicationStatus) -> String {
        let lag = status.lagSeconds.map { "\(($0 * 10).rounded() / 10)" } ?? "null"
        return
            #","replica":\#(status.isReplica),"streaming":\#(status.isStreaming),"lag_seconds":\#(lag),"publication":\#(status.publication.number),"#
            + #""publication_tag":"\#(status.publication.tag)""#
    }
}
