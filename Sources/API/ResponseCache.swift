// Keeps responses of reads in memory until a publication changes a row that they depend on.
import Domain
import HTTP
import Store
import Synchronization

/// A response is used at a publication that the daemon knows by the same rule as for 304 (`PublicationClock`), and only
/// if no publication since it was read changed what it depends on (`APIEndpoint.Keeping`).
package final class ResponseCache: Sendable {
    struct Key: Hashable, Sendable {
        /// With its query, as the client sent it: another spelling of the same URL is another response.
        let target: String
        let scope: ReadScope
    }

    /// A publication up to which all changes are known.
    struct Position: Sendable {
        let publication: TaggedNumber
        let epoch: Int
    }

    package struct Counts: Sendable {
        package let hits: Int
        package let misses: Int
        package let responses: Int
        package let bytes: Int
    }

    private struct Flight: Hashable, Sendable {
        let key: Key
        let publication: TaggedNumber
    }

    private final class Shard: Sendable {
        let kept: Mutex<SegmentedLRU<Key, KeptResponse>>

        init(capacity: Int) { kept = Mutex(SegmentedLRU(capacity: capacity, usual: 2048)) }
    }

    private static let shardCount = 8

    private let shards: [Shard]
    private let touched = Mutex(TouchedRows())
    private let changedRows: @Sendable (ChangePosition?) async throws -> ChangedRows
    /// One look at the changes at a time.
    private let looks = SingleFlight<Int, Position>()
    private let flights = SingleFlight<Flight, KeptResponse>()
    private let hits = Atomic(0)
    private let misses = Atomic(0)

    /// `capacity` in bytes.
    init(capacity: Int, changedRows: @escaping @Sendable (ChangePosition?) async throws -> ChangedRows) {
        self.changedRows = changedRows
        shards = (0..<Self.shardCount).map { _ in Shard(capacity: capacity / Self.shardCount) }
    }

    package var counts: Counts {
        var (responses, bytes) = (0, 0)
        for shard in shards {
            let (count, cost) = shard.kept.withLock { ($0.count, $0.cost) }
            responses += count
            bytes += cost
        }
        return Counts(
            hits: hits.load(ordering: .relaxed), misses: misses.load(ordering: .relaxed), responses: responses,
            bytes: bytes)
    }

    func countHit() { hits.add(1, ordering: .relaxed) }

    // MARK: Reading

    /// The response, if it is kept and current at this publication.
    func find(_ key: Key, at publication: TaggedNumber) -> KeptResponse? {
        guard let kept = shard(of: key).kept.withLock({ $0.use(key) }) else { return nil }
        return isCurrent(kept, at: publication) ? kept : nil
    }

    /// The changes up to a publication or a later one; nil if they can't be read.
    func position(at publication: TaggedNumber) async -> Position? {
        let known = touched.withLock { touched in
            touched.position?.seen == publication
                ? Position(publication: publication, epoch: touched.epoch) : nil
        }
        if let known { return known }
        // A look that began before the publication was known may not have seen it.
        guard let found = try? await looks.value(0, { try await look() }),
            found.publication.number >= publication.number
        else { return nil }
        return found
    }

    /// Lets concurrent callers share one response, which is kept. Nil if it is not kept: they may each compute it.
    func share(
        _ key: Key, at position: Position, _ compute: () async throws -> KeptResponse?
    ) async throws -> KeptResponse? {
        try await flights.value(Flight(key: key, publication: position.publication)) {
            misses.add(1, ordering: .relaxed)
            guard let kept = try await compute() else { return nil }
            shard(of: key).kept.withLock { $0.insert(key, kept, cost: kept.cost) }
            return kept
        }
    }

    /// Compresses a response for a client, and keeps that form, too.
    func compress(_ kept: KeptResponse, _ key: Key, for request: Request, _ bodies: CompressedBodies) async {
        let bytes = await kept.compress(for: request, bodies)
        guard bytes > 0 else { return }
        shard(of: key).kept.withLock { $0.grow(key, by: bytes) { $0 === kept } }
    }

    // MARK: Changes

    private func look() async throws -> Position {
        let found = try await changedRows(touched.withLock { $0.position })
        return touched.withLock { touched in
            touched.add(found)
            return Position(publication: found.position.seen, epoch: touched.epoch)
        }
    }

    private func isCurrent(_ kept: KeptResponse, at publication: TaggedNumber) -> Bool {
        let last = kept.publication
        if last == publication { return true }
        let isCurrent = touched.withLock { touched in
            touched.position?.seen == publication && touched.epoch == kept.epoch
                && touched.isCurrent(kept.keeping, key: kept.rowKey, since: last.number)
        }
        if isCurrent { kept.publication = publication }
        return isCurrent
    }

    private func shard(of key: Key) -> Shard { shards[Int(UInt(bitPattern: key.hashValue) >> 8) % Self.shardCount] }
}
