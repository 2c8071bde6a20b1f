// The time zones that PostgreSQL knows, and their offsets from UTC.
import Domain
import Postgres
import Synchronization

package struct ZoneStore: Sendable {
    private struct Known {
        var names: Set<String> = []
        var readAt: ContinuousClock.Instant?
    }

    /// Of the process: all its databases are on servers with the same zones, or ask for them again.
    private static let known = Mutex(Known())
    /// Zones come with updates of the server, so an unknown name is looked up again, but not for every request.
    private static let pause: Duration = .seconds(60)

    let connection: StoreConnection

    /// Whether this is the name of a zone, in exactly this spelling.
    package func contains(_ name: String) async throws -> Bool {
        let now = ContinuousClock.now
        let (isKnown, isCurrent) = Self.known.withLock { known in
            (known.names.contains(name), known.readAt.map { now - $0 < Self.pause } ?? false)
        }
        if isKnown || isCurrent { return isKnown }
        // PostgreSQL reads the files of all its zones for this: a tenth of a second, or seconds from a cold disk.
        let found: [String]? = try await connection.longFirst(
            "select array_agg(name) as names from pg_timezone_names"
        ) { try $0("names") }
        let names = Set(found ?? [])
        Self.known.withLock { $0 = Known(names: names, readAt: now) }
        return names.contains(name)
    }

    /// For each time the minutes by which its clock is ahead of UTC; nil for an unknown zone. A time that a clock
    /// change skips has the offset before the change, one that occurs twice that after it, as in
    /// `ReleaseStore.instant`.
    package func offsets(of times: [WallTime]) async throws -> [Int?] {
        var known: Set<String> = []
        for zone in Set(times.map(\.zone)) where try await contains(zone) { known.insert(zone) }
        let valid = times.indices.filter { known.contains(times[$0].zone) }
        var offsets: [Int?] = times.map { _ in nil }
        if valid.isEmpty { return offsets }
        let (locals, zones) = (valid.map { times[$0].local }, valid.map { times[$0].zone })
        let found: [Int] = try await connection.rows(
            """
            select round(extract(epoch from t.local - ((t.local at time zone t.zone) at time zone 'UTC')) / 60)::integer
                as minutes
            from unnest(\(locals)::timestamp[], \(zones)::text[]) with ordinality t (local, zone, position)
            order by t.position
            """
        ) { try $0("minutes") }
        for (index, offset) in zip(valid, found) { offsets[index] = offset }
        return offsets
    }
}
