// A turn in a lane or on a thread of a pool that a test keeps, so that others wait.
import Dispatch
import Platform

package struct HeldTurn: Sendable {
    private let holder: Task<Void, any Error>
    private let open: @Sendable () -> Void

    /// Returns when the turn has begun.
    package init(in lane: FairLane) async {
        let gate = AsyncStream.makeStream(of: Void.self)
        let begun = AsyncStream.makeStream(of: Void.self)
        open = { gate.continuation.finish() }
        holder = Task {
            try await lane.run {
                begun.continuation.finish()
                for await _ in gate.stream {}
            }
        }
        for await _ in begun.stream {}
    }

    /// Returns when the turn has begun.
    package init(in pool: WorkerPool) async {
        let gate = DispatchSemaphore(value: 0)
        let begun = AsyncStream.makeStream(of: Void.self)
        open = { gate.signal() }
        holder = Task {
            try await pool.run {
                begun.continuation.finish()
                gate.wait()
            }
        }
        for await _ in begun.stream {}
    }

    /// Returns when the turn is over.
    package func end() async throws {
        open()
        try await holder.value
    }
}
