// Puts releases together: makes them, puts entries in and takes them out, sets their time, cancels them.
import Domain
import Store

package struct ComposeRelease: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Makes a release of these changes, open or for a time: its number.
    package func make(
        title: String, holding changes: [LiveChange] = [], at time: WallTime? = nil, by actor: Actor
    ) async throws -> Int64 {
        try actor.require(
            time == nil ? .makeRelease : .publish, time == nil ? "make releases" : "schedule publications")
        let title = PlainText.singleLine(title)
        guard (1...300).contains(title.count) else {
            throw Failure.invalid(FieldErrors("/title", "length", "Give the release a title of 1 to 300 characters."))
        }
        if let time { _ = try await database.releases.instant(of: time) }
        let event = AuditEvent(
            time == nil ? "release.create" : "release.schedule", on: "release", detail: Self.detail(time))
        return try await database.change(by: actor, event) { change in
            try await change.releases.add(title: title, time: time, holding: changes, by: actor).number
        }
    }

    /// Puts revisions to show and entries to withdraw into a release, in place of what it held of them.
    package func put(_ changes: [LiveChange], into number: Int64, by actor: Actor) async throws {
        try await compose(number, "release.add", ["entries": .int(Int64(changes.count))], by: actor) {
            change, release in
            try await change.releases.put(changes, into: release.id)
        }
    }

    /// Puts in everything that is approved and waits: how many entries that was.
    package func putWaiting(into number: Int64, by actor: Actor) async throws -> Int {
        try await compose(number, "release.add", ["entries": .string("waiting")], by: actor) { change, release in
            let ready = try await change.publications.ready()
            if !ready.isEmpty { try await change.releases.put(ready, into: release.id) }
            return ready.count
        }
    }

    /// Takes an entry out of a release.
    package func remove(_ entry: ID<Entry>, from number: Int64, by actor: Actor) async throws {
        try await compose(number, "release.remove", ["entry": .string(entry.description)], by: actor) {
            change, release in
            guard try await change.releases.remove(entry, from: release.id) else { throw Failure.missing("entry") }
        }
    }

    /// Sets when a release goes live; nil takes its time away. `was` is the time that the actor saw (`ReleaseRow.wallTime`):
    /// when it has another one by now, that is told and kept.
    package func schedule(
        _ number: Int64, at time: WallTime?, was: String? = nil, by actor: Actor
    ) async throws {
        try actor.require(.publish, "schedule publications")
        if let time { _ = try await database.releases.instant(of: time) }
        try await compose(
            number, time == nil ? "release.unschedule" : "release.schedule", Self.detail(time), by: actor
        ) { change, release in
            if let was { try await Self.requireTime(was, of: number, wanting: time, change) }
            _ = try await change.releases.schedule(release.id, at: time)
        }
    }

    private static func requireTime(
        _ was: String, of number: Int64, wanting time: WallTime?, _ change: Change
    ) async throws {
        guard let now = try await change.releases.find(number: number), now.wallTime != was else { return }
        // The newest event is the one of this action.
        let author = try await change.auditTrail.about("release", String(number), limit: 2).last?.actor
        throw Failure.stale([
            StaleValue(
                key: "time", label: "when it goes live", base: was, theirs: now.wallTime,
                mine: time?.words ?? "", author: author ?? "Somebody")
        ])
    }

    /// Cancels a release; what it held waits again.
    package func cancel(_ number: Int64, by actor: Actor) async throws {
        try actor.require(.publish, "cancel releases")
        try await compose(number, "release.cancel", [:], by: actor) { change, release in
            _ = try await change.releases.cancel(release.id)
        }
    }

    private func compose<Value: Sendable>(
        _ number: Int64, _ action: String, _ detail: [String: JSONValue], by actor: Actor,
        _ body: @Sendable @escaping (Change, ReleaseRow) async throws -> Value
    ) async throws -> Value {
        try actor.require(.makeRelease, "make releases")
        guard let release = try await database.releases.find(number: number) else { throw Failure.missing("release") }
        return try await database.change(by: actor, AuditEvent(action, on: "release", String(number), detail: detail)) {
            change in
            guard try await change.releases.hold(release.id) else { throw PublishRelease.finished(release) }
            return try await body(change, release)
        }
    }

    private static func detail(_ time: WallTime?) -> [String: JSONValue] {
        time.map { ["local": .string($0.local), "zone": .string($0.zone)] } ?? [:]
    }
}
