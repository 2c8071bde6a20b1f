// Tells whether the process lives, whether it can work, and how much it does.
import Domain
import FoundationEssentials
import HTTP
import Platform
import Store
import Synchronization

final class Health: Sendable {
    private let look: @Sendable () async throws -> Readiness
    private let settings: Settings
    private let requests = Atomic(0)
    /// By the first digit of their status.
    private let answers = AnswerCounts()
    private let readiness = Mutex<(at: Stopwatch, found: Readiness)?>(nil)
    private let server = Mutex<Server?>(nil)
    private let began = Stopwatch()

    /// `look` asks the database; it throws where that does not answer.
    init(settings: Settings, look: @escaping @Sendable () async throws -> Readiness) {
        self.settings = settings
        self.look = look
    }

    func observe(_ server: Server) { self.server.withLock { $0 = server } }

    func count(_ request: Request) { requests.add(1, ordering: .relaxed) }

    func count(_ response: Response) { answers.add(response.status / 100) }

    /// Answers GET and HEAD on the three addresses for machines.
    func answer(_ request: Request) async -> Response {
        guard request.method == "GET" || request.method == "HEAD" else {
            return Self.json(#"{"title":"Method not allowed","status":405}"#, 405).with("Allow", "GET, HEAD")
        }
        switch request.path {
        case "/healthz": return live(request)
        case "/readyz": return await ready(request)
        default: return metrics(request)
        }
    }

    /// The process answers; says nothing of the database (R30).
    private func live(_ request: Request) -> Response {
        Self.json(#"{"status":"ok"}"#, 200)
    }

    /// Whether the database answers and has what it needs; asked anew at most once a second.
    private func ready(_ request: Request) async -> Response {
        let known = readiness.withLock { $0 }
        let found: Readiness
        if let known, known.at.milliseconds < 1000 {
            found = known.found
        } else {
            found = (try? await look()) ?? Readiness(problem: "the database does not answer, or was never migrated")
            readiness.withLock { $0 = (Stopwatch(), found) }
        }
        guard let problem = found.problem else { return Self.json(#"{"status":"ready"\#(found.details)}"#, 200) }
        return Self.json(#"{"status":"not ready","reason":"\#(problem)"\#(found.details)}"#, 503).with(
            "Retry-After", "1")
    }

    /// Prometheus text, for whoever has the token; without a token in the configuration there is no such page.
    private func metrics(_ request: Request) -> Response {
        guard let token = settings.metrics.token, let header = request.headers["Authorization"],
            ConstantTime.equal(header, "Bearer \(token.reveal())")
        else { return Self.json(#"{"title":"Not found","status":404}"#, 404) }
        let server = server.withLock { $0 }
        var lines = [
            "# TYPE vitrine_uptime_seconds gauge", "vitrine_uptime_seconds \(began.milliseconds / 1000)",
            "# TYPE vitrine_requests_total counter", "vitrine_requests_total \(requests.load(ordering: .relaxed))",
            "# TYPE vitrine_answers_total counter",
        ]
        for (kind, count) in answers.all {
            lines.append("vitrine_answers_total{class=\"\(kind)xx\"} \(count)")
        }
        lines += [
            "# TYPE vitrine_connections gauge", "vitrine_connections \(server?.connections ?? 0)",
            "# TYPE vitrine_requests_in_flight gauge", "vitrine_requests_in_flight \(server?.inFlight ?? 0)",
        ]
        return Response.bytes(
            Array((lines.joined(separator: "\n") + "\n").utf8), type: "text/plain; version=0.0.4; charset=utf-8")
    }

    private static func json(_ text: String, _ status: Int) -> Response {
        Response.json(Array(text.utf8), status: status)
            .with("Cache-Control", "no-store").with("X-Content-Type-Options", "nosniff")
    }
}

/// Counters that threads add to without waiting for each other.
private final class AnswerCounts: Sendable {
    private let successes = Atomic(0), redirections = Atomic(0), refusals = Atomic(0), faults = Atomic(0)

    func add(_ kind: Int) {
        switch kind {
        case 2: successes.add(1, ordering: .relaxed)
        case 3: redirections.add(1, ordering: .relaxed)
        case 4: refusals.add(1, ordering: .relaxed)
        default: faults.add(1, ordering: .relaxed)
        }
    }

    /// Those of which there was one.
    var all: [(kind: Int, count: Int)] {
        [
            (2, successes.load(ordering: .relaxed)), (3, redirections.load(ordering: .relaxed)),
            (4, refusals.load(ordering: .relaxed)), (5, faults.load(ordering: .relaxed)),
        ].filter { $0.1 > 0 }
    }
}
