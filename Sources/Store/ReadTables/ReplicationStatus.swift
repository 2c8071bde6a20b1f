// How far behind its primary the database is that readers are served from (R22).
import Domain
import Postgres

package struct ReplicationStatus: Sendable {
    package let isReplica: Bool
    /// Age of what it shows, in seconds: 0 on a primary, and where all that was received is applied. While nothing is
    /// received, because the primary is down or there is nothing new, it says nothing of what was not sent.
    package let lagSeconds: Double
    /// The newest publication that readers see; 0 before the first.
    package let publication: Int64

    static func read(_ connection: StoreConnection) async throws -> ReplicationStatus {
        let standing = try await connection.first(
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
        guard let standing else { throw Failure.unavailable("The database said nothing of itself.") }
        return standing
    }
}
