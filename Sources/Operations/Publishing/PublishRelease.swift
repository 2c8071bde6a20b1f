// Publishes waiting revisions, chosen entries, a release or due releases, and rolls back; each in one publication.
import Domain
import Localization
import Store

package struct PublishRelease: Sendable {
    let database: Database

    /// The waiting revisions and what publishing them would change in the read tables.
    package struct Waiting: Sendable {
        package let all: [LiveChange]
        /// All except the blocked ones.
        package let changes: [LiveChange]
        package let blocked: [BlockedEntry]
        package let plan: PublicationPlan
    }

    /// What publishing all waiting revisions would change, with at most `limit` rows.
    package func plan(limit: Int? = nil) async throws -> Waiting {
        let all = try await database.publications.ready()
        let plan = try await database.publications.check(.listed(all), limit: limit)
        if plan.blocked.isEmpty { return Waiting(all: all, changes: all, blocked: [], plan: plan) }
        let (changes, blocked) = try await database.publications.leavingOutBlocked(all)
        return Waiting(
            all: all, changes: changes, blocked: blocked,
            plan: try await database.publications.plan(.listed(changes), limit: limit))
    }

    /// What publishing these changes would do, with at most `limit` rows. Fails where publishing would.
    package func plan(_ changes: LiveChanges, limit: Int? = nil) async throws -> PublicationPlan {
        try await database.publications.plan(changes, limit: limit)
    }

    /// The same with all entries that publishing would be refused for.
    package func check(_ changes: LiveChanges, limit: Int? = nil) async throws -> PublicationPlan {
        try await database.publications.check(changes, limit: limit)
    }

    /// Publishes every approved revision that is neither live, superseded nor part of a release, in one publication;
    /// entries that a rule blocks keep waiting. Returns the number, or nil when there was nothing to publish.
    package func waiting(by actor: Actor) async throws -> (
        publication: Int64?, entries: Int, blocked: [BlockedEntry]
    ) {
        try actor.require(.publish, "publish")
        let event = AuditEvent("publication.publish", on: "publication")
        return try await database.transaction(by: actor, event) { transaction in
            let ready = try await transaction.publications.ready()
            if ready.isEmpty { return (nil, 0, []) }
            let (number, blocked) = try await transaction.publications.publishRest(
                ready, note: "Pending changes", by: actor)
            return (number, ready.count - blocked.count, blocked)
        }
    }

    /// Publishes these changes now, in one publication.
    package func now(_ changes: [LiveChange], note: String, by actor: Actor) async throws -> Int64? {
        try actor.require(.publish, "publish")
        let event = AuditEvent(
            "publication.publish", on: "publication", detail: ["entries": .int(Int64(changes.count))])
        return try await database.transaction(by: actor, event) { transaction in
            try await transaction.publications.publish(.listed(changes), note: note, by: actor)
        }
    }

    /// Publishes a release now. `seen` is the digest of the plan that the actor reviewed: if the plan has changed since,
    /// nothing is published and the conflict is `plan_changed`. Nil skips this check. `replacesNewer`
    /// as when scheduling it; the plan shows what it replaces, so an actor who has seen it need not confirm.
    package func release(
        _ number: Int64, seen: String?, replacesNewer: Bool = false, by actor: Actor
    ) async throws -> Int64? {
        try actor.require(.publish, tr("publish releases"))
        guard let release = try await database.releases.find(number: number) else { throw Failure.missing("release") }
        let event = AuditEvent("release.publish", on: "release", String(number))
        return try await database.transaction(by: actor, event) { transaction in
            _ = try await transaction.publications.lock()
            try await transaction.lock(release)
            let checks = try await transaction.releaseItems.checks(of: release.id)
            if checks.items == 0 {
                throw Failure.refused(code: "release_empty", message: tr("Release \(number) is empty."))
            }
            if checks.unapproved > 0 {
                throw Failure.refused(
                    code: "unapproved",
                    message:
                        tr("Nothing was published: \(checks.unapproved) of \(checks.items) revisions are not approved.")
                )
            }
            try await transaction.requirePlan(seen, of: .release(release.id))
            // The plan shows what it replaces.
            if seen == nil, !replacesNewer { try checks.requireNothingNewer() }
            return try await transaction.publications.publish(
                .release(release.id), release: release.id, note: release.title, by: actor)
        }
    }

    /// Restores the live set as of publication `number`, in a new publication. Returns its number, or nil when nothing
    /// differs. `seen` as for a release.
    package func rollback(to number: Int64, seen: String?, by actor: Actor) async throws -> Int64? {
        try actor.require(.publish, tr("roll back"))
        guard try await database.publications.find(number) != nil else { throw Failure.missing("publication") }
        let event = AuditEvent("publication.rollback", on: "publication", String(number))
        return try await database.transaction(by: actor, event) { transaction in
            _ = try await transaction.publications.lock()
            try await transaction.requirePlan(seen, of: .rollback(to: number))
            return try await transaction.publications.publish(
                .rollback(to: number), note: "Rollback to publication \(number)", by: actor)
        }
    }

    /// Publishes the releases due by the database clock, earliest first; the database function audits each.
    package func due(limit: Int = 100) async throws -> [DueRelease] {
        let clock = Actor(kind: .system, name: "schedule")
        return try await database.work(as: clock) { work in
            try await work.publications.publishDue(limit: limit, by: clock)
        }
    }
}
