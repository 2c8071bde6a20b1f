// Feeds, and what they hold.
import Domain
import Store

enum FeedEndpoints {
    private static let path = "/v1/feeds/"

    /// `GET /v1/feeds`
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        guard let ids = read.query.ids("ids") else {
            return .page(try await read.reads.feeds.page(filter(read), cursor: read.cursor))
        }
        // A set is asked for as a whole: with a filter or a page, "gone" would say more than it knows.
        guard read.call.request.query.fields.count == 1 else {
            throw Failure.invalid(FieldErrors("/query/ids", "alone", "ids can be given alone only."))
        }
        let (page, missing) = try await read.reads.feeds.set(ids)
        let gone = missing.map { "\"\($0)\"" }.joined(separator: ",")
        return .pageWith(page, #","gone":[\#(gone)]"#)
    }

    /// `GET /v1/feeds/{id_or_slug}`
    static func find(_ read: ReadCall) async throws -> ReadResponse {
        if let document = try await read.reads.feeds.find(read.address) { return .document(document) }
        return try await .elsewhere("feed", read.address, in: read.reads, path: path, suffix: read.suffix)
    }

    /// `GET /v1/feeds/{id_or_slug}/items`
    static func items(_ read: ReadCall) async throws -> ReadResponse {
        let page = try await read.reads.feeds.items(of: read.address, type: try read.type(), cursor: read.cursor)
        return try await .members(
            page, of: "feed", read.address, in: read.reads, path: path, suffix: "/items" + read.suffix)
    }

    /// `GET /v1/feeds/{id_or_slug}/videos`
    static func videos(_ read: ReadCall) async throws -> ReadResponse {
        let page = try await read.reads.feeds.videos(of: read.address, cursor: read.cursor)
        return try await .members(
            page, of: "feed", read.address, in: read.reads, path: path, suffix: "/videos" + read.suffix)
    }

    /// `GET /v1/feeds/{id_or_slug}/offline`: the manifest, and its files in pages. Its version is another as soon as a file is.
    static func offline(_ read: ReadCall) async throws -> ReadResponse {
        guard let found = try await read.reads.offline.find(read.address, cursor: read.cursor) else {
            return try await .elsewhere(
                "feed", read.address, in: read.reads, path: path, suffix: "/offline" + read.suffix)
        }
        let base = JSONValue.string(read.call.site.context.library.baseURL).canonicalText
        let manifest = String(decoding: found.manifest, as: UTF8.self)
        return .pageWith(found.files, ",\"manifest\":\(manifest),\"base_url\":\(base)")
    }

    /// `GET /v1/categories/{id_or_slug}/feeds`
    static func ofCategory(_ read: ReadCall) async throws -> ReadResponse {
        var filter = filter(read)
        filter.category = read.address
        let page = try await read.reads.feeds.page(filter, cursor: read.cursor)
        return try await .members(
            page, of: "category", read.address, in: read.reads, path: "/v1/categories/", suffix: "/feeds" + read.suffix)
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
