// Items: articles, videos and other entries of the kind item.
import Domain
import Store

enum ItemEndpoints {
    /// `GET /v1/items`
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        if let ids = try read.setOfIDs(allowing: ["locale"]) {
            let (page, missing) = try await read.reads.items.set(ids, read.language())
            return .set(page, missing: missing)
        }
        let page = try await read.reads.items.page(filter(read), read.language(), cursor: read.cursor)
        try await read.requireKnownCategories(whenEmpty: page)
        return .page(page)
    }

    /// `GET /v1/items/{id_or_slug}`
    static func find(_ read: ReadCall) async throws -> ReadResponse {
        if let document = try await read.reads.items.find(read.idOrSlug, read.language()) { return .document(document) }
        return try await .elsewhere("item", read.idOrSlug, in: read.reads, path: "/v1/items/", suffix: read.suffix)
    }

    /// `GET /v1/categories/{id_or_slug}/items`
    static func ofCategory(_ read: ReadCall) async throws -> ReadResponse {
        var filter = try filter(read)
        filter.category = read.idOrSlug
        let page = try await read.reads.items.page(filter, read.language(), cursor: read.cursor)
        try await read.requireKnownCategories(whenEmpty: page)
        return try await .members(
            page, of: "category", read.idOrSlug, in: read.reads, path: "/v1/categories/", suffix: "/items" + read.suffix
        )
    }

    private static func filter(_ read: ReadCall) throws -> ItemReadFilter {
        var filter = ItemReadFilter()
        filter.tier = read.query["tier"]
        filter.categories = read.categories()
        filter.hasVideo = read.query.flag("has_video")
        filter.type = try read.type(of: .item)
        filter.locale = read.language().requested
        filter.sort = read.query["sort"].flatMap(ItemSort.init) ?? .newest
        return filter
    }
}
