// Moves a category to the end of the other group.
import Domain
import Localization
import Store

package struct MoveCategory: Sendable {
    let database: Database
    let rules: ContentRules

    /// `old` is the group that the actor saw; a different current group is a conflict.
    package func callAsFunction(
        _ id: ID<Entry>, from old: ID<Entry>, to group: ID<Entry>, _ timing: PublishTiming = .now, by actor: Actor
    ) async throws -> ChangeOutcome {
        try actor.require(.suggest, tr("move categories"))
        let timing = try await EditRevision.check(timing, by: actor, database)
        let groups = try await database.entries.choices(.categoryGroup)
        func title(_ id: ID<Entry>) -> String { groups.first { $0.id == id }?.title ?? id.description }
        guard groups.contains(where: { $0.id == group }) else {
            throw Failure.refused(
                code: "two_groups", message: tr("Categories belong to one of two groups. Choose one of them."))
        }
        let (newest, _) = try await EditRevision.newest(id, database)
        let name = newest.content.fields["title"]?.stringValue ?? ""
        let current = newest.content.fields["group"]?.stringValue.flatMap { ID<Entry>($0) }
        if current == group {
            throw Failure.refused(code: "unchanged", message: tr("\(name) is already in \(title(group))."))
        }
        guard current == old else {
            throw Failure.stale([
                StaleValue(
                    key: id.description, label: tr("Group of \(name)"), base: title(old),
                    theirs: current.map(title) ?? "", mine: title(group), author: newest.author)
            ])
        }
        let others = try await CategoryDirectory.load(database).categories.filter { $0.categoryGroup == group }
        let position = CreateCategory.position(after: others)
        let revision = try await EditRevision(on: newest, rules, note: "Moved to \(title(group))") { fields in
            fields["group"] = .string(group.description)
            fields["position"] = .int(Int64(position))
        }
        let event = AuditEvent(
            "category.move", on: "entry", id.description, detail: ["group": .string(group.description)])
        let note = "Move \(name) to \(title(group))"
        return try await database.transaction(by: actor, event) { transaction in
            try await EditRevision.write([revision], timing, note: note, transaction)
        }
    }
}
