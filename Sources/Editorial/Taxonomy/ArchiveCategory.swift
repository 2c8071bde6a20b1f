// Takes a category out of what readers see. Refused by the read tables while something has no other category.
import Domain
import Store

package struct ArchiveCategory: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    package func callAsFunction(
        _ id: ID<Entry>, _ timing: EditTiming = .now, seen: String? = nil, by actor: Actor
    ) async throws -> EditOutcome {
        if timing == .draft {
            throw Failure.refused(
                code: "no_draft", message: "Retiring has no draft. Put it into a release, or say when it is to be.")
        }
        if case .release = timing {
            try actor.require(.makeRelease, "put changes into releases")
        } else {
            try actor.require(.publish, "withdraw categories")
        }
        try await EditRevision.check(timing, by: actor, database)
        guard let entry = try await database.entries.find(id), entry.kind == .category else {
            throw Failure.missing("category")
        }
        if id == SeedEntry.unsorted {
            throw Failure.refused(
                code: "unsorted", message: "\(entry.title) takes what nobody sorted; it cannot be retired.")
        }
        guard entry.live != nil else {
            throw Failure.conflict(
                code: "not_live", message: "\(entry.title) is not live, so there is nothing to retire.")
        }
        let event = AuditEvent("category.archive", on: "entry", id.description)
        return try await database.change(by: actor, event) { change in
            try await EditRevision.publishTiming(
                [LiveChange(entry: id, revision: nil)], timing, seen: seen, note: "retire \(entry.title)",
                change)
        }
    }

    /// What retiring it would do; the plan is nil where the read tables refuse it, and `refusal` says why.
    package func preview(_ id: ID<Entry>, limit: Int?) async throws -> MergeCategory.Preview {
        let members = try await database.categories.members(of: id)
        do {
            let plan = try await database.publications.plan(
                .these([LiveChange(entry: id, revision: nil)]), limit: limit)
            return MergeCategory.Preview(members: members, plan: plan, refusal: nil)
        } catch Failure.refused(_, let message) {
            return MergeCategory.Preview(members: members, plan: nil, refusal: message)
        }
    }
}
