// The header fields of the API's answers, made once.
import HTTP
import Store

/// Four sets, ready to be copied into an answer, which then adds what is its own.
struct APIHeaders: Sendable {
    /// What a guest may see: any cache may keep it, and asks each time whether it is still good.
    let preview: Headers
    /// What only this client may see.
    let full: Headers
    /// Answers that nobody keeps: submissions, decisions, the queue.
    let unkept: Headers
    let problem: Headers

    init(environment: String) {
        preview = Self.make("application/json", "public, max-age=0, must-revalidate", environment)
        full = Self.make("application/json", "private, max-age=0, must-revalidate", environment)
        unkept = Self.make("application/json", "no-store", environment)
        problem = Self.make("application/problem+json", "no-store", environment)
    }

    private static func make(_ type: String, _ caching: String, _ environment: String) -> Headers {
        var headers = Headers()
        headers.append("Content-Type", type)
        headers.append("Cache-Control", caching)
        headers.append("Vary", "Authorization, Accept-Encoding")
        headers.append("Referrer-Policy", "no-referrer")
        headers.append("X-Content-Type-Options", "nosniff")
        if environment == "test" { headers.append("Environment", "test") }
        return headers
    }
}

extension Response {
    /// An answer with one of the sets and the request's id.
    init(_ request: Request, _ headers: Headers, status: Int = 200, body: [UInt8]) {
        self.init(status: status, body: .bytes(body))
        self.headers = headers
        // The request's id, and what each answer adds.
        self.headers.reserve(headers.fields.count + 4)
        self.headers.append("X-Request-Id", request.id)
    }
}
