// Allows pages of other origins to call the API (CORS) where configured; never with cookies.
import HTTP

struct CrossOrigin: Sendable {
    private let origins: Set<String>

    private static let methods = "GET, HEAD, POST"
    private static let requestHeaders =
        "Authorization, Content-Type, Idempotency-Key, If-None-Match, Vitrine-Publication"
    private static let responseHeaders =
        "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, Vitrine-Publication, "
        + "X-Request-Id"

    /// Nil if no other origin is allowed.
    init?(_ rules: DeliveryRules) {
        if rules.origins.isEmpty { return nil }
        origins = rules.origins
    }

    /// Adds the CORS fields that browsers require. The API's credentials are not cookies, so a page gets only
    /// access that it already has credentials for (S23).
    func add(to response: inout Response, for request: Request) {
        let isAll = origins.contains("*")
        // Caches must not reuse one origin's response for another.
        if !isAll { response.headers.append("Vary", "Origin") }
        guard let origin = request.headers["Origin"], isAll || origins.contains(origin) else { return }
        response.headers.append("Access-Control-Allow-Origin", isAll ? "*" : origin)
        response.headers.append("Access-Control-Expose-Headers", Self.responseHeaders)
        guard request.method == "OPTIONS", request.headers["Access-Control-Request-Method"] != nil else { return }
        response.headers.append("Access-Control-Allow-Methods", Self.methods)
        response.headers.append("Access-Control-Allow-Headers", Self.requestHeaders)
        response.headers.append("Access-Control-Max-Age", "7200")
    }
}
