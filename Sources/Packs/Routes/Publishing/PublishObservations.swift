// Publishes recorded observations: the results of some routes at a time, so that no publication keeps others waiting.
import Domain
import Operations
import Store

package struct PublishObservations: Sendable {
    /// How long one publication should take, and the most routes in the first one.
    private static let target = Duration.milliseconds(200)
    private static let firstLimit = 100

    let database: Database

    /// Publishes until nothing is pending. `progress` gets the number of pending periods after each publication. Returns the
    /// last publication; nil if readers see no difference. Stopping it loses nothing: a task of the daemon goes on, and
    /// so does the next call.
    package func callAsFunction(
        note: String, by actor: Actor, progress: @Sendable (Int) -> Void = { _ in }
    ) async throws -> Int64? {
        var limit = Self.firstLimit
        var last: Int64?
        guard try await database.observations.isPending() else { return nil }
        while true {
            let clock = ContinuousClock()
            let start = clock.now
            let piece = try await database.transaction(by: actor, AuditEvent("observation.publish", on: "observation"))
            {
                [limit] in try await $0.observations.publish(limit: limit, note: note, by: actor)
            }
            last = piece.publication ?? last
            guard piece.remaining > 0 else { return last }
            progress(piece.remaining)
            let share = Self.target / max(clock.now - start, .milliseconds(1))
            limit = min(max(Int(Double(limit) * min(share, 2)), 10), 10_000)
        }
    }
}
