// How far the database that serves readers lags behind its primary (R22).
import Domain
import Postgres

package struct ReplicationStatus: Sendable {
    package let isReplica: Bool
    /// At most how many seconds its data is old: the age of the newest heartbeat, which daemons write to the primary.
    /// 0 on a primary; nil on a replica without the heartbeat. It grows while replication is broken, and also while no
    /// daemon runs: a replica can't tell the two apart.
    package let lagSeconds: Double?
    /// The newest publication that readers see; none before the first.
    package let publication: TaggedNumber

    /// Each connection may see only one part of it.
    static func read(guest: StoreConnection, delivery: StoreConnection) async throws -> ReplicationStatus {
        let isReplica = try await guest.first("select \(PublicationReads.isReplica) as is_replica") {
            try $0("is_replica") as Bool
        }
        // The clocks of the two servers may differ.
        let age = try await delivery.first(
            """
            select greatest(0, extract(epoch from clock_timestamp() - beat_at))::double precision as age
            from delivery.heartbeat
            """
        ) { try $0("age") as Double }
        return ReplicationStatus(
            isReplica: isReplica ?? false, lagSeconds: isReplica == true ? age : 0,
            publication: try await PublicationReads(connection: guest).newest())
    }
}
