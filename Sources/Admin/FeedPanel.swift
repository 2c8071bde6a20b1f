// What readers have of a feed, on its page: its first items in their order, and what they may keep for offline use.
import Domain
import Store

struct FeedPanel: Encodable, Sendable {
    private static let shown = 20

    struct Item: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        /// `pinned`, `rank 3`, or nothing where only its time places it.
        let place: String?
    }

    let items: [Item]
    /// It is ordered by hand; there is a page for that.
    let isByHand: Bool
    /// There are more than are shown.
    let hasMore: Bool
    /// `12 files, 3.4 MB`
    let size: String
    /// The first characters of the manifest's version.
    let version: String

    /// Nil for anything but a feed that readers see.
    static func load(_ entry: EntryRow, _ database: Database) async throws -> FeedPanel? {
        guard entry.kind == .feed, let kept = try await database.offline.sizes(of: [entry.id])[entry.id] else {
            return nil
        }
        let live = try await database.revisions.live(of: entry.id)
        let items = try await database.entries.shown(inFeed: entry.id, limit: shown + 1)
        return FeedPanel(
            items: items.prefix(shown).map {
                Item(id: $0.id, title: EntryPages.shown($0.title), place: place($0.rank))
            },
            isByHand: live?.content.fields["order"] == "ranked",
            hasMore: items.count > shown, size: size(files: kept.files, bytes: kept.bytes),
            version: String(kept.version.prefix(12)))
    }

    private static func place(_ rank: Int) -> String? {
        if rank < HandOrder.ranks.lowerBound { return "pinned" }
        return rank < Int(Int32.max) ? "rank \(rank)" : nil
    }

    static func size(files: Int, bytes: Int) -> String {
        guard files > 0 else { return "nothing" }
        let kilobytes = (bytes + 1023) / 1024
        let weight = kilobytes < 1024 ? "\(kilobytes) KB" : "\(kilobytes / 1024).\(kilobytes % 1024 * 10 / 1024) MB"
        return "\(files) file\(files == 1 ? "" : "s"), \(weight)"
    }
}
