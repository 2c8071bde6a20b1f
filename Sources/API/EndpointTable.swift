// Every endpoint of the API: method, path, access, summary, query and handler.
import Store

extension APISite {
    /// Those of the core and the enabled packs.
    static func endpoints(_ packs: PackSet) -> [APIEndpoint] {
        core + packs.parts(PackEndpoints.self).flatMap(\.endpoints) + [resolve(packs.kindsWithSlug)]
    }

    private static func resolve(_ kinds: [String]) -> APIEndpoint {
        .read(
            "/v1/resolve", .read, .preview, "Resolve an id or slug", query: [.id, .kind(kinds), .slug],
            ResolveEndpoints.find)
    }

    private static let core: [APIEndpoint] = [
        // Intake and review
        .post("/v1/submissions", .submit, "Create a submission", SubmissionEndpoints.receive),
        .get("/v1/submissions/{id}", .client([.submit, .review]), "Show a submission", SubmissionEndpoints.find),
        .post("/v1/submissions/{id}/decision", .review, "Decide a submission", DecisionEndpoints.decide),
        .get(
            "/v1/queue", .review, "List submissions awaiting review",
            query: [.cursor, .type, .requestedCategory, .q, .priority, .queueOrder], QueueEndpoints.list),

        .post("/v1/reports", .report, "Report a published entry", ReportEndpoints.receive),
        .get("/v1/reports/{id}", .report, "Show a report and its outcome", ReportEndpoints.find),

        .post("/v1/media", .submit, "Upload an image", MediaEndpoints.receive),

        // Delivery
        .read(
            "/v1/discover", .read, .preview, "List what Discover features", query: [.cursor],
            keeping: .untilChange(["discover"]), DiscoverEndpoints.list),
        .read(
            "/v1/feeds", .read, .preview, "List feeds by rank",
            query: [.cursor, .tier, .category, .hasVideo, .offline, .ids, .locale],
            keeping: .untilChange(["feed", "category", "redirect"]), FeedEndpoints.list),
        .read(
            "/v1/feeds/{id_or_slug}", .read, .either, "Show a feed", query: [.locale],
            keeping: .untilChangeOfRow(["feed", "feed_full"]), FeedEndpoints.find),
        .read(
            "/v1/feeds/{id_or_slug}/items", .read, .preview, "List the items of a feed in its order",
            query: [.cursor, .type, .locale], keeping: .untilChange(["feed", "feed_item", "item"]),
            FeedEndpoints.items),
        .read(
            "/v1/feeds/{id_or_slug}/videos", .readFull, .full, "List the videos of a feed with their streams",
            query: [.cursor], FeedEndpoints.videos),
        .read(
            "/v1/feeds/{id_or_slug}/offline", .readFull, .full,
            "Show the offline manifest of a feed, with a checksum per file",
            query: [.cursor], FeedEndpoints.offline),
        .read(
            "/v1/items", .read, .preview, "List items, newest first, or in another order",
            query: [.cursor, .tier, .category, .hasVideo, .type, .itemLocale, .itemOrder, .ids],
            keeping: .untilChange(["item", "category", "category_member", "redirect"]), ItemEndpoints.list),
        .read(
            "/v1/items/{id_or_slug}", .read, .either, "Show an item", query: [.locale],
            keeping: .untilChangeOfRow(["item", "item_full"]), ItemEndpoints.find),
        .read("/v1/videos/{id_or_slug}", .readFull, .full, "Show a video with its stream", VideoEndpoints.find),
        .read(
            "/v1/categories", .read, .preview, "List category groups with their categories", query: [.locale],
            keeping: .untilChange(["category", "category_group"]), CategoryEndpoints.list),
        .read(
            "/v1/categories/{id_or_slug}", .read, .preview, "Show a category", query: [.locale],
            keeping: .untilChangeOfRow(["category"]), CategoryEndpoints.find),
        .read(
            "/v1/categories/{id_or_slug}/feeds", .read, .preview, "List the feeds of a category by rank",
            query: [.cursor, .tier, .category, .hasVideo, .offline, .locale],
            keeping: .untilChange(["feed", "category", "redirect"]), FeedEndpoints.ofCategory),
        .read(
            "/v1/categories/{id_or_slug}/items", .read, .preview, "List the items of a category, newest first",
            query: [.cursor, .tier, .category, .hasVideo, .type, .itemLocale, .itemOrder],
            keeping: .untilChange(["item", "category", "category_member", "redirect"]), ItemEndpoints.ofCategory),
        .read(
            "/v1/search", .read, .either, "Search published content",
            query: [.cursor, .q, .type], moments: .ofPacks, SearchEndpoints.list),
        .read(
            "/v1/media", .readFull, .full, "List published images", query: [.cursor, .path],
            keeping: .untilChange(["media"]), MediaEndpoints.list),
        .read("/v1/media/{id}", .readFull, .full, "Show an image with its files", MediaEndpoints.find),
        .read(
            "/v1/texts", .read, .preview, "List texts by key", query: [.cursor, .keyPrefix, .locale],
            keeping: .untilChange(["text", "setting"]), TextEndpoints.list),
        .read(
            "/v1/texts/{key}", .read, .preview, "Show a text", query: [.locale],
            keeping: .untilChange(["text", "setting"]), TextEndpoints.find),
        .read(
            "/v1/settings", .read, .preview, "List settings by key", query: [.keyPrefix],
            keeping: .untilChange(["setting"]), TextEndpoints.settings),
        .read(
            "/v1/settings/{key}", .read, .preview, "Show a setting", keeping: .untilChange(["setting"]),
            TextEndpoints.setting),
        .read(
            "/v1/onboarding/{key}", .read, .preview, "Show an onboarding set with its screens", query: [.locale],
            keeping: .untilChange(["onboarding_set", "setting"]), TextEndpoints.onboarding),
        .read(
            "/v1/changes", .read, .either, "List changes in order", query: [.since, .rows, .tables],
            isLarge: true, ChangeEndpoints.list),
        .read(
            "/v1/tables/{table}", .read, .either, "List all rows of read tables, to start a copy",
            query: [.cursor, .tableSince], isLarge: true, ChangeEndpoints.rows),
        .read(
            "/v1/events", .read, .preview, "List events for push notifications in order", query: [.since],
            moments: .events, EventEndpoints.list),
        .read("/v1/publication", .read, .preview, "Show the newest publication", PublicationEndpoints.newest),

        // Syndication
        .read(
            "/v1/feeds/{id_or_slug}/syndication", .read, .either, "List the syndication URLs of a feed",
            SyndicationEndpoints.ofFeed),
        .read(
            "/v1/feeds/{id_or_slug}/rss", .open, .signed, "Show a feed as RSS 2.0", query: [.cursor, .key],
            type: SyndicationFormat.rss.type, isLarge: true, SyndicationEndpoints.feed(.rss)),
        .read(
            "/v1/feeds/{id_or_slug}/atom", .open, .signed, "Show a feed as Atom", query: [.cursor, .key],
            type: SyndicationFormat.atom.type, isLarge: true, SyndicationEndpoints.feed(.atom)),
        .read(
            "/v1/feeds/{id_or_slug}/json", .open, .signed, "Show a feed as JSON Feed 1.1", query: [.cursor, .key],
            type: SyndicationFormat.json.type, isLarge: true, SyndicationEndpoints.feed(.json)),
        .read(
            "/v1/categories/{id_or_slug}/syndication", .read, .either, "List the syndication URLs of a category",
            SyndicationEndpoints.ofCategory),
        .read(
            "/v1/categories/{id_or_slug}/rss", .open, .signed, "Show a category as RSS 2.0", query: [.cursor, .key],
            type: SyndicationFormat.rss.type, isLarge: true, SyndicationEndpoints.category(.rss)),
        .read(
            "/v1/categories/{id_or_slug}/atom", .open, .signed, "Show a category as Atom", query: [.cursor, .key],
            type: SyndicationFormat.atom.type, isLarge: true, SyndicationEndpoints.category(.atom)),
        .read(
            "/v1/categories/{id_or_slug}/json", .open, .signed, "Show a category as JSON Feed 1.1",
            query: [.cursor, .key],
            type: SyndicationFormat.json.type, isLarge: true, SyndicationEndpoints.category(.json)),

        // About the API itself
        .get("/problems/{code}", .open, "Explain a problem code", ProblemEndpoints.find),
        .get("/openapi.json", .open, "Show the OpenAPI 3.1 description", OpenAPIDocument.respond),
        .get("/openapi", .open, "Show the API documentation", type: OpenAPIPage.type, OpenAPIPage.respond),
    ]
}
