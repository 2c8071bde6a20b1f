// Verifies the read tables against the live set, and repairs differences.
import Domain
import Localization
import Store
import Synchronization

package struct VerifyReadTables: Sendable {
    /// How far a comparison is.
    package struct Progress: Sendable {
        package let done: Int
        package let parts: Int
        /// The projection of the part that was compared last.
        package let name: String
        package let differences: Int
    }

    /// More rows are repaired faster by a comparison of everything than key by key.
    private static let manyRows = 50_000

    let database: Database

    /// Every row that differs; empty when the tables are correct. `jobs` connections compare at once, on one snapshot.
    /// With `since`, only rows that publications after it wrote, and all rows of entries that they changed.
    package func verify(
        since: Int64? = nil, jobs: Int = 1, progress: @Sendable @escaping (Progress) -> Void = { _ in }
    ) async throws -> [RowChange] {
        if let since, try await database.publications.current() < since {
            throw Failure.missing("publication \(since)")
        }
        let comparison = Comparison()
        try await database.snapshot(
            connections: jobs,
            prepare: { stores in
                comparison.add(try await stores.publications.verificationParts(since: since))
            },
            work: { stores, _ in
                do {
                    while let part = comparison.next() {
                        let rows = try await stores.publications.verify(part, since: since)
                        progress(comparison.finish(part, rows))
                    }
                } catch {
                    comparison.stop()
                    throw error
                }
            })
        return comparison.rows
    }

    /// Applies the differences in one publication. Returns its number, or nil when there were none. Others publish
    /// while rows are compared. If counts differ, on which rows depend, all is compared again under the lock.
    package func repair(
        jobs: Int = 1, by actor: Actor, progress: @Sendable @escaping (Progress) -> Void = { _ in }
    ) async throws -> Int64? {
        try actor.require(.publish, tr("repair the read tables"))
        let rows = try await verify(jobs: jobs, progress: progress)
        if rows.isEmpty { return nil }
        let tables = Set(database.packs.projectedTables)
        let needsAll = rows.count > Self.manyRows || rows.contains { !tables.contains($0.table) }
        return try await database.transaction(by: actor, AuditEvent("publication.repair", on: "publication")) {
            transaction in
            if needsAll { return try await transaction.publications.repair(note: "Repair", by: actor) }
            return try await transaction.publications.repair(rows, note: "Repair", by: actor)
        }
    }
}

/// The parts that are still to be compared, and what was found in the others.
private final class Comparison: Sendable {
    private struct State {
        var parts: [VerificationPart] = []
        var next = 0
        var done = 0
        var rows: [RowChange] = []
    }

    private let state = Mutex(State())

    func add(_ parts: [VerificationPart]) { state.withLock { $0.parts += parts } }

    func next() -> VerificationPart? {
        state.withLock { state in
            guard state.next < state.parts.count else { return nil }
            defer { state.next += 1 }
            return state.parts[state.next]
        }
    }

    func finish(_ part: VerificationPart, _ rows: [RowChange]) -> VerifyReadTables.Progress {
        state.withLock { state in
            state.done += 1
            state.rows += rows
            return VerifyReadTables.Progress(
                done: state.done, parts: state.parts.count, name: part.name, differences: state.rows.count)
        }
    }

    /// Leaves out what was not begun.
    func stop() { state.withLock { $0.next = $0.parts.count } }

    /// By table and key.
    var rows: [RowChange] {
        state.withLock { $0.rows }.sorted { ($0.table, $0.key) < ($1.table, $1.key) }
    }
}
