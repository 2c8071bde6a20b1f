// How far the database that serves readers lags behind its primary (R22).
import Domain
import Postgres

package struct ReplicationStatus: Sendable {
    package let isReplica: Bool
    /// At most how many seconds its data is old: the age of the newest heartbeat, which daemons write to the primary.
    /// 0 on a primary; nil on a replica without the heartbeat. It grows while replication is broken, and also while no
    /// daemon runs: then a standby `isStreaming`, but a logical replica can't tell the two apart.
    package let lagSeconds: Double?
    /// Whether this is a standby that is connected to its primary and has replayed everything it received. After the
    /// network fails without a word, the connection counts as alive for `wal_receiver_timeout`.
    package let isStreaming: Bool
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
        // The view has a row only while the process that receives from the primary runs and is connected.
        let isStreaming = try await guest.first(
            """
            select pg_is_in_recovery() and exists (select from pg_stat_wal_receiver)
                and coalesce(pg_last_wal_receive_lsn() <= pg_last_wal_replay_lsn(), false) as is_streaming
            """
        ) { try $0("is_streaming") as Bool }
        return ReplicationStatus(
            isReplica: isReplica ?? false, lagSeconds: isReplica == true ? age : 0, isStreaming: isStreaming ?? false,
            publication: try await PublicationReads(connection: guest).newest())
    }
}
