// Lists the feeds with their access, order and number of published items.
import Domain
import HTTP
import Localization
import Store

enum FeedPages {
    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let thumbnail: ThumbnailView?
        let slug: String
        let tier: String
        let order: String
        let isManual: Bool
        let featured: Int64?
        let publishesOnApproval: Bool
        let isLive: Bool
        let members: Int
        /// The category that fills the feed; nil when items name the feed themselves.
        let sourceCategory: String?
        /// Nil when it is not published.
        let offline: String?
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        let type: String
        let mayCreate: Bool
    }

    static func list(_ request: AdminRequest) async throws -> Response {
        let feeds = try await request.database.entries.choices(.feed)
        let counts = try await request.database.entries.feedSizes(feeds.map(\.id))
        let sizes = try await request.database.offline.sizes(of: feeds.map(\.id))
        let images = try await request.thumbnails(of: feeds.map(\.id))
        let categories = try await request.database.entries.choices(.category)
        let type = request.context.rules.types.all.first { $0.kind == .feed }
        let lines = feeds.map { feed in
            Line(
                id: feed.id, title: EntryPages.shown(feed.title), thumbnail: images[feed.id], slug: feed.slug,
                tier: label("tier", of: feed, type), order: label("order", of: feed, type),
                isManual: feed.content["order"] == "ranked", featured: featured(feed),
                // As in the approval: only an explicit false disables it.
                publishesOnApproval: feed.content["publish_on_approval"] != .bool(false), isLive: feed.isLive,
                members: counts[feed.id] ?? 0,
                sourceCategory: title(of: feed.content["source_category"], in: categories),
                offline: sizes[feed.id].map { FeedPanel.size(files: $0.files, bytes: $0.bytes) })
        }
        let model = List(
            lines: lines, type: type?.name ?? "feed",
            mayCreate: type.map { request.actor.may(.edit, on: $0.name) } ?? false)
        return try request.page("admin/feeds/list", model, title: tr("Feeds", context: "list"))
    }

    /// The label of a choice, from the content type.
    private static func label(_ field: String, of feed: EntryChoice, _ type: ContentType?) -> String {
        let value = feed.content[field]?.stringValue ?? ""
        return type?.field(field)?.choices.first { $0.value == value }?.label ?? value
    }

    private static func title(of id: JSONValue?, in categories: [EntryChoice]) -> String? {
        guard let id = id?.stringValue else { return nil }
        return categories.first { $0.id.description == id }.map { EntryPages.shown($0.title) } ?? id
    }

    private static func featured(_ feed: EntryChoice) -> Int64? {
        if case .int(let position) = feed.content["featured"] { position } else { nil }
    }
}
