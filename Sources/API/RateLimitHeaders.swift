// Tells a client what its limit is and what is left of it, as the IETF's draft "RateLimit header fields for HTTP" has it.
import HTTP

enum RateLimitHeaders {
    /// `policy` is what is counted: "client" all requests of a client, "submissions" what it sends in.
    static func of(_ allowance: RateLimiter.Allowance, _ policy: String) -> [(name: String, value: String)] {
        [
            ("RateLimit-Policy", "\"\(policy)\";q=\(allowance.perMinute);w=60"),
            ("RateLimit", "\"\(policy)\";r=\(allowance.remaining);t=\(allowance.seconds)"),
        ]
    }

    /// Beside those of other policies: both fields are lists.
    static func add(_ allowance: RateLimiter.Allowance, _ policy: String, to response: inout Response) {
        for (name, value) in of(allowance, policy) { response.headers.append(name, value) }
    }
}
