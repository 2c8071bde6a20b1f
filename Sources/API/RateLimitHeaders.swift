// Rate limit header fields according to the IETF draft "RateLimit header fields for HTTP".
import HTTP

enum RateLimitHeaders {
    /// `policy` names the limit: "client" for all requests of a client, "submissions" for its submissions.
    static func of(_ allowance: RateLimiter.Allowance, _ policy: String) -> [(name: String, value: String)] {
        [
            ("RateLimit-Policy", "\"\(policy)\";q=\(allowance.perMinute);w=60"),
            ("RateLimit", "\"\(policy)\";r=\(allowance.remaining);t=\(allowance.seconds)"),
        ]
    }

    /// Appended to other policies: both fields are lists.
    static func add(_ allowance: RateLimiter.Allowance, _ policy: String, to response: inout Response) {
        for (name, value) in of(allowance, policy) { response.headers.append(name, value) }
    }
}
