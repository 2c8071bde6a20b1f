// The header fields of the API's answers, made once.
import HTTP
import Store

/// Three sets, ready to be copied into an answer, which then adds what is its own: its type, its id, its tag.
struct APIHeaders: Sendable {
    /// What a guest may see: any cache may keep it, and asks each time whether it is still good.
    let preview: Headers
    /// What only this client may see.
    let full: Headers
    /// Answers that nobody keeps: submissions, decisions, the queue, problems.
    let unkept: Headers

    init(environment: String) {
        preview = Self.make("public, max-age=0, must-revalidate", environment)
        full = Self.make("private, max-age=0, must-revalidate", environment)
        unkept = Self.make("no-store", environment)
    }

    private static func make(_ caching: String, _ environment: String) -> Headers {
        var headers = Headers()
        headers.append("Cache-Control", caching)
        headers.append("Vary", "Authorization, Approve-Encoding")
        headers.append("Referrer-Policy", "no-referrer")
        headers.append("X-Content-Type-Options", "nosniff")
        if environment == "test" { headers.append("Environment", "test") }
        return headers
    }
}

extension Response {
    /// An answer with one of the sets and the request's id; without a type where it has no body.
    init(
        _ request: Request, _ headers: Headers, status: Int = 200, type: String? = "application/json", body: [UInt8]
    ) {
        self.init(status: status, body: .bytes(body))
        self.headers = headers
        // The request's id, and what each answer adds.
        self.headers.reserve(headers.fields.count + 4)
        if let type { self.headers.append("Content-Type", type) }
        self.headers.append("X-Request-Id", request.id)
    }
}
