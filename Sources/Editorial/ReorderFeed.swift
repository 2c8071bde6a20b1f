// Moves items of a manually ordered feed: a moved item's version stores its new rank, all others keep theirs (A7).
import Domain
import Localization
import Publishing
import Store

package struct ReorderFeed: Sendable {
    /// An item to move: the rank that the actor saw, and its new index below the pinned items, from 0.
    package struct Move: Sendable {
        package let item: ID<Entry>
        package let previousRank: Int64?
        package let index: Int

        package init(item: ID<Entry>, previousRank: Int64?, index: Int) {
            self.item = item
            self.previousRank = previousRank
            self.index = index
        }
    }

    /// The most versions that one action may write.
    package static let limit = 500

    private let database: Database
    private let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    /// Writes a version of each item that needs a new rank: of the moved items, and of others only where no free rank
    /// is left between their neighbors. When somebody else has moved one of them meanwhile, nothing is written: a
    /// conflict.
    package func callAsFunction(
        _ moves: [Move], in feed: ID<Entry>, _ timing: PublishTiming = .now, by actor: Actor
    ) async throws -> ChangeOutcome {
        try actor.require(.suggest, tr("order feeds"))
        let timing = try await EditRevision.check(timing, by: actor, database)
        guard let live = try await database.revisions.live(of: feed) else { throw Failure.missing(tr("live feed")) }
        guard live.content.fields["order"] == "ranked" else {
            throw Failure.refused(
                code: "not_by_hand",
                message: tr("This feed is sorted by newest first. Change its order to manual before moving items."))
        }
        let positions = try await database.feedOrders.positions(in: feed).filter { !$0.isPinned }
        let targets = try await Self.check(moves, among: positions, database)
        let ranks = ManualOrder.ranks(moving: targets, in: positions.map { ($0.item, $0.rank) })
        if ranks.isEmpty { throw Failure.refused(code: "unchanged", message: tr("The order hasn't changed.")) }
        guard ranks.count <= Self.limit else {
            let ranked = positions.filter { $0.rank != nil }.count
            throw Failure.refused(
                code: "too_many",
                message: tr(
                    """
                    This move would change the rank of \(ranks.count) items; the limit is \(Self.limit). The first \(ranked) \
                    items have a rank: move it to position \(ranked + 1) or higher, or move other items up first.
                    """))
        }
        var revisions: [EditRevision] = []
        let items = ranks.map(\.element)
        let rankOf = Dictionary(ranks.map { ($0.element, $0.rank) }) { first, _ in first }
        let types = Dictionary(try await database.entries.find(items).map { ($0.id, $0.type) }) { first, _ in first }
        for newest in try await database.revisions.newest(of: items) {
            guard let rank = rankOf[newest.entry], let type = types[newest.entry].flatMap({ rules.types[$0] }) else {
                throw Failure.missing("item")
            }
            revisions.append(
                try await EditRevision(on: newest, as: type, rules, note: "moved to rank \(rank)") {
                    $0["rank"] = .int(rank)
                })
        }
        let title = live.content.fields["title"]?.stringValue ?? ""
        let event = AuditEvent(
            "feed.update", on: "entry", feed.description, detail: ["items": .int(Int64(revisions.count))])
        return try await database.transaction(by: actor, event) { [revisions] transaction in
            try await EditRevision.write(revisions, timing, note: "reorder \(title)", transaction)
        }
    }

    /// The target positions, without items that already have them.
    private static func check(
        _ moves: [Move], among positions: [FeedPosition], _ database: Database
    ) async throws -> [ID<Entry>: Int] {
        let index = Dictionary(positions.enumerated().map { ($0.element.item, $0.offset) }) { first, _ in first }
        var targets: [ID<Entry>: Int] = [:]
        let moved = moves.filter { move in index[move.item].map { positions[$0].rank != move.previousRank } ?? false }
        let others = moved.isEmpty ? [] : try await database.revisions.newest(of: moved.map(\.item))
        let newest = Dictionary(others.map { ($0.entry, $0) }) { first, _ in first }
        var stale: [StaleValue] = []
        for move in moves {
            guard let position = index[move.item] else {
                throw Failure.refused(
                    code: "not_in_feed", message: tr("This item is not in the manually ordered part of the feed."))
            }
            let rank = positions[position].rank
            if rank != move.previousRank {
                func text(_ rank: Int64?) -> String { rank.map(String.init) ?? "" }
                stale.append(
                    StaleValue(
                        key: move.item.description,
                        label: newest[move.item]?.content.fields["title"]?.stringValue ?? "",
                        base: text(move.previousRank), theirs: text(rank),
                        mine: tr("position \(move.index + 1)", context: "move"),
                        author: newest[move.item]?.author ?? ""))
            } else if position != min(max(move.index, 0), positions.count - 1) {
                targets[move.item] = move.index
            }
        }
        if !stale.isEmpty { throw Failure.stale(stale) }
        return targets
    }
}
