// An error response in the form of RFC 9457.
import Domain
import HTTP
import Platform
import Store

/// Thrown at any point of request handling; sent unchanged.
package struct Problem: Error, Sendable {
    let status: Int
    /// A machine-readable code; the last segment of the URL that explains it.
    let code: String
    /// A human-readable sentence.
    let detail: String
    var errors: [FieldErrors.Item] = []
    /// Additional header fields.
    var headers: [(name: String, value: String)] = []
    /// Additional members of the document.
    var members: [String: JSONValue] = [:]

    init(_ status: Int, _ code: String, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    // MARK: Problems of the API

    static func unauthorized(_ detail: String) -> Problem {
        var problem = Problem(401, "unauthorized", detail)
        problem.headers = [("WWW-Authenticate", #"Basic realm="vitrine", charset="UTF-8""#)]
        return problem
    }

    static func tooManyRequests(_ allowance: RateLimiter.Allowance) -> Problem {
        var problem = Problem(
            429, "rate_limited", "This client is limited to \(allowance.perMinute) requests per minute.")
        problem.headers = [("Retry-After", String(allowance.seconds))] + RateLimitHeaders.of(allowance, "client")
        return problem
    }

    static func tooManyAttempts(retryAfter seconds: Int) -> Problem {
        var problem = Problem(429, "too_many_attempts", "Too many failed sign-ins from your IP address.")
        problem.headers = [("Retry-After", String(seconds))]
        return problem
    }

    /// More of a caller's work waits than of any other's, or the server is busy with others.
    private static func busy(_ error: WorkersBusy) -> Problem {
        guard error.isOwnDoing else { return .unavailable("unavailable", "The server is busy. Try again in a moment.") }
        var problem = Problem(
            429, "too_many_at_once", "Too many requests at once. Wait for responses before you send more.")
        problem.headers = [("Retry-After", "1")]
        return problem
    }

    static func tooManyRequests(retryAfter seconds: Int) -> Problem {
        var problem = Problem(429, "rate_limited", "Too many requests from your IP address.")
        problem.headers = [("Retry-After", String(seconds))]
        return problem
    }

    static let needsSignedURL = Problem(
        403, "needs_signed_url",
        "Use the current signed URL. This URL isn't signed, or its signature is no longer valid.")

    /// `parameter` is what requires it, if not the endpoint.
    static func missingScope(_ needed: ScopeSet, in parameter: String? = nil) -> Problem {
        if needed == .readFull {
            var problem = Problem(403, "needs_full_access", "This requires a client with the scope read-full.")
            if let parameter {
                problem.errors = FieldErrors("/query/\(parameter)", "scope", problem.detail).items
            }
            return problem
        }
        return Problem(403, "missing_scope", "This requires the scope \(needed.names.joined(separator: " or ")).")
    }

    static func gone(_ finding: ResolvedURL) -> Problem {
        var problem = Problem(410, "gone", "This entry was unpublished.")
        problem.members = [
            "id": .string(finding.id.description), "kind": .string(finding.kind),
            "publication": finding.publication.map(JSONValue.int) ?? .null,
            "gone_at": finding.goneAt.map(JSONValue.string) ?? .null,
        ]
        return problem
    }

    static func methodNotAllowed(_ method: String, allow: [String]) -> Problem {
        var problem = Problem(405, "method_not_allowed", "This URL doesn't support \(method).")
        problem.headers = [("Allow", allow.joined(separator: ", "))]
        return problem
    }

    /// `remedy` says how to start over, `restart` is the URL to start over from.
    static func historyChanged(_ remedy: String, restart: String) -> Problem {
        var problem = Problem(
            410, "history_changed",
            "The database was restored or lost its newest publications: what you have seen is not part of its history. "
                + remedy)
        problem.members["next_url"] = .string(restart)
        problem.headers = [("Link", "<\(restart)>; rel=\"next\"")]
        return problem
    }

    static let replicaBehind = unavailable(
        "replica_behind", "This replica has not received the publication that you have seen. Retry in a moment.")

    private static func unavailable(_ code: String, _ detail: String) -> Problem {
        var problem = Problem(503, code, detail)
        problem.headers = [("Retry-After", "1")]
        return problem
    }

    package static let notFound = Problem(404, "not_found", "Nothing was found at this URL.")

    // MARK: Failures

    /// The only mapping of failures to statuses; nil for an internal error.
    init?(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let failure as Failure: self.init(failure)
        case let error as WorkersBusy: self = .busy(error)
        case is CancellationError: self = .unavailable("unavailable", "The client has left, so nothing was done.")
        default: return nil
        }
    }

    private init(_ failure: Failure) {
        switch failure {
        case .invalid(let errors):
            // Errors in the URL or the head are 400; errors in a well-formed body are 422 (RFC 9110).
            let isBadRequest = errors.items.contains { item in
                item.pointer.hasPrefix("/query/") || item.pointer.hasPrefix("/headers/")
            }
            self.init(
                isBadRequest ? 400 : 422, isBadRequest ? "bad_request" : "invalid",
                errors.items.count == 1 ? errors.items[0].message : "\(errors.items.count) fields have errors.")
            self.errors = errors.items
        case .missing(let what):
            self.init(404, "not_found", "There is no such \(what.replacing("_", with: " ")).")
        case .conflict(let code, let message): self.init(409, code, message)
        case .stale: self.init(409, "stale", failure.sentence)
        case .forbidden(let message): self.init(403, "forbidden", message)
        case .refused(let code, let message): self.init(ProblemCodes.all[code]?.status ?? 422, code, message)
        case .unavailable(let message, _): self = .unavailable("unavailable", message)
        }
    }

    // MARK: Response

    /// The document; `instance` is the request's id.
    func document(publicURL: String, instance: String) -> [UInt8] {
        var document = members
        document["type"] = .string(publicURL + "/problems/" + code)
        document["title"] = .string(ProblemCodes.title(of: code, status: status))
        document["status"] = .int(Int64(status))
        document["detail"] = .string(detail)
        document["code"] = .string(code)
        document["instance"] = .string(instance)
        if !errors.isEmpty {
            document["errors"] = .array(
                errors.map { item in
                    .object([
                        "pointer": .string(item.pointer), "code": .string(item.code), "detail": .string(item.message),
                    ])
                })
        }
        return Array(JSONValue.object(document).canonicalText.utf8)
    }
}
