// Merges a category into another, and parts them again: the members' revisions stay as they are, so parting restores exactly.
import Domain
import Store

package struct MergeCategory: Sendable {
    /// What a merge would do, worked out by doing it and undoing it.
    package struct Preview: Sendable {
        package let members: CategoryMembers
        /// Nil where a rule refuses it; then `refusal` says why.
        package let plan: PublicationPlan?
        package let refusal: String?
    }

    private let database: Database
    private let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    /// Makes readers see the members of `id` in `target`; its address leads there. `seen` is the digest of the plan that the
    /// actor looked at: when other rows would be written by now, nothing is, and the conflict is `plan_moved`.
    package func callAsFunction(
        _ id: ID<Entry>, into target: ID<Entry>, _ timing: EditTiming = .now, seen: String? = nil, by actor: Actor
    ) async throws -> EditOutcome {
        try actor.require(.suggest, "merge categories")
        try await EditRevision.check(timing, by: actor, database)
        let (revision, note) = try await merged(id, into: target)
        let event = AuditEvent(
            "category.merge", on: "entry", id.description, detail: ["into": .string(target.description)])
        return try await database.change(by: actor, event) { change in
            try await EditRevision.write([revision], timing, seen: seen, note: note, change)
        }
    }

    /// Makes a merged category stand for itself again, with exactly the members that name it.
    package func part(_ id: ID<Entry>, _ timing: EditTiming = .now, by actor: Actor) async throws
        -> EditOutcome
    {
        try actor.require(.suggest, "merge categories")
        try await EditRevision.check(timing, by: actor, database)
        let (newest, _) = try await EditRevision.newest(id, database)
        let name = newest.content.fields["title"]?.stringValue ?? ""
        guard newest.content.fields["merged_into"] != nil else {
            throw Failure.refused(code: "unchanged", message: "\(name) is not merged into another category.")
        }
        let revision = try EditRevision(on: newest, rules, note: "stands for itself again") {
            $0["merged_into"] = nil
        }
        let event = AuditEvent("category.unmerge", on: "entry", id.description)
        return try await database.change(by: actor, event) { change in
            try await EditRevision.write([revision], timing, note: "unmerge \(name)", change)
        }
    }

    /// Says what a merge would move, and writes nothing. At most `limit` rows are told.
    package func preview(_ id: ID<Entry>, into target: ID<Entry>, limit: Int?, by actor: Actor) async throws -> Preview
    {
        let (revision, _) = try await merged(id, into: target)
        let members = try await database.categories.members(of: id, other: target)
        do {
            let plan = try await Self.plan(revision, limit: limit, database, by: actor)
            return Preview(members: members, plan: plan, refusal: nil)
        } catch Failure.refused(_, let message) {
            return Preview(members: members, plan: nil, refusal: message)
        }
    }

    private func merged(_ id: ID<Entry>, into target: ID<Entry>) async throws -> (EditRevision, note: String) {
        let (newest, _) = try await EditRevision.newest(id, database)
        let name = newest.content.fields["title"]?.stringValue ?? ""
        let directory = try await CategoryDirectory.load(database)
        guard let other = directory.find(target) else { throw Failure.missing("category") }
        if id == SeedEntry.unsorted {
            throw Failure.refused(
                code: "unsorted", message: "\(name) takes what nobody sorted; it cannot be merged into another.")
        }
        if newest.content.fields["merged_into"]?.stringValue == target.description {
            throw Failure.refused(code: "unchanged", message: "\(name) is merged into \(other.title) already.")
        }
        guard directory.end(of: target) != id, target != id else {
            throw Failure.refused(
                code: "merged_circle",
                message: target == id
                    ? "A category cannot be merged into itself."
                    : "\(other.title) is merged into \(name): unmerge it first.")
        }
        guard other.isLive else {
            throw Failure.refused(
                code: "not_live", message: "\(other.title) is not live, so nothing can be merged into it yet.")
        }
        let revision = try EditRevision(on: newest, rules, note: "merged into \(other.title)") {
            $0["merged_into"] = .string(target.description)
        }
        return (revision, "merge \(name) into \(other.title)")
    }

    private struct Undone: Error {
        let plan: PublicationPlan
    }

    /// Writes and approves the revision, plans its publication, and takes all of it back.
    private static func plan(
        _ revision: EditRevision, limit: Int?, _ database: Database, by actor: Actor
    ) async throws -> PublicationPlan {
        let event = AuditEvent("category.plan", on: "category")
        // Whoever asks: nothing of this is kept.
        let system = Actor(kind: .system, name: "system")
        do {
            return try await database.change(by: system, event) { change in
                let written = try await change.write(revision.draft)
                guard try await change.approve(written.revision, of: written.entry) else {
                    throw Failure.refused(code: "rule", message: "More people have to agree before this is approved.")
                }
                let item = LiveChange(entry: written.entry, revision: written.revision)
                throw Undone(plan: try await change.publications.plan(.these([item]), limit: limit))
            }
        } catch let undone as Undone {
            return undone.plan
        }
    }
}
