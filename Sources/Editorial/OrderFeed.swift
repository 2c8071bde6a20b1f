// Moves items of a feed that is ordered by hand: the rank stands in each moved item's version, all others keep theirs (A7).
import Domain
import Store

package struct OrderFeed: Sendable {
    /// An item that moves: the rank that the actor saw, and the place it is to have below the pins, from 0 on.
    package struct Move: Sendable {
        package let item: ID<Entry>
        package let was: Int64?
        package let index: Int

        package init(item: ID<Entry>, was: Int64?, index: Int) {
            self.item = item
            self.was = was
            self.index = index
        }
    }

    /// How many versions one action may write.
    package static let limit = 500

    private let database: Database
    private let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    /// Writes a version of each item that needs another rank: of those that move, and of others only where there is no room.
    /// When somebody else has moved one of them meanwhile, nothing is written and it is a conflict.
    package func callAsFunction(
        _ moves: [Move], in feed: ID<Entry>, _ timing: EditTiming = .now, by actor: Actor
    ) async throws -> EditOutcome {
        try actor.require(.suggest, "order feeds")
        try await EditRevision.check(timing, by: actor, database)
        guard let live = try await database.revisions.live(of: feed) else { throw Failure.missing("live feed") }
        guard live.content.fields["order"] == "ranked" else {
            throw Failure.refused(
                code: "not_by_hand", message: "This feed is ordered newest first. Choose the order by hand first.")
        }
        let places = try await database.feedOrders.places(in: feed).filter { !$0.isPinned }
        let wanted = try await Self.check(moves, among: places, database)
        let ranks = HandOrder.ranks(moving: wanted, in: places.map { ($0.item, $0.rank) })
        if ranks.isEmpty { throw Failure.refused(code: "unchanged", message: "The order is as it was.") }
        guard ranks.count <= Self.limit else {
            let ranked = places.filter { $0.rank != nil }.count
            throw Failure.refused(
                code: "too_many",
                message: """
                    \(ranks.count) items would get another rank for that; \(Self.limit) can at once. The first \(ranked) have \
                    a rank: move it to place \(ranked + 1) or further up, or move other items up first.
                    """)
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
                try EditRevision(on: newest, as: type, rules, note: "moved to rank \(rank)") {
                    $0["rank"] = .int(rank)
                })
        }
        let title = live.content.fields["title"]?.stringValue ?? ""
        let event = AuditEvent(
            "feed.update", on: "entry", feed.description, detail: ["items": .int(Int64(revisions.count))])
        return try await database.change(by: actor, event) { [revisions] change in
            try await EditRevision.write(revisions, timing, note: "order of \(title)", change)
        }
    }

    /// The places to take, without those that stand there already.
    private static func check(
        _ moves: [Move], among places: [FeedPosition], _ database: Database
    ) async throws -> [ID<Entry>: Int] {
        let index = Dictionary(places.enumerated().map { ($0.element.item, $0.offset) }) { first, _ in first }
        var wanted: [ID<Entry>: Int] = [:]
        let moved = moves.filter { move in index[move.item].map { places[$0].rank != move.was } ?? false }
        let others = moved.isEmpty ? [] : try await database.revisions.newest(of: moved.map(\.item))
        let newest = Dictionary(others.map { ($0.entry, $0) }) { first, _ in first }
        var stale: [StaleValue] = []
        for move in moves {
            guard let place = index[move.item] else {
                throw Failure.refused(
                    code: "not_in_feed", message: "It is not among the items of this feed that are ordered by hand.")
            }
            let rank = places[place].rank
            if rank != move.was {
                func text(_ rank: Int64?) -> String { rank.map(String.init) ?? "" }
                stale.append(
                    StaleValue(
                        key: move.item.description,
                        label: newest[move.item]?.content.fields["title"]?.stringValue ?? "",
                        base: text(move.was), theirs: text(rank), mine: "place \(move.index + 1)",
                        author: newest[move.item]?.author ?? ""))
            } else if place != min(max(move.index, 0), places.count - 1) {
                wanted[move.item] = move.index
            }
        }
        if !stale.isEmpty { throw Failure.stale(stale) }
        return wanted
    }
}
