// Publishes: what waits, chosen entries now or at a time, and what is due; each in one publication.
import Domain
import Store

package struct PublishRelease: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// What publishing everything that waits would change in the read tables, row by row.
    package func plan() async throws -> (changes: [LiveChange], rows: [RowDifference]) {
        let changes = try await database.publications.ready()
        return (changes, changes.isEmpty ? [] : try await database.publications.plan(changes))
    }

    /// What publishing exactly these would change.
    package func plan(_ changes: [LiveChange]) async throws -> [RowDifference] {
        try await database.publications.plan(changes)
    }

    /// Publishes every approved revision that is neither live nor superseded nor held by a release, in one publication:
    /// its number, or nil when there was nothing to publish.
    package func waiting(by actor: Actor) async throws -> (publication: Int64?, entries: Int) {
        try actor.require(.publish, "publish")
        let event = AuditEvent("publication.publish", on: "publication")
        return try await database.change(by: actor, event) { change in
            let ready = try await change.publications.ready()
            if ready.isEmpty { return (nil, 0) }
            let number = try await change.publications.publish(ready, note: "what was waiting", by: actor)
            return (number, ready.count)
        }
    }

    /// Publishes these changes now, together.
    package func now(_ changes: [LiveChange], note: String, by actor: Actor) async throws -> Int64? {
        try actor.require(.publish, "publish")
        let event = AuditEvent(
            "publication.publish", on: "publication", detail: ["entries": .int(Int64(changes.count))])
        return try await database.change(by: actor, event) { change in
            try await change.publications.publish(changes, note: note, by: actor)
        }
    }

    /// Makes a release of these changes that goes live at `time`; gives its number.
    package func schedule(_ changes: [LiveChange], title: String, at time: WallTime, by actor: Actor) async throws
        -> Int64
    {
        try actor.require(.publish, "schedule publications")
        _ = try await database.releases.instant(of: time)
        let event = AuditEvent(
            "release.schedule", on: "release",
            detail: ["local": .string(time.local), "zone": .string(time.zone), "entries": .int(Int64(changes.count))])
        return try await database.change(by: actor, event) { change in
            let made = try await change.releases.add(title: title, time: time, by: actor)
            for item in changes { try await change.releases.put(item.entry, revision: item.revision, into: made.id) }
            return made.number
        }
    }

    /// Cancels a scheduled release; what it held waits again.
    package func cancel(_ number: Int64, by actor: Actor) async throws {
        try actor.require(.publish, "cancel releases")
        guard let release = try await database.releases.find(number: number) else { throw Failure.missing("release") }
        let event = AuditEvent("release.cancel", on: "release", String(number))
        let cancelled = try await database.change(by: actor, event) { change in
            try await change.releases.cancel(release.id)
        }
        if !cancelled {
            throw Failure.conflict(
                code: "release_finished", message: "Release \(number) is \(release.state.rawValue) already.")
        }
    }

    /// Publishes what is due by the database clock, earliest first; the database function audits each release.
    package func due(limit: Int = 100) async throws -> [DueRelease] {
        let clock = Actor(kind: .system, name: "schedule")
        return try await database.work(as: clock) { work in
            try await work.publications.publishDue(limit: limit, by: clock)
        }
    }
}
