// Caches when time alone last changed the read tables of a pack, so that requests do not query it.
import Domain
import Synchronization

/// Responses that show promotions change when one starts or ends (K16), those with badges when one does: that moment is part
/// of their entity tag. It is read again after each publication and when the next moment has passed.
package final class MomentClock: Sendable {
    private struct Known {
        let publication: TaggedNumber
        let last: Int64
        let until: MonotonicClock.Instant?
    }

    private let connection: StoreConnection
    private let moments: Pack.Moments
    private let clock: MonotonicClock
    private let known = Mutex<Known?>(nil)

    init(_ connection: StoreConnection, _ moments: @escaping Pack.Moments, _ clock: MonotonicClock) {
        self.clock = clock
        self.connection = connection
        self.moments = moments
    }

    /// The last moment, in microseconds since 1970, as of `publication`.
    package func last(asOf publication: TaggedNumber) async throws -> Int64 {
        let now = clock.now()
        if let known = known.withLock({ $0 }), known.publication == publication, known.until.map({ now < $0 }) ?? true {
            return known.last
        }
        let (last, wait) = try await moments(connection)
        // Counted from before the query: better to read once too often than too late.
        let until = wait.map { now.advanced(by: .seconds($0)) }
        known.withLock { $0 = Known(publication: publication, last: last, until: until) }
        return last
    }
}
