// The projections, in the order in which a publication computes them: read tables, key, SQL of view and `affected`.

package enum Projections {
    struct Projection {
        let name: String
        let key: [String]
        let tables: [String]
        let causes: [String]?
        let text: [UInt8]

        /// `tables` names the read tables it fills; the default is one of its own name. `causes` says what in a publication
        /// can affect it, so that any other does not ask: kinds of entries, `fact`, `picture` (of items), or `count:` and the field
        /// whose counts it shows (curation.causes); nothing means that whatever changed may.
        init(
            _ name: String, key: [String] = ["id"], tables: [String]? = nil, causes: [String]? = nil, _ text: [UInt8]
        ) {
            self.name = name
            self.key = key
            self.tables = tables ?? [name]
            self.causes = causes
            self.text = text
        }
    }

    /// Functions that several projections share.
    static let shared = PackageResources.functions_sql

    static let all: [Projection] = [
        Projection("category_group", causes: ["category_group"], PackageResources.category_group_sql),
        Projection(
            "category", causes: ["category", "category_group", "setting", "count:categories"],
            PackageResources.category_sql),
        Projection(
            "feed", tables: ["feed", "feed_full"],
            causes: ["feed", "category", "setting", "picture", "count:feeds", "count:categories"],
            PackageResources.feed_sql),
        Projection(
            "item", tables: ["item", "item_full", "video"], causes: ["item", "category", "feed", "setting"],
            PackageResources.item_sql),
        Projection(
            "feed_item", key: ["feed_id", "item_id"], causes: ["item", "feed", "category"],
            PackageResources.feed_item_sql),
        Projection(
            "discover", key: ["kind", "id"], causes: ["feed", "category", "setting", "count:categories"],
            PackageResources.discover_sql),
        Projection("search", PackageResources.search_sql),
        Projection("tombstone", PackageResources.tombstone_sql),
        Projection("redirect", key: ["kind", "slug"], PackageResources.redirect_sql),
        Projection("city", causes: ["city", "count:city"], PackageResources.city_sql),
        Projection("place", causes: ["place", "category", "city"], PackageResources.place_sql),
        Projection("promotion", causes: ["promotion", "place"], PackageResources.promotion_sql),
        Projection(
            "category_city_count", key: ["city_id", "category_id"], causes: ["place", "other", "category", "city"],
            PackageResources.category_city_count_sql),
        Projection("media", PackageResources.media_sql),
        Projection("onboarding_set", causes: ["onboarding_set"], PackageResources.onboarding_set_sql),
        Projection(
            "onboarding_screen", key: ["set_id", "position"], causes: ["onboarding_set"],
            PackageResources.onboarding_screen_sql),
        Projection("text", key: ["id", "locale"], causes: ["text"], PackageResources.text_sql),
        Projection("setting", causes: ["setting"], PackageResources.setting_sql),
        Projection(
            "route", tables: ["route", "route_path"], causes: ["route", "setting", "fact"], PackageResources.route_sql),
        Projection("badge", causes: ["badge", "text"], PackageResources.badge_sql),
        Projection(
            "route_badge", key: ["route_id", "badge", "valid_from"], causes: ["route", "setting", "fact"],
            PackageResources.route_badge_sql),
        Projection("catalogue_item", causes: ["list", "setting", "fact"], PackageResources.catalogue_item_sql),
        Projection("list", causes: ["list", "fact"], PackageResources.list_sql),
        Projection(
            "list_item", key: ["list_id", "catalogue_item_id"], causes: ["list", "fact"],
            PackageResources.list_item_sql),
        Projection(
            "offline_manifest", key: ["feed_id"],
            causes: ["feed", "category", "picture", "count:feeds", "count:categories"],
            PackageResources.offline_manifest_sql),
        Projection(
            "offline_file", key: ["feed_id", "media_id", "width"], causes: ["feed", "category", "picture"],
            PackageResources.offline_file_sql),
    ]

    /// The names of the projections.
    package static var names: [String] { all.map(\.name) }

    /// The names of the projected read tables.
    package static var tables: [String] { all.flatMap(\.tables) }
}
