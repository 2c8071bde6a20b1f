// Opens scheduled releases again that a transaction has changed.
import Domain
import Postgres

extension ReleaseStore {
    /// Opens those of these releases that are scheduled; their times are remembered.
    func reopen(_ ids: [ID<Release>]) async throws -> [ReopenedRelease] {
        if ids.isEmpty { return [] }
        let reopened = try await connection.rows(
            """
            update curation.release set state = 'open', reopened_local = local_time, reopened_zone = zone,
                local_time = null, zone = null, due_at = null
            where id = any(\(ids)::uuid[]) and state = 'scheduled'
            returning number, to_char(reopened_local, 'YYYY-MM-DD HH24:MI') as local, reopened_zone as zone
            """, ReopenedRelease.init)
        if !reopened.isEmpty { try await connection.run("select pg_notify('vitrine_schedule', '')") }
        return reopened
    }
}

extension AuditedTransaction {
    /// Opens scheduled releases again whose contents have changed: nobody has checked them as they are now. Undoing the
    /// change doesn't schedule them.
    package func reopen(_ ids: [ID<Release>]) async throws {
        for release in try await releases.reopen(ids) {
            try await audit(
                AuditEvent(
                    "release.reopen", on: "release", String(release.number),
                    detail: ["local": .string(release.local), "zone": .string(release.zone)]))
            ReopenedReleases.current?.add(release)
        }
    }

    /// Adds changes to a release that this transaction has locked.
    package func add(_ changes: [LiveChange], to release: ID<Release>) async throws {
        if try await releases.addItems(changes, to: release) { try await reopen([release]) }
    }
}
