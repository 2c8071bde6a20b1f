// Publishes: what waits, chosen entries, a release, what is due, or the way back; each in one publication.
import Domain
import Store

package struct PublishRelease: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// What publishing everything that waits would change in the read tables.
    package func plan(limit: Int? = nil) async throws -> (changes: [LiveChange], plan: PublicationPlan) {
        let changes = try await database.publications.ready()
        return (changes, try await database.publications.plan(.these(changes), limit: limit))
    }

    /// What publishing these changes would do; at most `limit` rows of it.
    package func plan(_ changes: LiveChanges, limit: Int? = nil) async throws -> PublicationPlan {
        try await database.publications.plan(changes, limit: limit)
    }

    /// Publishes every approved revision that is neither live nor superseded nor held by a release, in one publication:
    /// its number, or nil when there was nothing to publish.
    package func waiting(by actor: Actor) async throws -> (publication: Int64?, entries: Int) {
        try actor.require(.publish, "publish")
        let event = AuditEvent("publication.publish", on: "publication")
        return try await database.change(by: actor, event) { change in
            let ready = try await change.publications.ready()
            if ready.isEmpty { return (nil, 0) }
            let number = try await change.publications.publish(.these(ready), note: "what was waiting", by: actor)
            return (number, ready.count)
        }
    }

    /// Publishes these changes now, together.
    package func now(_ changes: [LiveChange], note: String, by actor: Actor) async throws -> Int64? {
        try actor.require(.publish, "publish")
        let event = AuditEvent(
            "publication.publish", on: "publication", detail: ["entries": .int(Int64(changes.count))])
        return try await database.change(by: actor, event) { change in
            try await change.publications.publish(.these(changes), note: note, by: actor)
        }
    }

    /// Publishes a release now. `seen` is the digest of the plan that the asker looked at: when the rows to be written are
    /// others by now, nothing is published and the conflict is `plan_moved`; nil publishes whatever it is.
    package func release(_ number: Int64, seen: String?, by actor: Actor) async throws -> Int64? {
        try actor.require(.publish, "publish releases")
        guard let release = try await database.releases.find(number: number) else { throw Failure.missing("release") }
        let event = AuditEvent("release.publish", on: "release", String(number))
        return try await database.change(by: actor, event) { change in
            _ = try await change.publications.lock()
            guard try await change.releases.hold(release.id) else { throw Self.finished(release) }
            let checks = try await change.releaseItems.checks(of: release.id)
            if checks.items == 0 {
                throw Failure.refused(code: "release_empty", message: "Release \(number) holds nothing to publish.")
            }
            if checks.unapproved > 0 {
                throw Failure.refused(
                    code: "unapproved",
                    message: "Nothing was published: \(checks.unapproved) of \(checks.items) versions are not approved."
                )
            }
            try await Self.check(.release(release.id), seen, change)
            return try await change.publications.publish(
                .release(release.id), release: release.id, note: release.title, by: actor)
        }
    }

    /// Makes the live set what it was right after publication `number`, in a new publication: its number, or nil when it is
    /// that already. `seen` as for a release.
    package func back(to number: Int64, seen: String?, by actor: Actor) async throws -> Int64? {
        try actor.require(.publish, "roll back")
        guard try await database.publications.find(number) != nil else { throw Failure.missing("publication") }
        let event = AuditEvent("publication.rollback", on: "publication", String(number))
        return try await database.change(by: actor, event) { change in
            _ = try await change.publications.lock()
            try await Self.check(.backTo(number), seen, change)
            return try await change.publications.publish(
                .backTo(number), note: "back to publication \(number)", by: actor)
        }
    }

    /// Publishes what is due by the database clock, earliest first; the database function audits each release.
    package func due(limit: Int = 100) async throws -> [DueRelease] {
        let clock = Actor(kind: .system, name: "schedule")
        return try await database.work(as: clock) { work in
            try await work.publications.publishDue(limit: limit, by: clock)
        }
    }

    /// Under the lock nothing moves any more: the plan that was seen is the one that will be done, or it is refused.
    private static func check(_ changes: LiveChanges, _ seen: String?, _ change: Change) async throws {
        guard let seen, try await change.publications.plan(changes, limit: 0).digest != seen else { return }
        throw Failure.conflict(
            code: "plan_moved",
            message: "Nothing was published: other things have changed since you looked. This is the plan now.")
    }

    static func finished(_ release: ReleaseRow) -> Failure {
        .conflict(
            code: "release_finished", message: "Release \(release.number) is \(release.state.rawValue) already.")
    }
}
