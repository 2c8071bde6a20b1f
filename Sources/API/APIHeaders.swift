// The header fields of API responses, created once.
import HTTP
import Store

/// Three sets to copy into a response, which adds its own type, id and entity tag.
struct APIHeaders: Sendable {
    /// Guest content: any cache may store it, and must revalidate.
    let preview: Headers
    /// Content for this client only.
    let full: Headers
    /// Responses that are never stored: submissions, decisions, the queue, problems.
    let unkept: Headers

    init(environment: String) {
        preview = Self.make("public, max-age=0, must-revalidate", environment)
        full = Self.make("private, max-age=0, must-revalidate", environment)
        unkept = Self.make("no-store", environment)
    }

    private static func make(_ caching: String, _ environment: String) -> Headers {
        var headers = Headers()
        headers.append("Cache-Control", caching)
        headers.append("Vary", "Authorization, Accept-Encoding")
        headers.append("Referrer-Policy", "no-referrer")
        headers.append("X-Content-Type-Options", "nosniff")
        if environment == "test" { headers.append("Environment", "test") }
        return headers
    }
}

extension Response {
    /// A response with one of the sets and the request id; without a type if it has no body.
    init(
        _ request: Request, _ headers: Headers, status: Int = 200, type: String? = "application/json", body: [UInt8]
    ) {
        self.init(status: status, body: .bytes(body))
        self.headers = headers
        // Room for the request id and the fields of each response.
        self.headers.reserve(headers.fields.count + 4)
        if let type { self.headers.append("Content-Type", type) }
        self.headers.append("X-Request-Id", request.id)
    }
}
