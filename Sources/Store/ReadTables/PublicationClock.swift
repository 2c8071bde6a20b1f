// Caches the number of the publication that readers see, so that requests do not query it.
import Postgres
import Synchronization

/// Updated by NOTIFY and read again every two seconds, so that the number is never older than that even when a
/// notification is lost (R16). It is never ahead of what a query sees.
package final class PublicationClock: Sendable {
    private struct Known {
        var number: Int64
        var checkedAt: ContinuousClock.Instant
    }

    private static let maxAge = Duration.seconds(2)

    private let reads: PublicationReads
    private let known = Mutex<Known?>(nil)

    init(_ client: PostgresClient) {
        reads = PublicationReads(connection: StoreConnection(client))
    }

    func listen(_ client: PostgresClient) {
        client.listen(
            "vitrine_publication",
            onNotify: { [weak self] payload in
                if let number = Int64(payload) { self?.update(number) }
            },
            // Publications while disconnected were not notified, and the database may be a different one now.
            onConnect: { [weak self] in self?.known.withLock { $0 = nil } })
    }

    /// The number, if it was received or read within the last two seconds.
    package var number: Int64? {
        let now = ContinuousClock.now
        return known.withLock { known in
            guard let known, now - known.checkedAt < Self.maxAge else { return nil }
            return known.number
        }
    }

    /// The number from the database; 0 before the first publication.
    package func read() async throws -> Int64 {
        update(try await reads.number())
    }

    /// Keeps the greater number: a notification received during a slow read is newer than its result.
    @discardableResult
    private func update(_ number: Int64) -> Int64 {
        let now = ContinuousClock.now
        return known.withLock { known in
            let newest = max(number, known?.number ?? number)
            known = Known(number: newest, checkedAt: now)
            return newest
        }
    }
}
