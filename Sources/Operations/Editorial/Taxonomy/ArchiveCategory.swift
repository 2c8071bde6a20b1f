// Archives a category: it is no longer published. Refused while a published entry has no other category.
import Domain
import Localization
import Store

package struct ArchiveCategory: Sendable {
    let database: Database

    package func callAsFunction(
        _ id: ID<Entry>, _ timing: PublishTiming = .now, seen: String? = nil, by actor: Actor
    ) async throws -> ChangeOutcome {
        if timing == .draft || timing == .approveOnly {
            throw Failure.refused(
                code: "no_draft", message: tr("Archiving has no draft. Choose a release, a time or now."))
        }
        try await timing.check(by: actor, database)
        let entry = try await find(id)
        let event = AuditEvent("category.archive", on: "entry", id.description)
        return try await database.transaction(by: actor, event) { transaction in
            let published = try await transaction.publish(
                [LiveChange(entry: id, revision: nil)], timing, seen: seen, title: "Archive \(entry.title)")
            return ChangeOutcome(entry: id, revision: entry.newest, isApproved: true, published)
        }
    }

    /// Plans the archiving; the plan is nil where a rule refuses it, and `refusal` says why.
    package func preview(_ id: ID<Entry>, limit: Int?) async throws -> MergeCategory.Preview {
        let members = try await database.categories.members(of: id)
        do {
            _ = try await find(id)
            let plan = try await database.publications.plan(
                .listed([LiveChange(entry: id, revision: nil)]), limit: limit)
            return MergeCategory.Preview(members: members, plan: plan, refusal: nil)
        } catch Failure.refused(_, let message) {
            return MergeCategory.Preview(members: members, plan: nil, refusal: message)
        }
    }

    /// A published category, except the default one.
    private func find(_ id: ID<Entry>) async throws -> EntryRow {
        guard let entry = try await database.entries.find(id), entry.kind == .category else {
            throw Failure.missing("category")
        }
        if id == SeedEntry.unsorted {
            throw Failure.refused(
                code: "unsorted", message: tr("\(entry.title) is the default category and can't be archived."))
        }
        if entry.live == nil {
            throw Failure.conflict(code: "not_live", message: tr("\(entry.title) is not published."))
        }
        return entry
    }
}
