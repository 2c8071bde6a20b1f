// The feeds: how each is sorted and offered, and how many live members it has.
import Domain
import HTTP
import Store

enum FeedPages {
    static let routes =
        [
            AdminEndpoint(method: "GET", pattern: "/feeds", access: .may(.readQueue), handler: list)
        ] + FeedOrderPages.routes

    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let slug: String
        let tier: String
        let order: String
        let isByHand: Bool
        let featured: Int64?
        let publishesOnApproval: Bool
        let isLive: Bool
        let members: Int
        /// The category that fills it; nil where items name the feed themselves.
        let takes: String?
        /// Nil where it is not live.
        let offline: String?
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        let type: String
        let mayMake: Bool
    }

    private static func list(_ request: AdminRequest) async throws -> Response {
        let feeds = try await request.database.entries.choices(.feed)
        let counts = try await request.database.entries.feedSizes(feeds.map(\.id))
        let kept = try await request.database.offline.sizes(of: feeds.map(\.id))
        let categories = try await request.database.entries.choices(.category)
        let type = request.context.rules.types.all.first { $0.kind == .feed }
        let lines = feeds.map { feed in
            Line(
                id: feed.id, title: EntryPages.shown(feed.title), slug: feed.slug, tier: label("tier", of: feed, type),
                order: label("order", of: feed, type), isByHand: feed.content["order"] == "ranked",
                featured: featured(feed),
                // As approval takes it: only a feed that says no waits for a publication.
                publishesOnApproval: feed.content["publish_on_approval"] != .bool(false), isLive: feed.isLive,
                members: counts[feed.id] ?? 0, takes: title(of: feed.content["takes"], in: categories),
                offline: kept[feed.id].map { FeedPanel.size(files: $0.files, bytes: $0.bytes) })
        }
        let model = List(
            lines: lines, type: type?.name ?? "feed",
            mayMake: type.map { request.actor.may(.edit, on: $0.name) } ?? false)
        return try request.page("admin/feeds/list", model, title: "Feeds")
    }

    /// The words of a choice, as the content type gives them.
    private static func label(_ field: String, of feed: EntryChoice, _ type: ContentType?) -> String {
        let value = feed.content[field]?.stringValue ?? ""
        return type?.field(field)?.choices.first { $0.value == value }?.label ?? value
    }

    private static func title(of id: JSONValue?, in categories: [EntryChoice]) -> String? {
        guard let id = id?.stringValue else { return nil }
        return categories.first { $0.id.description == id }.map { EntryPages.shown($0.title) } ?? id
    }

    private static func featured(_ feed: EntryChoice) -> Int64? {
        if case .int(let place) = feed.content["featured"] { place } else { nil }
    }
}
