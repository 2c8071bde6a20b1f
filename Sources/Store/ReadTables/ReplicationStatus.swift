// How far the database that serves readers lags behind its primary (R22).
import Domain
import Postgres

package struct ReplicationStatus: Sendable {
    package let isReplica: Bool
    /// Age of its data in seconds: 0 on a primary, and when everything received is applied. Data that the primary has
    /// not sent is not included.
    package let lagSeconds: Double
    /// The newest publication that readers see; 0 before the first.
    package let publication: Int64

    static func read(_ connection: StoreConnection) async throws -> ReplicationStatus {
        let status = try await connection.first(
            """
            select pg_is_in_recovery() as is_replica,
                case when not pg_is_in_recovery() or pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
                    else coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0) end
                    ::double precision as lag,
                (select coalesce(max(number), 0) from api_v1.publication) as publication
            """
        ) {
            ReplicationStatus(
                isReplica: try $0("is_replica"), lagSeconds: try $0("lag"), publication: try $0("publication"))
        }
        guard let status else {
            throw Failure.unavailable("The database did not report its replication status. Try again in a moment.")
        }
        return status
    }
}
