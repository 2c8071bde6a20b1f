// Gives categories new places in their group: all in one action and one publication.
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

    /// What a place may be, both ends included.
    package static let places = 0...1_000_000

    private let database: Database
    private let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    /// Writes a revision of each category whose place differs, and of no other. When somebody else has moved one of
    /// these meanwhile, nothing is written and it is a conflict.
    package func callAsFunction(
        _ places: [Place], _ timing: EditTiming = .now, by actor: Actor
    ) async throws -> EditOutcome {
        try actor.require(.suggest, "order categories")
        try await EditRevision.check(timing, by: actor, database)
        var revisions: [EditRevision] = []
        var stale: [StaleValue] = []
        for place in places where place.position != place.was {
            let (newest, _) = try await EditRevision.newest(place.category, database)
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
                try EditRevision(on: newest, rules, note: "moved from place \(current) to \(place.position)") {
                    $0["position"] = .int(Int64(place.position))
                })
        }
        if !stale.isEmpty { throw Failure.stale(stale) }
        if revisions.isEmpty {
            throw Failure.refused(code: "unchanged", message: "The order is as it was.")
        }
        let event = AuditEvent(
            "category.reorder", on: "category", detail: ["categories": .int(Int64(revisions.count))])
        return try await database.change(by: actor, event) { [revisions] change in
            try await EditRevision.write(revisions, timing, note: "order of categories", change)
        }
    }

    /// Moves one category to the place of that number in its group, from 0 on, past the last is last; the others keep their
    /// places where there is room. `was` is the place that the actor saw.
    package func move(
        _ id: ID<Entry>, was: Int, to index: Int, _ timing: EditTiming = .now, by actor: Actor
    ) async throws -> EditOutcome {
        let directory = try await CategoryDirectory.load(database)
        guard let category = directory.find(id), let group = category.categoryGroup else {
            throw Failure.missing("category")
        }
        var order = directory.unmerged(in: group)
        guard let place = order.firstIndex(where: { $0.id == id }) else {
            throw Failure.refused(code: "merged", message: "\(category.title) is merged into another; it has no place.")
        }
        guard category.position == was else {
            let (newest, _) = try await EditRevision.newest(id, database)
            throw Failure.stale([
                StaleValue(
                    key: id.description, label: category.title, base: String(was), theirs: String(category.position),
                    mine: "the \(index + 1). of its group", author: newest.author)
            ])
        }
        let moving = order.remove(at: place)
        order.insert(moving, at: min(max(index, 0), order.count))
        let wanted = Self.positions(for: order.map(\.position))
        let moved = zip(order, wanted).map { category, position in
            Place(category: category.id, was: category.position, position: position)
        }
        return try await self(moved, timing, by: actor)
    }

    /// Rising places for categories in a new order that have these now: as many as possible keep theirs.
    static func positions(for old: [Int]) -> [Int] {
        let known = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($0.offset, Int64($0.element)) })
        let assigned = SparseRanks.assign(Array(old.indices), keeping: known, step: Int64(CreateCategory.step)).map(
            Int.init)
        if assigned.allSatisfy(places.contains) { return assigned }
        return old.indices.map { ($0 + 1) * CreateCategory.step }
    }

    /// A category without a place stands at 0, as readers see it.
    package static func position(in content: Content) -> Int {
        if case .int(let number) = content.fields["position"] { Int(number) } else { 0 }
    }
}
