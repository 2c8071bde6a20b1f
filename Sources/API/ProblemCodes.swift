// Every code that a problem can have, with its title and what to do about it.

enum ProblemCodes {
    struct Entry: Sendable {
        let status: Int
        let title: String
        let advice: String

        init(_ status: Int, _ title: String, _ advice: String) {
            self.status = status
            self.title = title
            self.advice = advice
        }
    }

    static let all: [String: Entry] = [
        "entry_exists": Entry(409, "Approved already", "The submission has become an entry; look at its state."),
        "already_approved": Entry(409, "Approved already", "Nothing is left to do."),
        "already_decided": Entry(409, "Decided already", "Look at the state of the submission."),
        "bad_request": Entry(400, "Bad request", "Correct what the errors name: a parameter, a cursor or a header."),
        "body_too_large": Entry(413, "Body too large", "Send less at once."),
        "busy": Entry(409, "Busy", "Others changed the same thing. Nothing was changed; send it again."),
        "encoding_not_supported": Entry(415, "Encoding not supported", "Send the body as it is, not compressed."),
        "expectation_not_supported": Entry(417, "Expectation not supported", "Expect 100-continue or nothing."),
        "forbidden": Entry(403, "Forbidden", "This client may not do this with these feeds or categories."),
        "gone": Entry(410, "Gone", "Forget what you kept of it; its id is never used again."),
        "headers_too_large": Entry(431, "Headers too large", "Send fewer or shorter headers."),
        "internal": Entry(500, "Our fault", "Notify the operator the request id; send it again later."),
        "in_use": Entry(409, "In use", "Take the image out of what shows it first."),
        "invalid": Entry(422, "Invalid", "Correct what the errors name; each has a JSON pointer into what was sent."),
        "key_reused": Entry(422, "Idempotency key used before", "Use a new key for another submission."),
        "length_required": Entry(411, "Length required", "Send Content-Length; transfer codings are not taken."),
        "malformed_json": Entry(400, "Malformed JSON", "Send one JSON document in UTF-8, without a member twice."),
        "malformed_request": Entry(400, "Malformed request", "Send HTTP/1.1 as RFC 9112 has it."),
        "malformed_text": Entry(400, "Malformed text", "Send UTF-8, percent-encoded where it must be."),
        "media_alt": Entry(422, "Image not described", "Write what the image shows, then publish again."),
        "media_file": Entry(422, "Image lost", "Add the same image again, or choose another."),
        "method_not_allowed": Entry(405, "Method not allowed", "Use a method that the Allow header names."),
        "missing_scope": Entry(
            403, "Scope missing", "Ask the administrator for a client with the scope that is named."),
        "needs_signed_url": Entry(
            403, "Signed address needed", "Ask the application for the signed address of this feed."),
        "needs_full_access": Entry(
            403, "Full access needed", "Read the preview, or use a client with the scope read-full."),
        "not_found": Entry(404, "Not found", "Check the address; what was withdrawn answers 410 instead."),
        "rate_limited": Entry(429, "Too many requests", "Wait as long as Retry-After says."),
        "release_finished": Entry(409, "Release finished", "The release was published or canceled meanwhile."),
        "rule": Entry(422, "Against a rule", "The rule that is named says no to this."),
        "stopping": Entry(503, "Stopping", "Send it again in a moment."),
        "slug_owner": Entry(422, "Address taken", "Another entry has this address; choose another."),
        "stale": Entry(409, "Changed meanwhile", "Look at the newest version, then decide again."),
        "target_too_long": Entry(414, "Address too long", "Ask for less in one request."),
        "too_many_attempts": Entry(429, "Too many wrong credentials", "Check the id and the secret; wait."),
        "too_many_fields": Entry(413, "Too many fields", "Send fewer fields."),
        "too_many_headers": Entry(431, "Too many headers", "Send fewer headers."),
        "too_many_parts": Entry(413, "Too many parts", "Send fewer parts."),
        "unauthorized": Entry(401, "Credentials needed", "Send the client's id and secret by HTTP Basic."),
        "unavailable": Entry(503, "Not now", "Send it again after Retry-After, a submission with its old key."),
        "unsupported_media_type": Entry(415, "Unsupported media type", "Send application/json or a form."),
        "version_not_supported": Entry(505, "HTTP version not supported", "Send HTTP/1.1."),
    ]

    static func title(of code: String, status: Int) -> String {
        all[code]?.title ?? usualTitle(of: status)
    }

    private static func usualTitle(of status: Int) -> String {
        switch status {
        case 400: "Bad request"
        case 409: "Conflict"
        case 413: "Too large"
        case 422: "Refused"
        case 500...: "Our fault"
        default: "Not possible"
        }
    }
}
