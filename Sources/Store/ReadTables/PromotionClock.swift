// Caches when a promotion last started or ended, so that requests do not query it.
import Domain
import Synchronization

/// Responses that show promotions change when one starts or ends (K16): that moment is part of their entity tag. It is
/// read again after each publication and when the next boundary has passed.
package final class PromotionClock: Sendable {
    private struct Known {
        let publication: TaggedNumber
        let last: Int64
        let until: ContinuousClock.Instant?
    }

    private let reads: PromotionReads
    private let known = Mutex<Known?>(nil)

    init(_ reads: PromotionReads) {
        self.reads = reads
    }

    /// The last moment at which a promotion started or ended, in microseconds since 1970, as of `publication`.
    package func last(asOf publication: TaggedNumber) async throws -> Int64 {
        let now = ContinuousClock.now
        if let known = known.withLock({ $0 }), known.publication == publication, known.until.map({ now < $0 }) ?? true {
            return known.last
        }
        let (last, wait) = try await reads.boundaries()
        // Counted from before the query: better to read once too often than too late.
        let until = wait.map { now.advanced(by: .seconds($0)) }
        known.withLock { $0 = Known(publication: publication, last: last, until: until) }
        return last
    }
}
