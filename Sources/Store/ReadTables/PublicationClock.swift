// Knows the number of the publication that readers see now, without asking for it at every request.
import Postgres
import Synchronization

/// Hears of a publication by NOTIFY and looks for itself every two seconds, so that the number is at most that old
/// however the notification was lost (R16). It is never ahead of what a query sees.
package final class PublicationClock: Sendable {
    private struct Known {
        var number: Int64
        var checkedAt: ContinuousClock.Instant
    }

    private static let trust = Duration.seconds(2)

    private let reads: PublicationReads
    private let known = Mutex<Known?>(nil)

    init(_ client: PostgresClient) {
        reads = PublicationReads(connection: StoreConnection(client))
    }

    func listen(_ client: PostgresClient) {
        client.listen(
            "vitrine_publication",
            onNotify: { [weak self] payload in
                if let number = Int64(payload) { self?.train(number) }
            },
            // What was published while nobody listened was not told; and it may be another database by now.
            onConnect: { [weak self] in self?.known.withLock { $0 = nil } })
    }

    /// The number where it was heard or read within the last two seconds.
    package var number: Int64? {
        let now = ContinuousClock.now
        return known.withLock { known in
            guard let known, now - known.checkedAt < Self.trust else { return nil }
            return known.number
        }
    }

    /// The number from the database; 0 before the first publication.
    package func read() async throws -> Int64 {
        train(try await reads.number())
    }

    /// A notification that came during a slow look is the newer of the two.
    @discardableResult
    private func train(_ number: Int64) -> Int64 {
        let now = ContinuousClock.now
        return known.withLock { known in
            let newest = max(number, known?.number ?? number)
            known = Known(number: newest, checkedAt: now)
            return newest
        }
    }
}
