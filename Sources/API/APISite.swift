// The API: handles a request from credentials to response.
import Domain
import HTTP
import Operations
import Platform
import Store

package final class APISite: Sendable {
    package let context: APIContext
    let headers: APIHeaders
    /// Nil in a delivery-only process.
    let services: Services?
    /// The endpoints that this process serves.
    let endpoints: [APIEndpoint]
    let submissions: RateLimiter
    let reports: (clients: RateLimiter, networks: RateLimiter)
    let gate: APIGate
    let openReads: RateLimiter
    let router: Router<APIEndpoint>
    /// Nil if no responses are kept.
    let cache: ResponseCache?
    let compressed = CompressedBodies { request, work in
        await Caller.$current.withValue(.at(request.remoteAddress)) { try? await Quotas.compressors.run(work) }
    }
    private let origins: CrossOrigin?
    private let deprecation: DeprecationHeaders?

    package init(_ context: APIContext) {
        self.context = context
        headers = APIHeaders(environment: context.environment)
        services = context.services
        let all = Self.endpoints(context.reads.packs)
        endpoints = context.services == nil ? all.filter(\.isDelivery) : all
        submissions = RateLimiter(perMinute: context.submissionsPerMinute, clock: context.clock)
        reports = (
            RateLimiter(perMinute: context.reportsPerMinute.client, clock: context.clock),
            RateLimiter(perMinute: context.reportsPerMinute.network, clock: context.clock)
        )
        openReads = RateLimiter(perMinute: context.delivery.syndicationPerMinute, clock: context.clock)
        gate = APIGate(
            clients: context.reads.clients, uses: context.services?.database.clients, trust: context.clientTrust,
            clock: context.clock)
        let clock = context.reads.clock
        cache =
            context.delivery.cacheBytes > 0
            ? ResponseCache(capacity: context.delivery.cacheBytes) { try await clock.changedRows(since: $0) } : nil
        origins = CrossOrigin(context.delivery)
        deprecation = DeprecationHeaders(context.delivery)
        var router = Router<APIEndpoint>()
        for endpoint in endpoints { router.add(endpoint.method, endpoint.pattern, endpoint) }
        self.router = router
    }

    /// Whether a path belongs to the API.
    package static func isAPI(_ path: String) -> Bool {
        path.hasPrefix("/v1/") || path == "/v1" || path.hasPrefix("/problems/") || path == "/openapi.json"
            || path == "/openapi"
    }

    /// The largest body in bytes for a method and path.
    package static func bodyLimit(_ method: String, _ path: String) -> Int {
        method == "POST" && path.hasPrefix("/v1/submissions")
            ? 1 << 20 : method == "POST" && path == "/v1/reports" ? 1 << 16 : 4096
    }

    /// Whether a request may upload an image, which has its own size limit.
    package static func takesImage(_ method: String, _ path: String) -> Bool {
        method == "POST" && path == "/v1/media"
    }

    /// A request with a larger body is authenticated before its body is read; in bytes.
    package static let admittedLength = 64 << 10

    /// How the memory of responses is used; nil if none are kept.
    package var cacheCounts: ResponseCache.Counts? { cache?.counts }

    // MARK: Handling a request

    /// Nil if the client may send the body; otherwise the response to send instead.
    package func admission(_ head: Request) async -> Admission {
        do {
            switch router.match(head.method, head.path) {
            case .notFound: throw Problem.notFound
            case .methodNotAllowed(let allow): throw Problem.methodNotAllowed(head.method, allow: allow)
            case .found(let endpoint, _):
                return try await admit(head, to: endpoint, isCounted: false) == nil ? .unknown : .known
            }
        } catch {
            return .refused(refuse(error, head))
        }
    }

    package func respond(_ request: Request) async -> Response {
        var response: Response
        do {
            response = try await handle(request)
        } catch {
            response = refuse(error, request)
        }
        addCommon(to: &response, for: request)
        await compressed.apply(to: &response, for: request)
        return response
    }

    /// Adds the header fields common to all responses.
    func addCommon(to response: inout Response, for request: Request) {
        deprecation?.add(to: &response)
        origins?.add(to: &response, for: request)
    }

    private func handle(_ request: Request) async throws -> Response {
        switch router.match(request.method, request.path) {
        case .notFound: throw Problem.notFound
        case .methodNotAllowed(let allow):
            if request.method == "OPTIONS" { return options(request, allow) }
            throw Problem.methodNotAllowed(request.method, allow: allow)
        case .found(let endpoint, let parameters):
            guard let caller = try await admit(request, to: endpoint) else {
                return try await Caller.$current.withValue(.at(request.remoteAddress)) {
                    try await handle(request, endpoint, parameters, nil)
                }
            }
            return try await Caller.$current.withValue(.client(caller.id.uuid)) {
                try await handle(request, endpoint, parameters, from: caller)
            }
        }
    }

    private func handle(
        _ request: Request, _ endpoint: APIEndpoint, _ parameters: PathParameters, from caller: APICaller
    ) async throws -> Response {
        guard let allowance = caller.allowance else {
            return try await handle(request, endpoint, parameters, caller)
        }
        var response: Response
        do {
            response = try await handle(request, endpoint, parameters, caller)
        } catch {
            response = refuse(error, request)
        }
        RateLimitHeaders.add(allowance, "client", to: &response)
        return response
    }

    private func handle(
        _ request: Request, _ endpoint: APIEndpoint, _ parameters: PathParameters, _ caller: APICaller?
    ) async throws -> Response {
        let query = try QueryValues(request.query, endpoint.query)
        let call = APICall(site: self, request: request, caller: caller, parameters: parameters, query: query)
        switch endpoint.work {
        case .action(let handler): return try await inTurn(call, endpoint) { try await handler(call) }
        case .read(let form, let handler): return try await read(call, endpoint, form, handler)
        }
    }

    /// A head that is checked before its body is counted only when the request is complete.
    private func admit(_ request: Request, to endpoint: APIEndpoint, isCounted: Bool = true) async throws -> APICaller?
    {
        guard case .client(let scopes) = endpoint.access else { return nil }
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

    /// Responds from the read tables, or with 304 without reading them. The publication is read before the tables: a
    /// response may be newer than its tag, which costs one unnecessary 200 later, but is never older (R34).
    private func read(
        _ call: APICall, _ endpoint: APIEndpoint, _ form: ReadForm, _ handler: ReadHandler
    ) async throws -> Response {
        let request = call.request
        let scope = try await scope(of: call, form)
        let known = try await newestPublication(for: request)
        var position: ResponseCache.Position?
        // Searches take turns and seldom repeat.
        if let cache, endpoint.isKept, call.query["q"] == nil { position = await cache.position(at: known) }
        let publication = position?.publication ?? known
        var moment: Int64?
        switch endpoint.moments {
        case .none: break
        case .of(let pack): moment = try await context.reads.lastMoment(of: pack, asOf: publication)
        case .ofPacks: moment = try await context.reads.lastMoment(of: nil, asOf: publication)
        case .events: moment = try await context.reads.rows(as: scope).events.newestTag()
        }
        let tag = EntityTag.text(publication: publication, scope: scope, target: request.rawTarget, moment: moment)
        let headers = scope == .guest ? headers.preview : headers.full
        let condition = request.headers["If-None-Match"]
        if let condition, EntityTag.isNamed(tag, in: condition) { return unchanged(request, headers, tag, publication) }
        let readCall = try ReadCall(call: call, reads: context.reads.rows(as: scope))
        if let cache, let position, condition != "*" {
            return try await kept(cache, readCall, endpoint, position, headers, tag) {
                let read = try await handler(readCall)
                return (try await render(read, readCall, headers, tag, publication), read.isSnapshot)
            }
        }
        let read = try await inTurn(call, endpoint) { try await handler(readCall) }
        if condition == "*" { return unchanged(request, headers, tag, publication) }
        return try await render(read, readCall, headers, tag, publication)
    }

    /// Searches take turns, and so do reads of many documents; nothing else waits for them.
    private func inTurn<Value: Sendable>(
        _ call: APICall, _ endpoint: APIEndpoint, _ work: () async throws -> Value
    ) async throws -> Value {
        if call.query["q"] != nil { return try await context.quotas.searches.run(work) }
        if endpoint.isLarge { return try await context.quotas.copies.run(work) }
        return try await work()
    }

    private func scope(of call: APICall, _ form: ReadForm) async throws -> ReadScope {
        if let scope = try scope(form, call.caller, view: call.query["view"]) { return scope }
        return try await SyndicationKey.scope(of: call)
    }

    /// The access scope of a read; nil for a signed URL, whose signature determines it.
    func scope(_ form: ReadForm, _ caller: APICaller?, view: String?) throws -> ReadScope? {
        let mayAll = caller?.scopes.contains(.readFull) ?? false
        switch form {
        case .preview: return .guest
        case .full: return .reader
        case .signed: return nil
        case .either:
            if view == "full", !mayAll { throw Problem.missingScope(.readFull, in: "view") }
            return mayAll && view != "preview" ? .reader : .guest
        }
    }

    func unchanged(
        _ request: Request, _ headers: Headers, _ tag: String, _ publication: TaggedNumber
    ) -> Response {
        var response = Response(request, headers, status: 304, type: nil, body: [])
        // The tag of a compressed copy is weak, and a 304 names the copy that it is about.
        let condition = request.headers["If-None-Match"] ?? tag
        let isWeak = condition != tag && condition.contains("W/" + tag)
        response.headers.append("ETag", isWeak ? "W/" + tag : tag)
        PublicationHeader.add(publication, to: &response)
        return response
    }

    private func render(
        _ read: ReadResponse, _ call: ReadCall, _ headers: Headers, _ tag: String, _ publication: TaggedNumber
    ) async throws -> Response {
        let request = call.call.request
        var response: Response
        switch read {
        case .document(let document):
            response = Response(request, headers, body: CompactJSON.bytes(document))
        case .page(let page):
            response = list(page, "", call, headers)
        case .pageWith(let page, let members):
            response = list(page, members, call, headers)
        case .following(let document, let next):
            response = Response(request, headers, body: CompactJSON.bytes(document))
            response.headers.append("Link", "<\(next)>; rel=\"next\"")
        case .bytes(let bytes, let type):
            response = Response(request, headers, type: type, body: bytes)
        case .written(let type, let write):
            let written = try await Quotas.writers.run { Result<[UInt8], any Error> { try write() } }
            response = Response(request, headers, type: type, body: try written.get())
        case .moved(let url):
            let place = call.cursor == nil ? url : try call.binding.rebound(url, scope: call.reads.scope)
            let body = JSONValue.object(["moved_to": .string(place)]).canonicalText
            response = Response(request, headers, status: 308, body: Array(body.utf8))
            response.headers.append("Location", place)
        }
        response.headers.append("ETag", tag)
        PublicationHeader.add(publication, to: &response)
        return response
    }

    private func list(_ page: DocumentPage, _ members: String, _ call: ReadCall, _ headers: Headers) -> Response {
        let cursor = page.next.map { call.binding.text(of: $0) }
        let next = cursor.map { "\"" + $0 + "\"" } ?? "null"
        var body: [UInt8] = []
        body.reserveCapacity(page.documents.count + members.utf8.count + next.utf8.count + 24)
        body.append(contentsOf: #"{"data":["#.utf8)
        body.append(contentsOf: page.documents)
        body.append(contentsOf: #"],"next":"#.utf8)
        body.append(contentsOf: next.utf8)
        body.append(contentsOf: members.utf8)
        body.append(UInt8(ascii: "}"))
        let request = call.call.request
        var response = Response(request, headers, body: CompactJSON.bytes(body))
        if let cursor {
            response.headers.append("Link", "<\(PathText.next(of: request, cursor: cursor))>; rel=\"next\"")
        }
        return response
    }

    // MARK: Errors

    /// The response for a path without an endpoint.
    package func missing(_ request: Request) -> Response { refuse(Problem.notFound, request) }

    /// A refusal of the HTTP server as a problem document, for `ServerConfiguration.refusal`.
    package func refusal(_ status: Int, _ code: String, _ message: String, _ request: Request?) -> Response {
        var response = response(Problem(status, code, message), requestID: request?.id)
        if let request { origins?.add(to: &response, for: request) }
        return response
    }

    private func refuse(_ error: any Error, _ request: Request) -> Response {
        if let problem = Problem(error) {
            if let cause = (error as? Failure)?.cause {
                context.log.with(requestID: request.id).error(
                    "api request could not be served",
                    ["method": .text(request.method), "path": .text(request.path), "error": .text(cause)])
            }
            return response(problem, requestID: request.id)
        }
        context.log.with(requestID: request.id).error(
            "api request failed",
            ["method": .text(request.method), "path": .text(request.path), "error": .text("\(error)")])
        let problem = Problem(500, "internal", "Something went wrong on our side.")
        return response(problem, requestID: request.id)
    }

    private func response(_ problem: Problem, requestID: String?) -> Response {
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
