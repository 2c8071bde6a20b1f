// Feeds, and their contents.
import Domain
import Store

enum FeedEndpoints {
    private static let path = "/v1/feeds/"

    /// `GET /v1/feeds`
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        if let ids = try read.setOfIDs(allowing: ["locale"]) {
            let (page, missing) = try await read.reads.feeds.set(ids, read.language())
            return .set(page, missing: missing)
        }
        let page = try await read.reads.feeds.page(filter(read), read.language(), cursor: read.cursor)
        try await read.requireKnownCategories(whenEmpty: page)
        return .page(page)
    }

    /// `GET /v1/feeds/{id_or_slug}`
    static func find(_ read: ReadCall) async throws -> ReadResponse {
        if let document = try await read.reads.feeds.find(read.idOrSlug, read.language()) { return .document(document) }
        return try await .elsewhere("feed", read.idOrSlug, in: read.reads, path: path, suffix: read.suffix)
    }

    /// `GET /v1/feeds/{id_or_slug}/items`
    static func items(_ read: ReadCall) async throws -> ReadResponse {
        let page = try await read.reads.feeds.items(
            of: read.idOrSlug, type: try read.type(of: .item), read.language(), cursor: read.cursor)
        return try await .members(
            page, of: "feed", read.idOrSlug, in: read.reads, path: path, suffix: "/items" + read.suffix)
    }

    /// `GET /v1/feeds/{id_or_slug}/videos`
    static func videos(_ read: ReadCall) async throws -> ReadResponse {
        let page = try await read.reads.feeds.videos(of: read.idOrSlug, cursor: read.cursor)
        return try await .members(
            page, of: "feed", read.idOrSlug, in: read.reads, path: path, suffix: "/videos" + read.suffix)
    }

    /// `GET /v1/feeds/{id_or_slug}/offline`: the manifest, and its files in pages. Its version changes whenever a file
    /// does.
    static func offline(_ read: ReadCall) async throws -> ReadResponse {
        guard let found = try await read.reads.offline.find(read.idOrSlug, cursor: read.cursor) else {
            return try await .elsewhere(
                "feed", read.idOrSlug, in: read.reads, path: path, suffix: "/offline" + read.suffix)
        }
        let base = JSONValue.string(read.call.site.context.library.baseURL).canonicalText
        let manifest = String(decoding: found.manifest, as: UTF8.self)
        return .pageWith(found.files, ",\"manifest\":\(manifest),\"base_url\":\(base)")
    }

    /// `GET /v1/categories/{id_or_slug}/feeds`
    static func ofCategory(_ read: ReadCall) async throws -> ReadResponse {
        var filter = filter(read)
        filter.category = read.idOrSlug
        let page = try await read.reads.feeds.page(filter, read.language(), cursor: read.cursor)
        try await read.requireKnownCategories(whenEmpty: page)
        return try await .members(
            page, of: "category", read.idOrSlug, in: read.reads, path: "/v1/categories/", suffix: "/feeds" + read.suffix
        )
    }

    private static func filter(_ read: ReadCall) -> FeedReadFilter {
        var filter = FeedReadFilter()
        filter.tier = read.query["tier"]
        filter.categories = read.categories()
        filter.hasVideo = read.query.flag("has_video")
        filter.offline = read.query.flag("offline")
        return filter
    }
}
