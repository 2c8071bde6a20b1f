// Caches the publication that readers see, so that requests do not query it.
import Domain
import Postgres
import Synchronization

/// Updated by NOTIFY and read again every two seconds, so that it is never older than that even when a notification is
/// lost (R16). What was read replaces what was notified before: after a restore or a failover the number is lower, or
/// the same with another tag. It is never ahead of what a query sees.
package final class PublicationClock: Sendable {
    private struct Known {
        var publication: TaggedNumber
        var checkedAt: MonotonicClock.Instant
    }

    private static let maxAge = Duration.seconds(2)

    private let reads: PublicationReads
    private let changes: ChangeReads
    private let clock: MonotonicClock
    private let known = Mutex<Known?>(nil)

    init(_ client: PostgresClient, _ clock: MonotonicClock) {
        self.clock = clock
        let connection = StoreConnection(client, packs: .none)
        reads = PublicationReads(connection: connection)
        changes = ChangeReads(scope: .guest, connection: connection)
    }

    func listen(_ client: PostgresClient) {
        client.listen(
            "vitrine_publication",
            onNotify: { [weak self] payload in
                if let publication = TaggedNumber(payload) { self?.note(publication) }
            },
            // Publications while disconnected were not notified, and the database may be a different one now.
            onConnect: { [weak self] in self?.known.withLock { $0 = nil } })
    }

    /// The publication, if it was notified or read within the last two seconds.
    package var publication: TaggedNumber? {
        let now = clock.now()
        return known.withLock { known in
            guard let known, now - known.checkedAt < Self.maxAge else { return nil }
            return known.publication
        }
    }

    /// The publication from the database; none before the first one. One that was notified during the read is newer.
    package func read() async throws -> TaggedNumber {
        let begunAt = clock.now()
        return confirm(try await reads.newest(), readAt: begunAt)
    }

    /// The rows that have changed since a position. The publication that the query sees is known from then on.
    package func changedRows(since position: ChangePosition?) async throws -> ChangedRows {
        let begunAt = clock.now()
        let found = try await changes.changedRows(since: position)
        _ = confirm(found.position.seen, readAt: begunAt)
        return found
    }

    /// Whether this database is a standby, or a logical replica of the read tables: it may be behind.
    package func isReplica() async throws -> Bool { try await reads.isOnReplica() }

    private func confirm(_ found: TaggedNumber, readAt begunAt: MonotonicClock.Instant) -> TaggedNumber {
        known.withLock { known in
            if let known, known.checkedAt > begunAt, known.publication.number > found.number {
                return known.publication
            }
            known = Known(publication: found, checkedAt: begunAt)
            return found
        }
    }

    /// A notification that arrives after a read may be older than its result.
    private func note(_ publication: TaggedNumber) {
        let now = clock.now()
        known.withLock { known in
            if let number = known?.publication.number, number >= publication.number { return }
            known = Known(publication: publication, checkedAt: now)
        }
    }
}
