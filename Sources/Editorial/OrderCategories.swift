// Gives categories new places in their group: all in one act and one publication.
import Domain
import Store

package struct OrderCategories: Sendable {
    /// Where a category stood when its place was changed, and where it is to stand.
    package struct Place: Sendable {
        package let category: ID<Entry>
        package let was: Int
        package let position: Int

        package init(category: ID<Entry>, was: Int, position: Int) {
            self.category = category
            self.was = was
            self.position = position
        }
    }

    private let database: Database
    private let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    /// Writes a revision of each category whose place differs, and of no other. When somebody else has moved one of
    /// these meanwhile, nothing is written and it is a conflict.
    package func callAsFunction(_ places: [Place], by actor: Actor) async throws -> CategoryOutcome {
        try actor.require(.suggest, "order categories")
        var revisions: [CategoryRevision] = []
        var stale: [StaleValue] = []
        for place in places where place.position != place.was {
            let newest = try await CategoryRevision.newest(place.category, database)
            let current = Self.position(in: newest.content)
            if current == place.position { continue }
            guard current == place.was else {
                stale.append(
                    StaleValue(
                        key: place.category.description, label: newest.content.fields["title"]?.stringValue ?? "",
                        base: String(place.was), theirs: String(current), mine: String(place.position),
                        author: newest.author))
                continue
            }
            revisions.append(
                try CategoryRevision(on: newest, rules, note: "moved from place \(current) to \(place.position)") {
                    $0["position"] = .int(Int64(place.position))
                })
        }
        if !stale.isEmpty { throw Failure.stale(stale) }
        if revisions.isEmpty {
            throw Failure.refused(code: "unchanged", message: "The order is as it was.")
        }
        let event = AuditEvent(
            "category.order", on: "category", detail: ["categories": .int(Int64(revisions.count))])
        return try await database.change(by: actor, event) { [revisions] change in
            try await CategoryRevision.write(revisions, note: "order of categories", change)
        }
    }

    /// A category without a place stands at 0, as readers see it.
    package static func position(in content: Content) -> Int {
        if case .int(let number) = content.fields["position"] { Int(number) } else { 0 }
    }
}
