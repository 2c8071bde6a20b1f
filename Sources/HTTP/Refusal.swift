// What HTTP itself refuses before a handler is asked, each with a status, a stable code and a sentence.

/// A request that is not taken. It gets its response immediately, before the rest of it arrives, and the connection closes:
/// nothing of a refused request can be read as another request.
struct Refusal: Error, Equatable {
    let status: Int
    let code: String
    let message: String

    init(_ status: Int, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    static func malformed(_ message: String) -> Refusal { Refusal(400, "malformed_request", message) }

    static func unreadableHead(status: Int) -> Refusal {
        switch status {
        case 414: Refusal(414, "target_too_long", "The request line is too long.")
        case 431: Refusal(431, "headers_too_large", "The headers are too large.")
        default: .malformed("A header has a value that cannot be understood.")
        }
    }

    static func form(_ fault: FormFields.Fault, status: Int) -> Refusal {
        switch fault {
        case .text(let text): Refusal(400, "malformed_text", text.rawValue)
        case .tooMany(let limit): Refusal(status, "too_many_fields", "There are more than \(limit) fields.")
        case .longName(let limit): Refusal(400, "name_too_long", "The name of a field has more than \(limit) bytes.")
        }
    }

    static let busy = Refusal(
        503, "too_many_bodies", "Too many large requests are being sent. Try again in a few seconds.")

    static let tooMuchAtOnce = Refusal(
        429, "too_many_at_once", "Too many requests at once come from your network. Try again in a moment.")

    static func bodyTooLarge(limit: Int) -> Refusal {
        Refusal(413, "body_too_large", "The body is larger than the \(limit) bytes that are taken here.")
    }
}
