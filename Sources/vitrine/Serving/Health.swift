// Serves /healthz, /readyz and /metrics.
import API
import CommandKit
import Domain
import FoundationEssentials
import HTTP
import Platform
import Store
import Synchronization

final class Health: Sendable {
    private let check: @Sendable () async throws -> Readiness
    private let settings: Settings
    private let roles: [String]
    private let background: BackgroundMetrics?
    private let classifier: ClassifierMetrics?
    private let requests = Atomic(0)
    /// Counted by the first digit of the status.
    private let responses = ResponseCounts()
    private let readiness = Mutex<(age: Stopwatch, result: Readiness)?>(nil)
    private let server = Mutex<Server?>(nil)
    private let api = Mutex<APISite?>(nil)
    private let uptime = Stopwatch()

    /// `check` queries the database; it throws if the database is unavailable. `roles`: what the login needs, by
    /// default a daemon's.
    init(
        settings: Settings, roles: [String]? = nil, background: BackgroundMetrics? = nil,
        classifier: ClassifierMetrics? = nil, check: @escaping @Sendable () async throws -> Readiness
    ) {
        self.settings = settings
        self.roles = roles ?? settings.rolesOfLogin
        self.background = background
        self.classifier = classifier
        self.check = check
    }

    func observe(_ server: Server, _ api: APISite? = nil) {
        self.server.withLock { $0 = server }
        self.api.withLock { $0 = api }
    }

    func count(_ request: Request) { requests.add(1, ordering: .relaxed) }

    func count(_ response: Response) { responses.add(response.status / 100) }

    /// Responds to GET and HEAD on the three operational endpoints.
    func respond(_ request: Request) async -> Response {
        guard request.method == "GET" || request.method == "HEAD" else {
            return Self.json(#"{"title":"Method not allowed","status":405}"#, 405).with("Allow", "GET, HEAD")
        }
        switch request.path {
        case "/healthz": return live(request)
        case "/readyz": return await ready(request)
        default: return await metrics(request)
        }
    }

    /// The process is running; independent of the database (R30).
    private func live(_ request: Request) -> Response {
        Self.json(#"{"status":"ok"}"#, 200)
    }

    /// Whether the process can serve requests; checked at most once per second.
    private func ready(_ request: Request) async -> Response {
        let known = readiness.withLock { $0 }
        let result: Readiness
        if let known, known.age.milliseconds < 1000 {
            result = known.result
        } else {
            do {
                result = try await check()
            } catch {
                result = Readiness(problem: Readiness.problem(of: error, roles: roles))
            }
            readiness.withLock { $0 = (Stopwatch(), result) }
        }
        guard let problem = result.problem else { return Self.json(#"{"status":"ready"\#(result.details)}"#, 200) }
        let reason = JSONValue.string(problem).canonicalText
        return Self.json(#"{"status":"not ready","reason":\#(reason)\#(result.details)}"#, 503).with(
            "Retry-After", "1")
    }

    /// Prometheus text, for holders of the token. Without a configured token the endpoint does not exist.
    private func metrics(_ request: Request) async -> Response {
        guard let token = settings.metrics.token, let header = request.headers["Authorization"],
            ConstantTime.equal(header, "Bearer \(token.reveal())")
        else { return Self.json(#"{"title":"Not found","status":404}"#, 404) }
        let server = server.withLock { $0 }
        var lines = [
            "# TYPE vitrine_uptime_seconds gauge", "vitrine_uptime_seconds \(uptime.milliseconds / 1000)",
            "# TYPE vitrine_requests_total counter", "vitrine_requests_total \(requests.load(ordering: .relaxed))",
            "# TYPE vitrine_responses_total counter",
        ]
        for (kind, count) in responses.all {
            lines.append("vitrine_responses_total{class=\"\(kind)xx\"} \(count)")
        }
        lines += [
            "# TYPE vitrine_connections gauge", "vitrine_connections \(server?.connections ?? 0)",
            "# TYPE vitrine_requests_in_flight gauge", "vitrine_requests_in_flight \(server?.inFlight ?? 0)",
        ]
        if let counts = api.withLock({ $0 })?.cacheCounts {
            lines += [
                "# TYPE vitrine_response_cache_hits_total counter", "vitrine_response_cache_hits_total \(counts.hits)",
                "# TYPE vitrine_response_cache_misses_total counter",
                "vitrine_response_cache_misses_total \(counts.misses)",
                "# TYPE vitrine_response_cache_responses gauge",
                "vitrine_response_cache_responses \(counts.responses)",
                "# TYPE vitrine_response_cache_bytes gauge", "vitrine_response_cache_bytes \(counts.bytes)",
            ]
        }
        if let background { lines += await background.lines() }
        if let classifier { lines += await classifier.lines() }
        return Response.bytes(
            Array((lines.joined(separator: "\n") + "\n").utf8), type: "text/plain; version=0.0.4; charset=utf-8")
    }

    private static func json(_ text: String, _ status: Int) -> Response {
        Response.json(Array(text.utf8), status: status)
            .with("Cache-Control", "no-store").with("X-Content-Type-Options", "nosniff")
    }
}

/// Lock-free counters.
private final class ResponseCounts: Sendable {
    private let successes = Atomic(0), redirections = Atomic(0), clientErrors = Atomic(0), serverErrors = Atomic(0)

    func add(_ kind: Int) {
        switch kind {
        case 2: successes.add(1, ordering: .relaxed)
        case 3: redirections.add(1, ordering: .relaxed)
        case 4: clientErrors.add(1, ordering: .relaxed)
        default: serverErrors.add(1, ordering: .relaxed)
        }
    }

    /// All counts above zero.
    var all: [(kind: Int, count: Int)] {
        [
            (2, successes.load(ordering: .relaxed)), (3, redirections.load(ordering: .relaxed)),
            (4, clientErrors.load(ordering: .relaxed)), (5, serverErrors.load(ordering: .relaxed)),
        ].filter { $0.1 > 0 }
    }
}
