// Renames a category or a group and updates its slug; the old slug redirects for good.
import Domain
import Localization
import Store

package struct RenameCategory: Sendable {
    let database: Database
    let rules: ContentRules

    /// `old` is the name that the actor saw; a different current name is a conflict.
    package func callAsFunction(
        _ id: ID<Entry>, from old: String, to name: String, _ timing: PublishTiming = .now, by actor: Actor
    ) async throws -> ChangeOutcome {
        try actor.require(.suggest, tr("rename categories"))
        let timing = try await EditRevision.check(timing, by: actor, database)
        let (newest, kind) = try await EditRevision.newest(id, as: [.category, .categoryGroup], database)
        let current = newest.content.fields["title"]?.stringValue ?? ""
        if current == name {
            throw Failure.refused(code: "unchanged", message: tr("The name is already \(name)."))
        }
        guard current == old else {
            throw Failure.stale([
                StaleValue(
                    key: id.description, label: tr("Name", context: "rename category"), base: old, theirs: current,
                    mine: name,
                    author: newest.author)
            ])
        }
        let revision = try await EditRevision(on: newest, of: kind, rules, note: tr("Renamed from \(current)")) {
            fields in
            fields["title"] = .string(name)
            // Without a slug it gets one that fits its new name.
            fields["slug"] = nil
        }
        let event = AuditEvent(
            "category.update", on: "entry", id.description, detail: ["old": .string(current), "new": .string(name)])
        return try await database.transaction(by: actor, event) { transaction in
            try await EditRevision.write([revision], timing, note: "Rename \(current) to \(name)", transaction)
        }
    }
}
