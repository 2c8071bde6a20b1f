// Creates, duplicates and splits releases, adds and removes their items, schedules, unschedules and cancels them.
import Domain
import Localization
import Store

package struct ComposeRelease: Sendable {
    let database: Database

    /// Creates a release of these changes, open or scheduled; returns its number.
    package func create(
        title: String, items changes: [LiveChange] = [], at time: WallTime? = nil, by actor: Actor
    ) async throws -> Int64 {
        try actor.require(
            time == nil ? .createRelease : .publish, time == nil ? tr("create releases") : tr("schedule releases"))
        let title = try Self.checked(title: title)
        if let time { try await database.releases.requireFuture(time) }
        let event = AuditEvent(
            time == nil ? "release.create" : "release.schedule", on: "release", detail: Self.detail(time))
        return try await database.transaction(by: actor, event) { transaction in
            try await transaction.releases.add(
                title: title, time: time, items: changes, isComposed: true, by: actor
            ).number
        }
    }

    /// The title of a release as it is stored.
    package static func checked(title: String) throws(Failure) -> String {
        let title = PlainText.singleLine(title)
        guard (1...300).contains(title.count) else {
            throw .invalid(FieldErrors("/title", "length", tr("Enter a title of 1 to 300 characters.")))
        }
        return title
    }

    /// Adds revisions to publish and entries to unpublish, replacing the release's items of the same entries.
    package func add(_ changes: [LiveChange], to number: Int64, by actor: Actor) async throws {
        try await compose(number, "release.add", ["entries": .int(Int64(changes.count))], by: actor) {
            transaction, release in
            try await transaction.add(changes, to: release.id)
        }
    }

    /// Adds every approved revision that is waiting; returns the number of entries.
    package func addWaiting(to number: Int64, by actor: Actor) async throws -> Int {
        try await compose(number, "release.add", ["entries": .string("waiting")], by: actor) { transaction, release in
            let ready = try await transaction.publications.ready()
            if !ready.isEmpty { try await transaction.add(ready, to: release.id) }
            return ready.count
        }
    }

    /// Removes an entry from a release.
    package func remove(_ entry: ID<Entry>, from number: Int64, by actor: Actor) async throws {
        try await compose(number, "release.remove", ["entry": .string(entry.description)], by: actor) {
            transaction, release in
            guard try await transaction.releases.remove(entry, from: release.id) else { throw Failure.missing("entry") }
            try await transaction.reopen([release.id])
        }
    }

    // MARK: Duplicating and splitting

    /// Creates an open release with the items of another one, in whatever state that is; returns the new number.
    package func duplicate(_ number: Int64, title: String, by actor: Actor) async throws -> Int64 {
        try actor.require(.createRelease, tr("create releases"))
        let title = try Self.checked(title: title)
        guard let source = try await database.releases.find(number: number) else { throw Failure.missing("release") }
        // A copy without what somebody can't see would be another release.
        try await database.access.require(actor, .release(number))
        return try await database.transaction(
            by: actor, AuditEvent("release.duplicate", on: "release", String(number))
        ) { transaction in
            let copy = try await transaction.releases.add(title: title, by: actor)
            try await transaction.releases.copyItems(of: source.id, to: copy.id)
            try await transaction.audit(
                AuditEvent(
                    "release.create", on: "release", String(copy.number), detail: ["duplicate_of": .int(number)]))
            return copy.number
        }
    }

    /// Where entries of a release are moved to.
    package enum MoveTarget: Sendable {
        case release(Int64)
        /// A new release with this title.
        case new(title: String)
    }

    /// Moves entries of a release to another open one, or to a new one: all of them or none. Returns its number.
    package func move(
        _ entries: [ID<Entry>], from number: Int64, to target: MoveTarget, by actor: Actor
    ) async throws -> Int64 {
        try actor.require(.createRelease, tr("edit releases"))
        let entries = Array(Set(entries))
        if entries.isEmpty {
            throw Failure.invalid(FieldErrors("/entry", "required", tr("Select at least one entry.")))
        }
        guard let source = try await database.releases.find(number: number) else { throw Failure.missing("release") }
        let (existing, title) = try await find(target, otherThan: number)
        let detail: [String: JSONValue] = ["entries": .int(Int64(entries.count))]
        return try await database.transaction(
            by: actor, AuditEvent("release.move", on: "release", String(number), detail: detail)
        ) { transaction in
            // In one order, so that moves in opposite directions don't block each other.
            for release in [source, existing].compactMap(\.self).sorted(by: { $0.number < $1.number }) {
                try await transaction.lock(release)
            }
            let found = try await transaction.releaseItems.find(entries, in: source.id)
            guard found.count == entries.count else {
                throw Failure.conflict(
                    code: "release_changed",
                    message: tr(
                        "Some of these entries are not in release \(number), or outside your access scope. "
                            + "Nothing was moved."))
            }
            let destination: (id: ID<Release>, number: Int64)
            if let existing {
                try await Self.requireRoom(for: entries, in: existing, transaction)
                destination = (existing.id, existing.number)
            } else {
                destination = try await transaction.releases.add(title: title, by: actor)
            }
            try await transaction.releases.moveItems(entries, from: source.id, to: destination.id)
            try await transaction.reopen([source.id])
            try await transaction.audit(
                AuditEvent(
                    existing == nil ? "release.create" : "release.add", on: "release", String(destination.number),
                    detail: detail.merging(["moved_from": .int(number)]) { $1 }))
            return destination.number
        }
    }

    private func find(
        _ target: MoveTarget, otherThan number: Int64
    ) async throws -> (release: ReleaseRow?, title: String) {
        switch target {
        case .new(let title): return (nil, try Self.checked(title: title))
        case .release(number):
            throw Failure.invalid(FieldErrors("/release", "choice", tr("Choose another release.")))
        case .release(let other):
            guard let release = try await database.releases.find(number: other) else {
                throw Failure.invalid(
                    FieldErrors("/release", "reference", tr("There is no release \(other). Choose an open release.")))
            }
            return (release, "")
        }
    }

    /// Throws unless the locked release is open and contains none of the entries.
    private static func requireRoom(
        for entries: [ID<Entry>], in release: ReleaseRow, _ transaction: AuditedTransaction
    ) async throws {
        if try await transaction.releases.find(number: release.number)?.state == .scheduled {
            throw Failure.conflict(
                code: "release_scheduled",
                message: tr(
                    "Release \(release.number) is scheduled. Choose an open release, or unschedule this one first."))
        }
        guard let shared = try await transaction.releaseItems.find(entries, in: release.id).first else { return }
        let name = shared.title.isEmpty ? shared.entry.description : shared.title
        throw Failure.conflict(
            code: "release_contains",
            message: tr(
                "Release \(release.number) already contains “\(name)”. Remove it from one of the releases first."))
    }

    /// What the person who scheduled a release should know.
    package struct ScheduleNotes: Sendable {
        /// Why publishing it would fail as it is now.
        package var problems: [String] = []
        /// What the clocks do at its time, if they change then, and that it replaces newer versions.
        package var notes: [String] = []
    }

    /// Schedules a release; nil unschedules it. `was` is the time that the actor saw (`ReleaseRow.wallTime`): when it has
    /// changed since, nothing is written and `Failure.stale` shows the current one. `replacesNewer`: the actor confirms
    /// that the release replaces the newer versions that are published now; otherwise that is refused with code
    /// `replaces_newer`. If another newer version is published until its time, the release fails.
    @discardableResult
    package func schedule(
        _ number: Int64, at time: WallTime?, was: String? = nil, replacesNewer: Bool = false, by actor: Actor
    ) async throws -> ScheduleNotes {
        try actor.require(.publish, tr("schedule releases"))
        if let time { try await database.releases.requireFuture(time) }
        try await compose(
            number, time == nil ? "release.unschedule" : "release.schedule", Self.detail(time), by: actor
        ) { transaction, release in
            // Rescheduling a failed release has reopened it, without its time.
            if let was, release.state != .failed {
                try await Self.requireTime(was, of: number, wanting: time, transaction)
            }
            if time != nil, !replacesNewer {
                try await transaction.releaseItems.checks(of: release.id).requireNothingNewer()
            }
            try await transaction.releases.confirm(release.id, replacesNewer: time != nil && replacesNewer)
            _ = try await transaction.releases.schedule(release.id, at: time, by: actor)
        }
        var notes = ScheduleNotes()
        guard let time, let release = try await database.releases.find(number: number) else { return notes }
        let checks = try await database.releaseItems.checks(of: release.id)
        notes.problems = try await problems(of: release, checks)
        if let change = try await database.releases.clockChange(at: time) { notes.notes.append(change) }
        let near = try await Self.near(time, except: number, database)
        if !near.isEmpty { notes.notes.append(Self.sentence(about: near)) }
        if checks.newer > 0 {
            notes.notes.append(
                tr("This release replaces newer versions of \(checks.newer, one: "# entry", other: "# entries")."))
        }
        return notes
    }

    /// Other releases that are planned near a time; a few of them.
    package static func near(
        _ time: WallTime, except number: Int64, _ database: Database
    ) async throws -> [ScheduledRelease] {
        try await database.schedule.near(time, except: number, limit: 5)
    }

    package static func sentence(about near: [ScheduledRelease]) -> String {
        if near.isEmpty { return tr("No other release is planned within 2 h.") }
        // Messages of pages are stored in a cookie.
        let names = near.map { release in
            let title = PlainText.shortened(release.title, to: 80)
            return tr("“\(title)” at \(String(release.local.suffix(5)))", context: "near releases")
        }
        return tr("Within 2 h, also planned: \(names.joined(separator: ", ")).")
    }

    private func problems(of release: ReleaseRow, _ checks: ReleaseChecks) async throws -> [String] {
        if checks.items == 0 { return [tr("Release \(release.number) is empty.")] }
        if checks.unapproved > 0 { return [tr("\(checks.unapproved) of \(checks.items) versions are not approved.")] }
        return try await database.publications.check(.release(release.id), limit: 0).blocked.map(\.cause)
    }

    private static func requireTime(
        _ was: String, of number: Int64, wanting time: WallTime?, _ transaction: AuditedTransaction
    ) async throws {
        guard let now = try await transaction.releases.find(number: number), now.wallTime != was else { return }
        // The newest event is this action's own.
        let author = try await transaction.auditTrail.about("release", String(number), limit: 2).last?.actor
        throw Failure.stale([
            StaleValue(
                key: "time", label: tr("Publish at"), base: was, theirs: now.wallTime,
                mine: time?.label ?? "", author: author ?? tr("Someone", context: "compose release"))
        ])
    }

    /// Cancels a release; its approved revisions wait to be published again.
    package func cancel(_ number: Int64, by actor: Actor) async throws {
        try actor.require(.publish, tr("cancel releases"))
        try await compose(number, "release.cancel", [:], by: actor) { transaction, release in
            _ = try await transaction.releases.cancel(release.id)
        }
    }

    private func compose<Value: Sendable>(
        _ number: Int64, _ action: String, _ detail: [String: JSONValue], by actor: Actor,
        _ body: @Sendable @escaping (AuditedTransaction, ReleaseRow) async throws -> Value
    ) async throws -> Value {
        try actor.require(.createRelease, tr("edit releases"))
        guard let release = try await database.releases.find(number: number) else { throw Failure.missing("release") }
        return try await database.transaction(
            by: actor, AuditEvent(action, on: "release", String(number), detail: detail)
        ) {
            transaction in
            try await transaction.lock(release)
            return try await body(transaction, release)
        }
    }

    private static func detail(_ time: WallTime?) -> [String: JSONValue] {
        time.map { ["local": .string($0.local), "zone": .string($0.zone)] } ?? [:]
    }
}

extension ReleaseChecks {
    /// Throws with code `replaces_newer` if the release would replace newer versions than its own.
    func requireNothingNewer() throws(Failure) {
        if newer == 0 { return }
        throw .refused(
            code: "replaces_newer",
            message: tr(
                "\(newer, one: "A newer version of # entry is", other: "Newer versions of # entries are") published. "
                    + "Confirm that this release replaces \(newer, one: "it", other: "them")."))
    }
}
