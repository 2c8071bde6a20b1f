// The projections in the order of computation: read tables, key, and the SQL of the view.

package enum Projections {
    struct Projection {
        let name: String
        let key: [String]
        let tables: [String]
        let text: [UInt8]

        /// `tables` are the read tables that it fills; by default one with its own name.
        init(_ name: String, key: [String] = ["id"], tables: [String]? = nil, _ text: [UInt8]) {
            self.name = name
            self.key = key
            self.tables = tables ?? [name]
            self.text = text
        }
    }

    /// Functions that several projections share.
    static let shared = PackageResources.functions_sql

    /// What the rows of each projection depend on.
    static let dependencies = PackageResources.dependencies_sql

    static let all: [Projection] = [
        Projection("category_group", PackageResources.category_group_sql),
        Projection("category", PackageResources.category_sql),
        Projection("feed", tables: ["feed", "feed_full"], PackageResources.feed_sql),
        Projection("item", tables: ["item", "item_full", "video"], PackageResources.item_sql),
        Projection("feed_item", key: ["feed_id", "item_id"], PackageResources.feed_item_sql),
        Projection("discover", key: ["kind", "id"], PackageResources.discover_sql),
        Projection("search", tables: ["search", "search_full"], PackageResources.search_sql),
        Projection("tombstone", PackageResources.tombstone_sql),
        Projection("redirect", key: ["kind", "slug"], PackageResources.redirect_sql),
        Projection("city", PackageResources.city_sql),
        Projection("place", PackageResources.place_sql),
        Projection("place_review", tables: ["review"], PackageResources.place_review_sql),
        Projection("promotion", PackageResources.promotion_sql),
        Projection("category_city_count", key: ["city_id", "category_id"], PackageResources.category_city_count_sql),
        Projection("category_member", key: ["category_id", "member_id"], PackageResources.category_member_sql),
        Projection("media", PackageResources.media_sql),
        Projection("onboarding_set", PackageResources.onboarding_set_sql),
        Projection("onboarding_screen", key: ["set_id", "position"], PackageResources.onboarding_screen_sql),
        Projection("text", key: ["id", "locale"], PackageResources.text_sql),
        Projection("setting", PackageResources.setting_sql),
        Projection("route", tables: ["route", "route_path"], PackageResources.route_sql),
        Projection("badge", PackageResources.badge_sql),
        Projection("route_badge", key: ["route_id", "badge", "valid_from"], PackageResources.route_badge_sql),
        Projection("catalog_item", PackageResources.catalog_item_sql),
        Projection("list", PackageResources.list_sql),
        Projection("list_item", key: ["list_id", "catalog_item_id"], PackageResources.list_item_sql),
        Projection("offline_manifest", key: ["feed_id"], PackageResources.offline_manifest_sql),
        Projection("offline_file", key: ["feed_id", "media_id", "width"], PackageResources.offline_file_sql),
    ]

    /// The names of the projections.
    package static var names: [String] { all.map(\.name) }

    /// The names of the projected read tables.
    package static var tables: [String] { all.flatMap(\.tables) }
}
