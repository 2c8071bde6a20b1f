// The heartbeat by which replicas measure their lag.
import Postgres

package struct HeartbeatStore: Sendable {
    let connection: StoreConnection

    /// Writes the time of the database's clock.
    package func beat() async throws {
        try await connection.run("update delivery.heartbeat set beat_at = clock_timestamp()")
    }
}
