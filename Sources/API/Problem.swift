// An answer that is not what was asked for, as RFC 9457 has it.
import Domain
import HTTP
import Store

/// Thrown by whatever stands between request and answer; it is answered as it is.
struct Problem: Error, Sendable {
    let status: Int
    /// A word for programs; the end of the address where it is explained.
    let code: String
    /// A sentence for people.
    let detail: String
    var errors: [FieldErrors.Item] = []
    /// Header fields that belong to it.
    var headers: [(name: String, value: String)] = []
    /// Further members of the document.
    var members: [String: JSONValue] = [:]

    init(_ status: Int, _ code: String, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    // MARK: Those that the API itself has

    static func unauthorized(_ detail: String) -> Problem {
        var problem = Problem(401, "unauthorized", detail)
        problem.headers = [("WWW-Authenticate", #"Basic realm="vitrine", charset="UTF-8""#)]
        return problem
    }

    static func tooManyRequests(_ allowance: RateLimiter.Allowance) -> Problem {
        var problem = Problem(429, "rate_limited", "This client may send \(allowance.perMinute) requests a minute.")
        problem.headers = [("Retry-After", String(allowance.seconds))] + RateLimitHeaders.of(allowance, "client")
        return problem
    }

    static func tooManyAttempts(retryAfter seconds: Int) -> Problem {
        var problem = Problem(429, "too_many_attempts", "Too many wrong credentials came from your address.")
        problem.headers = [("Retry-After", String(seconds))]
        return problem
    }

    static func tooManyRequests(retryAfter seconds: Int) -> Problem {
        var problem = Problem(429, "rate_limited", "Too many requests came from your address.")
        problem.headers = [("Retry-After", String(seconds))]
        return problem
    }

    static let needsSignedURL = Problem(
        403, "needs_signed_url",
        "Only the signed address opens this; the one that was used does not, or not any more.")

    static func missingScope(_ needed: ScopeSet) -> Problem {
        if needed == .readFull {
            return Problem(403, "needs_full_access", "Only a client with the scope read-full may see this.")
        }
        return Problem(403, "missing_scope", "This needs the scope \(needed.names.joined(separator: " or ")).")
    }

    static func gone(_ finding: URLDetection) -> Problem {
        var problem = Problem(410, "gone", "This was public once and was withdrawn.")
        problem.members = [
            "id": .string(finding.id.description), "kind": .string(finding.kind),
            "publication": finding.publication.map(JSONValue.int) ?? .null,
            "gone_at": finding.goneAt.map(JSONValue.string) ?? .null,
        ]
        return problem
    }

    static func methodNotAllowed(_ method: String, allow: [String]) -> Problem {
        var problem = Problem(405, "method_not_allowed", "This address does not take \(method).")
        problem.headers = [("Allow", allow.joined(separator: ", "))]
        return problem
    }

    static let notFound = Problem(404, "not_found", "There is nothing at this address.")

    // MARK: What the house says

    /// The one place where a failure becomes a status; nil for a fault of ours.
    init?(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let failure as Failure: self.init(failure)
        default: return nil
        }
    }

    private init(_ failure: Failure) {
        switch failure {
        case .invalid(let errors):
            // What stands in the address or the head is a bad request; what stands in a body was understood (RFC 9110).
            let isBadRequest = errors.items.contains { item in
                item.pointer == "/cursor" || item.pointer.hasPrefix("/query/") || item.pointer.hasPrefix("/headers/")
            }
            self.init(
                isBadRequest ? 400 : 422, isBadRequest ? "bad_request" : "invalid",
                errors.items.count == 1 ? errors.items[0].message : "\(errors.items.count) things are wrong with this.")
            self.errors = errors.items
        case .missing(let what):
            self.init(404, "not_found", "There is no such \(what.replacing("_", with: " ")).")
        case .conflict(let code, let message): self.init(409, code, message)
        case .stale: self.init(409, "stale", failure.sentence)
        case .forbidden(let message): self.init(403, "forbidden", message)
        case .refused(let code, let message): self.init(422, code, message)
        case .unavailable(let message):
            self.init(503, "unavailable", message)
            headers = [("Retry-After", "1")]
        }
    }

    // MARK: As an answer

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
