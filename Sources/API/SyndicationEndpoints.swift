// Feeds and categories for feed readers: RSS, Atom and JSON Feed, open or by a signed address.
import Domain
import Store

enum SyndicationEndpoints {
    private static let feeds = "/v1/feeds/"
    private static let categories = "/v1/categories/"

    /// `GET /v1/feeds/{id_or_slug}/rss` and its like: a premium feed opens by its signed address only.
    static func feed(_ format: SyndicationFormat) -> ReadHandler {
        { read in
            guard let found = try await read.reads.syndication.feed(read.address, cursor: read.cursor) else {
                return try await .elsewhere(
                    "feed", read.address, in: read.reads, path: feeds, suffix: "/\(format.rawValue)" + read.suffix)
            }
            if found.tier != "free", read.reads.scope == .guest { throw Problem.needsSignedURL }
            return try answer(found, format, read)
        }
    }

    /// `GET /v1/categories/{id_or_slug}/rss` and its like: without a signed address what is free.
    static func category(_ format: SyndicationFormat) -> ReadHandler {
        { read in
            guard let found = try await read.reads.syndication.category(read.address, cursor: read.cursor) else {
                return try await .elsewhere(
                    "category", read.address, in: read.reads, path: categories,
                    suffix: "/\(format.rawValue)" + read.suffix)
            }
            return try answer(found, format, read)
        }
    }

    /// `GET /v1/feeds/{id_or_slug}/syndication`
    static func ofFeed(_ read: ReadCall) async throws -> ReadResponse {
        guard let document = try await read.reads.feeds.find(read.address) else {
            return try await .elsewhere(
                "feed", read.address, in: read.reads, path: feeds, suffix: "/syndication" + read.suffix)
        }
        let feed = try JSONValue(parsing: document)
        return try addresses("feed", feed, feeds, isOpen: feed["tier"]?.stringValue == "free", read)
    }

    /// `GET /v1/categories/{id_or_slug}/syndication`
    static func ofCategory(_ read: ReadCall) async throws -> ReadResponse {
        guard let document = try await read.reads.categories.find(read.address, try read.language()) else {
            return try await .elsewhere(
                "category", read.address, in: read.reads, path: categories, suffix: "/syndication" + read.suffix)
        }
        return try addresses("category", try JSONValue(parsing: document), categories, isOpen: true, read)
    }

    // MARK: Answers

    private static func answer(
        _ found: Syndication, _ format: SyndicationFormat, _ read: ReadCall
    ) throws -> ReadResponse {
        let context = read.call.site.context
        let request = read.call.request
        let maker = SyndicationBuilder(
            rules: context.delivery, publicURL: context.publicURL, mediaURL: context.library.baseURL)
        let here = context.publicURL + PathText.path(of: request) + read.suffix
        let next = found.next.map { context.publicURL + PathText.next(of: request, cursor: $0) }
        return .bytes(format.bytes(try maker.feed(found, address: here, next: next)), type: format.type)
    }

    /// `open` where everyone may read, `signed` for a client that may read everything; each may be null.
    private static func addresses(
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
        let answer: JSONValue = .object([
            "id": .string(id.description), "open": isOpen ? all("") : .null,
            "signed": key.map { all("?key=\($0)") } ?? .null,
        ])
        return .document(Array(answer.canonicalText.utf8))
    }
}
