// Creates a category, last in its group unless a position is given.
import Domain
import Localization
import Store

package struct CreateCategory: Sendable {
    /// The distance between the positions of the last category of a group and a new one.
    static let step = 10

    let database: Database
    let rules: ContentRules

    /// Refuses a name that exists in the group, ignoring case and spacing. Without a slug, one is generated from the name.
    package func callAsFunction(
        named name: String, in group: ID<Entry>, slug: String? = nil, position: Int? = nil,
        _ timing: PublishTiming = .now, by actor: Actor
    ) async throws -> ChangeOutcome {
        try actor.require(.edit, tr("create categories"))
        let timing = try await EditRevision.check(timing, by: actor, database)
        let others = try await CategoryDirectory.load(database).categories.filter { $0.categoryGroup == group }
        let wanted = NameIndex.key(name)
        if let same = others.first(where: { NameIndex.key($0.title) == wanted }) {
            throw Failure.refused(
                code: "exists", message: tr("This group already has a category named \(same.title)."))
        }
        var fields: [String: JSONValue] = [
            "title": .string(name), "group": .string(group.description),
            "position": .int(Int64(position ?? Self.position(after: others))),
        ]
        if let slug { fields["slug"] = .string(slug) }
        let revision = try await EditRevision(new: fields, rules, note: "Created")
        let event = AuditEvent("category.create", on: "category", detail: ["name": .string(name)])
        return try await database.transaction(by: actor, event) { transaction in
            try await EditRevision.write(
                [revision], timing, note: "New category: \(PlainText.singleLine(name))", transaction)
        }
    }

    /// Creates and publishes those of these categories whose names are valid, for an import.
    package func callAsFunction(
        importing names: [String], in group: ID<Entry>, by actor: Actor
    ) async throws -> (created: [(name: String, id: ID<Entry>)], publication: Int64?) {
        try actor.require(.publish, tr("publish categories"))
        let others = try await CategoryDirectory.load(database).categories.filter { $0.categoryGroup == group }
        var position = Self.position(after: others)
        var created: [(name: String, revision: EditRevision)] = []
        for name in names {
            let words = name.replacing("_", with: " ")
            let fields: [String: JSONValue] = [
                "title": .string(words.prefix(1).uppercased() + words.dropFirst()),
                "group": .string(group.description), "position": .int(Int64(position)),
            ]
            guard let revision = try? await EditRevision(new: fields, rules, note: "Created by an import") else {
                continue
            }
            created.append((name, revision))
            position = min(position + Self.step, ReorderCategories.positionRange.upperBound)
        }
        if created.isEmpty { return ([], nil) }
        let event = AuditEvent("category.create", on: "category", detail: ["categories": .int(Int64(created.count))])
        let outcome = try await database.transaction(by: actor, event) { [created] transaction in
            try await EditRevision.write(created.map(\.revision), .now, note: "Categories of an import", transaction)
        }
        return (zip(created, outcome.entries).map { ($0.name, $1) }, outcome.publication)
    }

    /// After all of them, except the default category, which stays last until somebody moves it.
    static func position(after others: [EntryChoice]) -> Int {
        let last = others.filter { $0.id != SeedEntry.unsorted }.map(\.position).max() ?? 0
        return min(last + step, ReorderCategories.positionRange.upperBound)
    }
}
