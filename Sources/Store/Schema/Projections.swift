// The projections, in the order in which a publication computes them: read table, key, SQL of view and `affected`.

package enum Projections {
    struct Projection {
        let table: String
        let key: [String]
        let text: [UInt8]
    }

    /// Functions that several projections share.
    static let shared = PackageResources.functions_sql

    static let all: [Projection] = [
        Projection(table: "category_group", key: ["id"], text: PackageResources.category_group_sql),
        Projection(table: "category", key: ["id"], text: PackageResources.category_sql),
        Projection(table: "feed", key: ["id"], text: PackageResources.feed_sql),
        Projection(table: "feed_full", key: ["id"], text: PackageResources.feed_full_sql),
        Projection(table: "item", key: ["id"], text: PackageResources.item_sql),
        Projection(table: "item_full", key: ["id"], text: PackageResources.item_full_sql),
        Projection(table: "video", key: ["id"], text: PackageResources.video_sql),
        Projection(table: "feed_item", key: ["feed_id", "item_id"], text: PackageResources.feed_item_sql),
        Projection(table: "discover", key: ["kind", "id"], text: PackageResources.discover_sql),
        Projection(table: "search", key: ["id"], text: PackageResources.search_sql),
        Projection(table: "tombstone", key: ["id"], text: PackageResources.tombstone_sql),
        Projection(table: "redirect", key: ["kind", "slug"], text: PackageResources.redirect_sql),
    ]

    /// The names of the projected read tables.
    package static var tables: [String] { all.map(\.table) }
}
