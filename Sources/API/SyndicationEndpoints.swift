// Syndication of feeds and categories: RSS, Atom and JSON Feed, open or by a signed URL.
import Domain
import Platform
import Store

enum SyndicationEndpoints {
    private static let feeds = "/v1/feeds/"
    private static let categories = "/v1/categories/"
    /// Shorter ones are written on the event loop, in bytes of their documents.
    private static let quickBytes = 64 << 10

    /// `GET /v1/feeds/{id_or_slug}/rss` and the other formats: a premium feed requires its signed URL.
    static func feed(_ format: SyndicationFormat) -> ReadHandler {
        { read in
            guard let found = try await read.reads.syndication.feed(read.idOrSlug, cursor: read.cursor) else {
                return try await .elsewhere(
                    "feed", read.idOrSlug, in: read.reads, path: feeds, suffix: "/\(format.rawValue)" + read.suffix)
            }
            if found.tier != "free", read.reads.scope == .guest { throw Problem.needsSignedURL }
            return try respond(found, format, read)
        }
    }

    /// `GET /v1/categories/{id_or_slug}/rss` and the other formats: free content without a signed URL.
    static func category(_ format: SyndicationFormat) -> ReadHandler {
        { read in
            guard let found = try await read.reads.syndication.category(read.idOrSlug, cursor: read.cursor) else {
                return try await .elsewhere(
                    "category", read.idOrSlug, in: read.reads, path: categories,
                    suffix: "/\(format.rawValue)" + read.suffix)
            }
            return try respond(found, format, read)
        }
    }

    /// `GET /v1/feeds/{id_or_slug}/syndication`
    static func ofFeed(_ read: ReadCall) async throws -> ReadResponse {
        guard let document = try await read.reads.feeds.find(read.idOrSlug, read.language()) else {
            return try await .elsewhere(
                "feed", read.idOrSlug, in: read.reads, path: feeds, suffix: "/syndication" + read.suffix)
        }
        let feed = try JSONValue(stored: document)
        return try urls("feed", feed, feeds, isOpen: feed["tier"]?.stringValue == "free", read)
    }

    /// `GET /v1/categories/{id_or_slug}/syndication`
    static func ofCategory(_ read: ReadCall) async throws -> ReadResponse {
        guard let document = try await read.reads.categories.find(read.idOrSlug, read.language()) else {
            return try await .elsewhere(
                "category", read.idOrSlug, in: read.reads, path: categories, suffix: "/syndication" + read.suffix)
        }
        return try urls("category", try JSONValue(stored: document), categories, isOpen: true, read)
    }

    // MARK: Responses

    private static func respond(
        _ found: Syndication, _ format: SyndicationFormat, _ read: ReadCall
    ) throws -> ReadResponse {
        let context = read.call.site.context
        let request = read.call.request
        let maker = SyndicationBuilder(
            rules: context.delivery, publicURL: context.publicURL, mediaURL: context.library.baseURL)
        let here = context.publicURL + PathText.path(of: request) + read.suffix
        let next = found.next.map { context.publicURL + PathText.next(of: request, cursor: read.binding.text(of: $0)) }
        if found.items.reduce(0, { $0 + $1.count }) < quickBytes {
            return .bytes(format.bytes(try maker.feed(found, url: here, next: next)), type: format.type)
        }
        return .written(type: format.type) { format.bytes(try maker.feed(found, url: here, next: next)) }
    }

    /// `open` if everyone may read, `signed` for a client with full access; each may be null.
    private static func urls(
        _ kind: String, _ document: JSONValue, _ path: String, isOpen: Bool, _ read: ReadCall
    ) throws -> ReadResponse {
        let client = try read.call.client()
        guard let id = document["id"]?.stringValue.flatMap(ID<Entry>.init) else { throw Failure.missing(kind) }
        let base = read.call.site.context.publicURL + path + id.description
        func all(_ query: String) -> JSONValue {
            .object(
                Dictionary(
                    uniqueKeysWithValues: SyndicationFormat.allCases.map { format in
                        (format.rawValue, .string("\(base)/\(format.rawValue)\(query)"))
                    }))
        }
        let key = read.reads.scope == .reader ? SyndicationKey.text(kind, id, for: client.id, read.call.site) : nil
        let body: JSONValue = .object([
            "id": .string(id.description), "open": isOpen ? all("") : .null,
            "signed": key.map { all("?key=\($0)") } ?? .null,
        ])
        return .document(Array(body.canonicalText.utf8))
    }
}
