// Merges a category into another, or undoes that. Members keep their revisions, so unmerging restores them exactly.
import Domain
import Localization
import Store

package struct MergeCategory: Sendable {
    /// The effect of a merge, found by carrying it out in a transaction that is rolled back.
    package struct Preview: Sendable {
        package let members: CategoryMembers
        /// Nil where a rule refuses the merge; `refusal` says why.
        package let plan: PublicationPlan?
        package let refusal: String?
    }

    let database: Database
    let rules: ContentRules

    /// Publishes the members of `id` in `target` and redirects its URL there. `seen` is the digest of the plan that the
    /// actor reviewed: when other rows would be written now, nothing is, and the conflict is `plan_changed`.
    package func callAsFunction(
        _ id: ID<Entry>, into target: ID<Entry>, _ timing: PublishTiming = .now, seen: String? = nil, by actor: Actor
    ) async throws -> ChangeOutcome {
        try actor.require(.suggest, tr("merge categories"))
        let timing = try await EditRevision.check(timing, by: actor, database)
        let (revision, note) = try await merged(id, into: target)
        let event = AuditEvent(
            "category.merge", on: "entry", id.description, detail: ["into": .string(target.description)])
        return try await database.transaction(by: actor, event) { transaction in
            try await EditRevision.write([revision], timing, seen: seen, note: note, transaction)
        }
    }

    /// Undoes a merge: the category has exactly the members that name it.
    package func unmerge(_ id: ID<Entry>, _ timing: PublishTiming = .now, by actor: Actor) async throws
        -> ChangeOutcome
    {
        try actor.require(.suggest, tr("merge categories"))
        let timing = try await EditRevision.check(timing, by: actor, database)
        let (newest, _) = try await EditRevision.newest(id, database)
        let name = newest.content.fields["title"]?.stringValue ?? ""
        guard newest.content.fields["merged_into"] != nil else {
            throw Failure.refused(code: "unchanged", message: tr("\(name) is not merged into another category."))
        }
        let revision = try await EditRevision(on: newest, rules, note: "Merge undone") {
            $0["merged_into"] = nil
        }
        let event = AuditEvent("category.unmerge", on: "entry", id.description)
        return try await database.transaction(by: actor, event) { transaction in
            try await EditRevision.write([revision], timing, note: "Unmerge \(name)", transaction)
        }
    }

    /// Plans a merge and writes nothing. The plan lists at most `limit` rows.
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
                code: "unsorted", message: tr("\(name) is the default category and can't be merged into another."))
        }
        if newest.content.fields["merged_into"]?.stringValue == target.description {
            throw Failure.refused(code: "unchanged", message: tr("\(name) is already merged into \(other.title)."))
        }
        guard directory.mergeTarget(of: target) != id, target != id else {
            throw Failure.refused(
                code: "category_merge_cycle",
                message: target == id
                    ? tr("A category can't be merged into itself.")
                    : tr("\(other.title) is merged into \(name). Unmerge it first."))
        }
        guard other.isLive else {
            throw Failure.refused(
                code: "not_live", message: tr("\(other.title) is not published. Publish it before merging into it."))
        }
        let revision = try await EditRevision(on: newest, rules, note: "Merged into \(other.title)") {
            $0["merged_into"] = .string(target.description)
        }
        return (revision, "Merge \(name) into \(other.title)")
    }

    private struct RolledBack: Error {
        let plan: PublicationPlan
    }

    /// Writes and approves the revision, plans its publication, and rolls all of it back.
    private static func plan(
        _ revision: EditRevision, limit: Int?, _ database: Database, by actor: Actor
    ) async throws -> PublicationPlan {
        let event = AuditEvent("category.plan", on: "category")
        // The system actor may always do this: nothing is kept.
        let system = Actor(kind: .system, name: "system")
        do {
            return try await database.transaction(by: system, event) { transaction in
                let written = try await transaction.write(revision.draft)
                guard try await transaction.approve(written.revision) else {
                    throw Failure.refused(
                        code: "rule", message: tr("This edit needs more approvals before it can be published."))
                }
                let item = LiveChange(entry: written.entry, revision: written.revision)
                throw RolledBack(plan: try await transaction.publications.plan(.listed([item]), limit: limit))
            }
        } catch let rolledBack as RolledBack {
            return rolledBack.plan
        }
    }
}
