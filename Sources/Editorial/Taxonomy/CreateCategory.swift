// Creates a category, last in its group unless a position is given.
import Domain
import Localization
import Publishing
import Store

package struct CreateCategory: Sendable {
    /// The distance between the positions of the last category of a group and a new one.
    static let step = 10

    private let database: Database
    private let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    /// Refuses a name that exists in the group, ignoring case. Without a slug, one is generated from the name.
    package func callAsFunction(
        named name: String, in group: ID<Entry>, slug: String? = nil, position: Int? = nil,
        _ timing: PublishTiming = .now, by actor: Actor
    ) async throws -> ChangeOutcome {
        try actor.require(.edit, tr("create categories"))
        let timing = try await EditRevision.check(timing, by: actor, database)
        let others = try await CategoryDirectory.load(database).categories.filter { $0.categoryGroup == group }
        let wanted = PlainText.singleLine(name).lowercased()
        if let same = others.first(where: { $0.title.lowercased() == wanted }) {
            throw Failure.refused(
                code: "exists", message: tr("This group already has a category named \(same.title)."))
        }
        var fields: [String: JSONValue] = [
            "title": .string(name), "group": .string(group.description),
            "position": .int(Int64(position ?? Self.position(after: others))),
        ]
        if let slug { fields["slug"] = .string(slug) }
        let revision = try await EditRevision(new: fields, rules, note: "created")
        let event = AuditEvent("category.create", on: "category", detail: ["name": .string(name)])
        return try await database.transaction(by: actor, event) { transaction in
            try await EditRevision.write([revision], timing, note: "new category: \(wanted)", transaction)
        }
    }

    /// After all of them, except the default category, which stays last until somebody moves it.
    static func position(after others: [EntryChoice]) -> Int {
        let last = others.filter { $0.id != SeedEntry.unsorted }.map(\.position).max() ?? 0
        return min(last + step, ReorderCategories.positionRange.upperBound)
    }
}
