// Reorders the categories of a group in one action and one publication.
import Domain
import Localization
import Store

package struct ReorderCategories: Sendable {
    /// The position of a category that the actor saw, and its new one.
    package struct Move: Sendable {
        package let category: ID<Entry>
        package let previous: Int
        package let position: Int

        package init(category: ID<Entry>, previous: Int, position: Int) {
            self.category = category
            self.previous = previous
            self.position = position
        }
    }

    /// The allowed positions.
    package static let positionRange = 0...1_000_000

    let database: Database
    let rules: ContentRules

    /// Writes a revision of each category whose position changes. When somebody else has moved one of them meanwhile,
    /// nothing is written: a conflict.
    package func callAsFunction(
        _ moves: [Move], _ timing: PublishTiming = .now, by actor: Actor
    ) async throws -> ChangeOutcome {
        try actor.require(.suggest, tr("order categories"))
        let timing = try await EditRevision.check(timing, by: actor, database)
        var revisions: [EditRevision] = []
        var stale: [StaleValue] = []
        for move in moves where move.position != move.previous {
            let (newest, _) = try await EditRevision.newest(move.category, database)
            let current = Self.position(in: newest.content)
            if current == move.position { continue }
            guard current == move.previous else {
                stale.append(
                    StaleValue(
                        key: move.category.description, label: newest.content.fields["title"]?.stringValue ?? "",
                        base: String(move.previous), theirs: String(current), mine: String(move.position),
                        author: newest.author))
                continue
            }
            revisions.append(
                try await EditRevision(on: newest, rules, note: "Moved from position \(current) to \(move.position)") {
                    $0["position"] = .int(Int64(move.position))
                })
        }
        if !stale.isEmpty { throw Failure.stale(stale) }
        if revisions.isEmpty {
            throw Failure.refused(code: "unchanged", message: tr("The order hasn't changed."))
        }
        let event = AuditEvent(
            "category.reorder", on: "category", detail: ["categories": .int(Int64(revisions.count))])
        return try await database.transaction(by: actor, event) { [revisions] transaction in
            try await EditRevision.write(revisions, timing, note: "Reorder categories", transaction)
        }
    }

    /// Moves one category to an index in its group, from 0; an index past the end means last. The others keep their
    /// positions where a free one is left. `previous` is the position that the actor saw.
    package func move(
        _ id: ID<Entry>, previous: Int, to index: Int, _ timing: PublishTiming = .now, by actor: Actor
    ) async throws -> ChangeOutcome {
        let directory = try await CategoryDirectory.load(database)
        guard let category = directory.find(id), let group = category.categoryGroup else {
            throw Failure.missing("category")
        }
        var order = directory.unmerged(in: group)
        guard let old = order.firstIndex(where: { $0.id == id }) else {
            throw Failure.refused(
                code: "merged",
                message: tr("\(category.title) is merged into another category. Unmerge it before moving it."))
        }
        guard category.position == previous else {
            let (newest, _) = try await EditRevision.newest(id, database)
            throw Failure.stale([
                StaleValue(
                    key: id.description, label: category.title, base: String(previous),
                    theirs: String(category.position),
                    mine: "number \(index + 1) in its group", author: newest.author)
            ])
        }
        let moving = order.remove(at: old)
        order.insert(moving, at: min(max(index, 0), order.count))
        let wanted = Self.positions(for: order.map(\.position))
        let moves = zip(order, wanted).map { category, position in
            Move(category: category.id, previous: category.position, position: position)
        }
        return try await self(moves, timing, by: actor)
    }

    /// Rising positions for categories in a new order that have these positions now: as many as possible keep theirs.
    static func positions(for old: [Int]) -> [Int] {
        let known = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($0.offset, Int64($0.element)) })
        let assigned = SparseRanks.assign(Array(old.indices), keeping: known, step: Int64(CreateCategory.step)).map(
            Int.init)
        if assigned.allSatisfy(positionRange.contains) { return assigned }
        return old.indices.map { ($0 + 1) * CreateCategory.step }
    }

    /// A category without a position is at 0, as in the read tables.
    package static func position(in content: Content) -> Int {
        if case .int(let number) = content.fields["position"] { Int(number) } else { 0 }
    }
}
