// Lets pages of other origins call the API (CORS), where the deployment says so: never with cookies.
import HTTP

struct CrossOrigin: Sendable {
    private let origins: Set<String>

    private static let methods = "GET, HEAD, POST"
    private static let requestHeaders = "Authorization, Content-Type, Idempotency-Key, If-None-Match"
    private static let answerHeaders =
        "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, Deprecation, Sunset, X-Request-Id"

    /// Nil where no other origin is let in.
    init?(_ rules: DeliveryRules) {
        if rules.origins.isEmpty { return nil }
        origins = rules.origins
    }

    /// Adds what a browser wants to see before it hands an answer over. The API's credentials are no cookies, so nothing
    /// is let in that the page does not hold itself (S23).
    func add(to response: inout Response, for request: Request) {
        let isAll = origins.contains("*")
        // Caches must not give one origin's answer to another.
        if !isAll { response.headers.append("Vary", "Origin") }
        guard let origin = request.headers["Origin"], isAll || origins.contains(origin) else { return }
        response.headers.append("Access-Control-Allow-Origin", isAll ? "*" : origin)
        response.headers.append("Access-Control-Expose-Headers", Self.answerHeaders)
        guard request.method == "OPTIONS", request.headers["Access-Control-Request-Method"] != nil else { return }
        response.headers.append("Access-Control-Allow-Methods", Self.methods)
        response.headers.append("Access-Control-Allow-Headers", Self.requestHeaders)
        response.headers.append("Access-Control-Max-Age", "7200")
    }
}
