// Makes a category, last in its group unless another place is said.
import Domain
import Store

package struct CreateCategory: Sendable {
    /// Between the last category of a group and a new one.
    static let step = 10

    private let database: Database
    private let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    /// A name that the group has already is refused; case does not count. Without a slug its address is made from the name.
    package func callAsFunction(
        named name: String, in group: ID<Entry>, slug: String? = nil, position: Int? = nil,
        _ timing: EditTiming = .now, by actor: Actor
    ) async throws -> EditOutcome {
        try actor.require(.edit, "add categories")
        try await EditRevision.check(timing, by: actor, database)
        let others = try await CategoryDirectory.load(database).categories.filter { $0.categoryGroup == group }
        let wanted = PlainText.singleLine(name).lowercased()
        if let same = others.first(where: { $0.title.lowercased() == wanted }) {
            throw Failure.refused(
                code: "exists", message: "There is a category \(same.title) in this group already.")
        }
        var fields: [String: JSONValue] = [
            "title": .string(name), "group": .string(group.description),
            "position": .int(Int64(position ?? Self.place(after: others))),
        ]
        if let slug { fields["slug"] = .string(slug) }
        let revision = try EditRevision(new: fields, rules, note: "added")
        let event = AuditEvent("category.create", on: "category", detail: ["name": .string(name)])
        return try await database.change(by: actor, event) { change in
            try await EditRevision.write([revision], timing, note: "new category: \(wanted)", change)
        }
    }

    /// Behind all of them, but for what nobody sorted, which stands last until somebody moves it.
    static func place(after others: [EntryChoice]) -> Int {
        let last = others.filter { $0.id != SeedEntry.unsorted }.map(\.position).max() ?? 0
        return min(last + step, OrderCategories.places.upperBound)
    }
}
