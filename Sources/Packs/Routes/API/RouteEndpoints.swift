// Routes ordered by distance and badges, and the badges (C13, C15, C17, C21).
import API
import Domain
import Store

enum RouteEndpoints {
    private static let path = "/v1/routes/"

    /// `GET /v1/routes`
    static func list(_ read: ReadCall) async throws -> ReadResponse {
        var filter = RouteReadFilter()
        filter.city = read.query["city"]
        filter.order = read.query["order"].flatMap(RouteReadFilter.Order.init) ?? .weighted
        filter.trip = try trip(read.query)
        let page = try await read.reads.routes.page(filter, cursor: read.cursor)
        if page.count == 0, let city = filter.city, try await !read.reads.routes.knows(city: city) {
            throw Problem.unknownReference("city", city, in: "city")
        }
        return .page(page)
    }

    /// Origin and destination are set together; a detour needs both.
    private static func trip(_ query: QueryValues) throws(Failure) -> RouteTrip? {
        switch (query.point("from"), query.point("to")) {
        case (let origin?, let destination?):
            return RouteTrip(from: origin, to: destination, maxDetour: query.decimal("max_detour"))
        case (nil, nil) where query["max_detour"] == nil: return nil
        case (nil, _): throw .invalid(FieldErrors("/query/from", "required", "Set from and to together."))
        case (_, nil): throw .invalid(FieldErrors("/query/to", "required", "Set from and to together."))
        }
    }

    /// `GET /v1/routes/{id_or_slug}`
    static func find(_ read: ReadCall) async throws -> ReadResponse {
        if let document = try await read.reads.routes.find(read.idOrSlug) { return .document(document) }
        return try await .elsewhere("route", read.idOrSlug, in: read.reads, path: path, suffix: read.suffix)
    }

    /// `GET /v1/badges`
    static func badges(_ read: ReadCall) async throws -> ReadResponse {
        .page(try await read.reads.routes.badges())
    }
}
