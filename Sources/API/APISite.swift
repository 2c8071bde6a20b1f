// The API: its route table, and the way of a request from credentials to answer.
import Domain
import HTTP
import Intake
import Platform
import Review
import Store

package final class APISite: Sendable {
    static let routes: [APIEndpoint] = [
        // Intake and review
        .post("/v1/submissions", .submit, "Send something in", SubmissionEndpoints.receive),
        .get("/v1/submissions/{id}", .client([.submit, .review]), "How a submission fares", SubmissionEndpoints.find),
        .post("/v1/submissions/{id}/decision", .review, "Decide about a submission", DecisionEndpoints.decide),
        .get(
            "/v1/queue", .review, "What awaits a decision",
            query: [.cursor, .type, .requestedCategory, .words, .priority, .queueOrder], QueueEndpoints.list),

        .post("/v1/media", .submit, "Send an image in", MediaEndpoints.receive),

        // Delivery
        .read("/v1/discover", .read, .preview, "What Discover features", query: [.cursor], DiscoverEndpoints.list),
        .read(
            "/v1/feeds", .read, .preview, "Feeds, by rank",
            query: [.cursor, .tier, .category, .hasVideo, .offline, .ids], FeedEndpoints.list),
        .read("/v1/feeds/{id_or_slug}", .read, .either, "One feed", FeedEndpoints.find),
        .read(
            "/v1/feeds/{id_or_slug}/items", .read, .preview, "The items of a feed, in its order",
            query: [.cursor, .type], FeedEndpoints.items),
        .read(
            "/v1/feeds/{id_or_slug}/videos", .readFull, .full, "The videos of a feed, with what plays them",
            query: [.cursor], FeedEndpoints.videos),
        .read(
            "/v1/feeds/{id_or_slug}/offline", .readFull, .full,
            "What may be kept of a feed offline, with a checksum of each file",
            query: [.cursor], FeedEndpoints.offline),
        .read(
            "/v1/items", .read, .preview, "Items, newest first",
            query: [.cursor, .tier, .category, .hasVideo], ItemEndpoints.list),
        .read("/v1/items/{id_or_slug}", .read, .either, "One item", ItemEndpoints.find),
        .read("/v1/videos/{id_or_slug}", .readFull, .full, "One video, with what plays it", VideoEndpoints.find),
        .read(
            "/v1/categories", .read, .preview, "The category groups with their categories", query: [.locale],
            CategoryEndpoints.list),
        .read(
            "/v1/categories/{id_or_slug}", .read, .preview, "One category", query: [.locale], CategoryEndpoints.find),
        .read(
            "/v1/categories/{id_or_slug}/feeds", .read, .preview, "The feeds of a category, by rank",
            query: [.cursor, .tier, .category, .hasVideo, .offline], FeedEndpoints.ofCategory),
        .read(
            "/v1/categories/{id_or_slug}/items", .read, .preview, "The items of a category, newest first",
            query: [.cursor, .tier, .category, .hasVideo], ItemEndpoints.ofCategory),
        .read(
            "/v1/lists", .read, .preview, "Curated lists, the latest change first", query: [.cursor, .owner, .subject],
            ListEndpoints.list),
        .read(
            "/v1/lists/{id_or_slug}", .read, .preview, "One list", query: [.format, .sort], ListEndpoints.find),
        .read(
            "/v1/lists/{id_or_slug}/items", .read, .preview, "The items of a list", query: [.cursor, .sort],
            ListEndpoints.items),
        .read(
            "/v1/lists/{id_or_slug}/text", .read, .preview, "A list as plain text, to be shared", query: [.sort],
            type: APIEndpoint.plainText, ListEndpoints.text),
        .read(
            "/v1/catalog/{kind}", .read, .preview, "Things of one catalog, by title", query: [.cursor, .words],
            CatalogEndpoints.list),
        .read(
            "/v1/catalog/{kind}/{id}", .read, .preview, "One thing of a catalog", CatalogEndpoints.find),
        .read(
            "/v1/routes", .read, .preview,
            "Routes by distance divided by their multiplier, with the badges they have now",
            query: [.cursor, .cityName, .order], moments: .badges, RouteEndpoints.list),
        .read(
            "/v1/routes/{id_or_slug}", .read, .preview, "One route, with its path and samples", moments: .badges,
            RouteEndpoints.find),
        .read("/v1/badges", .read, .preview, "The badges that routes can have", RouteEndpoints.badges),
        .read(
            "/v1/search", .read, .preview, "Search items, feeds, places, promotions, routes and categories",
            query: [.cursor, .words, .type], moments: .promotions, SearchEndpoints.list),
        .read(
            "/v1/cities", .read, .preview, "Cities, the largest first", query: [.cursor, .prefix], CityEndpoints.list),
        .read("/v1/cities/{id_or_slug}", .read, .preview, "One city", CityEndpoints.find),
        .read(
            "/v1/cities/{id_or_slug}/categories", .read, .preview, "The categories that have places in a city",
            query: [.locale], CityEndpoints.categories),
        .read(
            "/v1/places", .read, .preview, "Places, nearest first",
            query: [.cursor, .city, .lat, .lon, .box, .category, .ids], moments: .promotions, PlaceEndpoints.list),
        .read(
            "/v1/places/{id_or_slug}", .read, .preview, "One place", query: [.lat, .lon], moments: .promotions,
            PlaceEndpoints.find),
        .read(
            "/v1/promotions", .read, .preview, "Promotions, the current ones first",
            query: [.cursor, .city, .places, .lat, .lon], moments: .promotions, PromotionEndpoints.list),
        .read(
            "/v1/promotions/{id_or_slug}", .read, .preview, "One promotion", query: [.lat, .lon], moments: .promotions,
            PromotionEndpoints.find),
        .read("/v1/media", .readFull, .full, "The images that are shown", query: [.cursor], MediaEndpoints.list),
        .read("/v1/media/{id}", .readFull, .full, "One image, with its files", MediaEndpoints.find),
        .read(
            "/v1/texts", .read, .preview, "Texts, by key", query: [.cursor, .keyPrefix, .locale], TextEndpoints.list),
        .read("/v1/texts/{key}", .read, .preview, "One text", query: [.locale], TextEndpoints.find),
        .read("/v1/settings", .read, .preview, "Settings, by key", query: [.keyPrefix], TextEndpoints.settings),
        .read("/v1/settings/{key}", .read, .preview, "One setting", TextEndpoints.setting),
        .read(
            "/v1/onboarding/{key}", .read, .preview, "An onboarding set with its screens", query: [.locale],
            TextEndpoints.onboarding),
        .read("/v1/changes", .read, .either, "What changed, in order", query: [.since, .rows], ChangeEndpoints.list),
        .read(
            "/v1/tables/{table}", .read, .either, "All rows of one read table, to begin a copy with", query: [.cursor],
            ChangeEndpoints.rows),
        .read(
            "/v1/events", .read, .preview, "What an app may push about, in order", query: [.since],
            moments: .promotions, EventEndpoints.list),
        .read("/v1/publication", .read, .preview, "The newest publication", PublicationEndpoints.newest),
        .read(
            "/v1/resolve", .read, .preview, "Where an id or slug leads today", query: [.id, .kind, .slug],
            ResolveEndpoints.find),

        // For feed readers
        .read(
            "/v1/feeds/{id_or_slug}/syndication", .read, .either, "The addresses of a feed for feed readers",
            SyndicationEndpoints.ofFeed),
        .read(
            "/v1/feeds/{id_or_slug}/rss", .open, .signed, "A feed as RSS 2.0", query: [.cursor, .key],
            type: SyndicationFormat.rss.type, SyndicationEndpoints.feed(.rss)),
        .read(
            "/v1/feeds/{id_or_slug}/atom", .open, .signed, "A feed as Atom", query: [.cursor, .key],
            type: SyndicationFormat.atom.type, SyndicationEndpoints.feed(.atom)),
        .read(
            "/v1/feeds/{id_or_slug}/json", .open, .signed, "A feed as JSON Feed 1.1", query: [.cursor, .key],
            type: SyndicationFormat.json.type, SyndicationEndpoints.feed(.json)),
        .read(
            "/v1/categories/{id_or_slug}/syndication", .read, .either, "The addresses of a category for feed readers",
            SyndicationEndpoints.ofCategory),
        .read(
            "/v1/categories/{id_or_slug}/rss", .open, .signed, "A category as RSS 2.0", query: [.cursor, .key],
            type: SyndicationFormat.rss.type, SyndicationEndpoints.category(.rss)),
        .read(
            "/v1/categories/{id_or_slug}/atom", .open, .signed, "A category as Atom", query: [.cursor, .key],
            type: SyndicationFormat.atom.type, SyndicationEndpoints.category(.atom)),
        .read(
            "/v1/categories/{id_or_slug}/json", .open, .signed, "A category as JSON Feed 1.1", query: [.cursor, .key],
            type: SyndicationFormat.json.type, SyndicationEndpoints.category(.json)),

        // About the API itself
        .get("/problems/{code}", .open, "What a problem's code means", ProblemEndpoints.find),
        .get("/openapi.json", .open, "This API as OpenAPI 3.1", OpenAPIDocument.answer),
        .get("/openapi", .open, "This API for people", type: OpenAPIPage.type, OpenAPIPage.answer),
    ]

    let context: APIContext
    let headers: APIHeaders
    /// Nil where the API only delivers.
    let desk: APIServices?
    /// Those that are there.
    let routes: [APIEndpoint]
    let submissions: RateLimiter
    let gate: APIGate
    let openReads: RateLimiter
    let router: Router<APIEndpoint>
    private let origins: CrossOrigin?
    private let ageing: DeprecationHeaders?

    package init(_ context: APIContext) {
        self.context = context
        headers = APIHeaders(environment: context.environment)
        desk = context.database.map { APIServices(database: $0, context) }
        routes = context.database == nil ? Self.routes.filter(\.isDelivery) : Self.routes
        submissions = RateLimiter(perMinute: context.submissionsPerMinute)
        openReads = RateLimiter(perMinute: context.delivery.openPerMinute)
        gate = APIGate(clients: context.reads.clients, uses: context.database?.clients, trust: context.clientTrust)
        origins = CrossOrigin(context.delivery)
        ageing = DeprecationHeaders(context.delivery)
        var router = Router<APIEndpoint>()
        for route in routes { router.add(route.method, route.pattern, route) }
        self.router = router
    }

    /// Whether a path is the API's to answer.
    package static func isAPI(_ path: String) -> Bool {
        path.hasPrefix("/v1/") || path == "/v1" || path.hasPrefix("/problems/") || path == "/openapi.json"
            || path == "/openapi"
    }

    /// Bytes of body that a method and path of the API may take.
    package static func bodyLimit(_ method: String, _ path: String) -> Int {
        method == "POST" && path.hasPrefix("/v1/submissions") ? 1 << 20 : 4096
    }

    /// Whether a request may bring an image, whose size has a limit of its own.
    package static func takesImage(_ method: String, _ path: String) -> Bool {
        method == "POST" && path == "/v1/media"
    }

    /// Beyond so many bytes of body a request must be let in before any of it is read.
    package static let admittedLength = 64 << 10

    // MARK: The way of a request

    /// Nil where the sender of this head may send its body; else what to answer instead.
    package func admission(_ head: Request) async -> Response? {
        do {
            switch router.match(head.method, head.path) {
            case .notFound: throw Problem.notFound
            case .methodNotAllowed(let allow): throw Problem.methodNotAllowed(head.method, allow: allow)
            case .found(let route, _): _ = try await admit(head, to: route, isCounted: false)
            }
            return nil
        } catch {
            return refuse(error, head)
        }
    }

    package func respond(_ request: Request) async -> Response {
        var response: Response
        do {
            response = try await answer(request)
        } catch {
            response = refuse(error, request)
        }
        addCommon(to: &response, for: request)
        return response
    }

    /// What every answer says, whatever was asked.
    func addCommon(to response: inout Response, for request: Request) {
        ageing?.add(to: &response)
        origins?.add(to: &response, for: request)
    }

    private func answer(_ request: Request) async throws -> Response {
        switch router.match(request.method, request.path) {
        case .notFound: throw Problem.notFound
        case .methodNotAllowed(let allow):
            if request.method == "OPTIONS" { return options(request, allow) }
            throw Problem.methodNotAllowed(request.method, allow: allow)
        case .found(let route, let parameters):
            let caller = try await admit(request, to: route)
            guard let allowance = caller?.allowance else { return try await answer(request, route, parameters, caller) }
            var response: Response
            do {
                response = try await answer(request, route, parameters, caller)
            } catch {
                response = refuse(error, request)
            }
            RateLimitHeaders.add(allowance, "client", to: &response)
            return response
        }
    }

    private func answer(
        _ request: Request, _ route: APIEndpoint, _ parameters: PathParameters, _ caller: APICaller?
    ) async throws -> Response {
        let query = try QueryValues(request.query, route.query)
        let call = APICall(site: self, request: request, caller: caller, parameters: parameters, query: query)
        switch route.work {
        case .action(let handler): return try await handler(call)
        case .read(let form, let handler): return try await read(call, form, route.moments, handler)
        }
    }

    /// A head that is looked at before its body counts as a request when the whole is there.
    private func admit(_ request: Request, to route: APIEndpoint, isCounted: Bool = true) async throws -> APICaller? {
        guard case .client(let scopes) = route.access else { return nil }
        let caller = try await gate.admit(request, isCounted: isCounted)
        if caller.scopes.isDisjoint(with: scopes) { throw Problem.missingScope(scopes) }
        return caller
    }

    private func options(_ request: Request, _ allow: [String]) -> Response {
        var response = Response(request, headers.unkept, status: 204, type: nil, body: [])
        response.headers.append("Allow", allow.joined(separator: ", "))
        return response
    }

    // MARK: Reading

    /// Answers from the read tables, or 304 without touching them. The number is read before the tables are: an answer
    /// may be newer than its tag, which costs a needless 200 later, and is never older (R34).
    private func read(
        _ call: APICall, _ form: ReadForm, _ moments: APIEndpoint.Moments, _ handler: ReadHandler
    ) async throws -> Response {
        let request = call.request
        let scope = try await scope(of: call, form)
        var publication = context.reads.clock.number
        if publication == nil { publication = try await context.reads.clock.read() }
        var moment: Int64?
        switch moments {
        case .none: break
        case .promotions: moment = try await context.reads.promotions.last(asOf: publication ?? 0)
        case .badges: moment = try await context.reads.rows(as: scope).routes.lastBoundary()
        }
        let tag = EntityTag.text(
            publication: publication ?? 0, scope: scope, target: request.rawTarget, moment: moment)
        let headers = scope == .guest ? headers.preview : headers.full
        let condition = request.headers["If-None-Match"]
        if let condition, EntityTag.isNamed(tag, in: condition) { return unchanged(request, headers, tag) }
        let answer = try await handler(ReadCall(call: call, reads: context.reads.rows(as: scope)))
        if condition == "*" { return unchanged(request, headers, tag) }
        return render(answer, request, headers, tag)
    }

    private func scope(of call: APICall, _ form: ReadForm) async throws -> ReadScope {
        if let scope = try scope(form, call.caller, view: call.query["view"]) { return scope }
        return try await SyndicationKey.scope(of: call)
    }

    /// With which eyes an address is read; nil for a signed one, whose signature says so.
    func scope(_ form: ReadForm, _ caller: APICaller?, view: String?) throws -> ReadScope? {
        let mayAll = caller?.scopes.contains(.readFull) ?? false
        switch form {
        case .preview: return .guest
        case .full: return .reader
        case .signed: return nil
        case .either:
            if view == "full", !mayAll { throw Problem.missingScope(.readFull) }
            return mayAll && view != "preview" ? .reader : .guest
        }
    }

    func unchanged(_ request: Request, _ headers: Headers, _ tag: String) -> Response {
        var response = Response(request, headers, status: 304, type: nil, body: [])
        response.headers.append("ETag", tag)
        return response
    }

    private func render(_ answer: ReadResponse, _ request: Request, _ headers: Headers, _ tag: String) -> Response {
        var response: Response
        switch answer {
        case .document(let document):
            response = Response(request, headers, body: document)
        case .page(let page):
            response = list(page, "", request, headers)
        case .pageWith(let page, let members):
            response = list(page, members, request, headers)
        case .bytes(let bytes, let type):
            response = Response(request, headers, type: type, body: bytes)
        case .moved(let place):
            let body = JSONValue.object(["moved_to": .string(place)]).canonicalText
            response = Response(request, headers, status: 308, body: Array(body.utf8))
            response.headers.append("Location", place)
        }
        response.headers.append("ETag", tag)
        return response
    }

    private func list(_ page: DocumentPage, _ members: String, _ request: Request, _ headers: Headers) -> Response {
        let next = page.next.map { "\"" + $0 + "\"" } ?? "null"
        var body: [UInt8] = []
        body.reserveCapacity(page.documents.count + members.utf8.count + next.utf8.count + 24)
        body.append(contentsOf: #"{"data":["#.utf8)
        body.append(contentsOf: page.documents)
        body.append(contentsOf: #"],"next":"#.utf8)
        body.append(contentsOf: next.utf8)
        body.append(contentsOf: members.utf8)
        body.append(UInt8(ascii: "}"))
        var response = Response(request, headers, body: body)
        if let cursor = page.next {
            response.headers.append("Link", "<\(PathText.next(of: request, cursor: cursor))>; rel=\"next\"")
        }
        return response
    }

    // MARK: Refusing

    /// What there is to say of an address that is nobody's.
    package func missing(_ request: Request) -> Response { refuse(Problem.notFound, request) }

    /// What HTTP itself refuses, in the API's form: for `ServerConfiguration.refusal`.
    package func refusal(_ status: Int, _ code: String, _ message: String, _ request: Request?) -> Response {
        var response = answer(Problem(status, code, message), requestID: request?.id)
        if let request { origins?.add(to: &response, for: request) }
        return response
    }

    private func refuse(_ error: any Error, _ request: Request) -> Response {
        if let problem = Problem(error) { return answer(problem, requestID: request.id) }
        context.log.with(requestID: request.id).error(
            "api request failed",
            ["method": .text(request.method), "path": .text(request.path), "error": .text("\(error)")])
        let problem = Problem(500, "internal", "Something went wrong on our side.")
        return answer(problem, requestID: request.id)
    }

    private func answer(_ problem: Problem, requestID: String?) -> Response {
        let instance = requestID ?? "unknown"
        var response = Response(
            status: problem.status, body: .bytes(problem.document(publicURL: context.publicURL, instance: instance)))
        response.headers = headers.unkept
        response.headers.append("Content-Type", "application/problem+json")
        if let requestID { response.headers.append("X-Request-Id", requestID) }
        for header in problem.headers { response.headers.append(header.name, header.value) }
        return response
    }
}
