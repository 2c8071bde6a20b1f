// The published items of a feed on its page, in their order, and the size of its offline download.
import Domain
import Localization
import Store

struct FeedPanel: Encodable, Sendable {
    private static let shown = 20

    struct Item: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        /// `Pinned` or `Manual order: 3`; nil when its time decides.
        let position: String?
    }

    let items: [Item]
    /// The feed has a manual order, edited on its own page.
    let isManual: Bool
    /// Not all items are shown.
    let hasMore: Bool
    /// `12 files, 3.4 MB`
    let size: String
    /// The first characters of the manifest's version.
    let version: String

    /// Nil for anything but a published feed.
    static func load(_ entry: EntryRow, _ database: Database) async throws -> FeedPanel? {
        guard entry.kind == .feed, let offline = try await database.offline.sizes(of: [entry.id])[entry.id] else {
            return nil
        }
        let live = try await database.revisions.live(of: entry.id)
        let items = try await database.entries.topItems(inFeed: entry.id, limit: shown + 1)
        return FeedPanel(
            items: items.prefix(shown).map {
                Item(id: $0.id, title: EntryTitles.shown($0.title), position: position($0.rank))
            },
            isManual: live?.content.fields["order"] == "ranked",
            hasMore: items.count > shown, size: size(files: offline.files, bytes: offline.bytes),
            version: String(offline.version.prefix(12)))
    }

    private static func position(_ rank: Int) -> String? {
        if rank < 0 { return tr("Pinned", context: "item") }
        return rank < Int(Int32.max) ? tr("Manual order: \(rank)", context: "item") : nil
    }

    static func size(files: Int, bytes: Int) -> String {
        guard files > 0 else { return tr("no files") }
        let kilobytes = (bytes + 1023) / 1024
        let size =
            kilobytes < 1024
            ? tr("\(kilobytes) KB", context: "item")
            : tr("\(kilobytes / 1024).\(kilobytes % 1024 * 10 / 1024) MB", context: "item")
        return tr("\(files, one: "# file", other: "# files"), \(size)", context: "item")
    }
}
