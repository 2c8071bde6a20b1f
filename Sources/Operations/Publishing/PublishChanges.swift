// Makes approved revisions public when their timing says, and unpublishes entries, in the caller's transaction.
import Domain
import Localization
import Store

/// Where changes became public; all nil when they did not.
package struct Published: Sendable {
    package var publication: Int64?
    /// The number of the release that contains them.
    package var release: Int64?
    /// When that release publishes them.
    package var time: WallTime?
    /// What the clocks do at that time, if they change then.
    package var clockChange: String?
    /// Entries that a rule keeps from being published, if the caller leaves them out.
    package var blocked: [BlockedEntry] = []

    package init() {}
}

extension PublishTiming {
    /// Checks the actor's permission and the time before anything is written.
    package func check(by actor: Actor, _ stores: some Stores) async throws {
        try require(of: actor)
        try await checkTime(stores)
    }

    /// Throws at `/publish` for a time that has passed.
    package func checkTime(_ stores: some Stores) async throws {
        if let time { try await stores.releases.requireFuture(time) }
    }
}

extension AuditedTransaction {
    /// Takes the publication lock if something is published now. Call it before writing a revision of an existing entry.
    package func lock(for timing: PublishTiming) async throws {
        if timing == .now { _ = try await publications.lock() }
    }

    /// Publishes these changes in one publication, adds them to a release, or schedules them in one release named
    /// `title`. `seen` is the digest of the plan that the actor reviewed: when publishing now would write other rows,
    /// nothing is done and the conflict is `plan_changed`. With `leavingOutBlocked`, publishing now leaves out entries
    /// that a rule blocks instead of failing.
    package func publish(
        _ changes: [LiveChange], _ timing: PublishTiming, seen: String? = nil, leavingOutBlocked: Bool = false,
        title: String
    ) async throws -> Published {
        var published = Published()
        if changes.isEmpty { return published }
        switch timing {
        case .draft, .approveOnly: break
        case .now where leavingOutBlocked:
            (published.publication, published.blocked) = try await publications.publishRest(
                changes, note: title, by: actor)
        case .now:
            try await requirePlan(seen, of: .listed(changes))
            published.publication = try await publications.publish(.listed(changes), note: title, by: actor)
        case .at(let time):
            published.release = try await releases.add(title: title, time: time, items: changes, by: actor).number
            published.time = time
            published.clockChange = try await releases.clockChange(at: time)
        case .release(let number):
            guard let release = try await releases.find(number: number) else { throw Failure.missing("release") }
            try await lock(release)
            try await add(changes, to: release.id)
            published.release = number
        }
        return published
    }

    /// Throws the conflict `plan_changed` when publishing would write other rows than the plan that the actor has seen.
    /// Under the publication lock, the plan can't change any more.
    func requirePlan(_ seen: String?, of changes: LiveChanges) async throws {
        guard let seen else { return }
        _ = try await publications.lock()
        if try await publications.plan(changes, limit: 0).digest == seen { return }
        throw Failure.conflict(
            code: "plan_changed",
            message: tr("The plan has changed since you saw it. Nothing was published. Review the new plan."))
    }

    /// Removes entries whose approvals were undone from releases, from the live set and from the changes ready to publish.
    package func unpublish(_ entries: [ID<Entry>], note: String) async throws {
        if entries.isEmpty { return }
        try await reopen(try await releases.removeFromReleases(entries))
        _ = try await publish(entries.map { LiveChange(entry: $0, revision: nil) }, .now, title: note)
        // After the publication: one that unpublishes does not touch changes that are ready to publish.
        try await revisions.removeFromReady(entries)
    }
}
