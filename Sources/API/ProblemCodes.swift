// All problem codes, with title and advice.

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
        "entry_exists": Entry(409, "Entry exists", "The submission already has an entry. Check its state."),
        "already_approved": Entry(409, "Already approved", "No action is needed."),
        "already_decided": Entry(409, "Already decided", "Check the state of the submission."),
        "bad_request": Entry(400, "Bad request", "Correct the parameter, cursor or header that the errors name."),
        "body_too_large": Entry(413, "Body too large", "Send a smaller body."),
        "busy": Entry(409, "Busy", "Another request changed the same data. Nothing was saved. Retry."),
        "contributor_blocked": Entry(
            403, "Contributor blocked", "Tell the contributor. The team can lift the block."),
        "encoding_not_supported": Entry(415, "Encoding not supported", "Send the body uncompressed."),
        "expectation_not_supported": Entry(
            417, "Expectation not supported", "Send Expect: 100-continue or no Expect header."),
        "forbidden": Entry(403, "Forbidden", "This client doesn't have access to these feeds or categories."),
        "gone": Entry(410, "Gone", "Delete your copy. The id is never reused."),
        "headers_too_large": Entry(431, "Headers too large", "Send fewer or shorter headers."),
        "history_changed": Entry(
            410, "History changed",
            "Continue with next_url. Copies: discard yours first, and read the tables again. Events: skip those you have "
                + "handled."),
        "internal": Entry(500, "Internal error", "Send the request id to the operator. Retry later."),
        "in_use": Entry(409, "In use", "Remove the image from the entries that use it."),
        "invalid": Entry(422, "Invalid", "Correct the fields that the errors name by JSON pointer."),
        "key_reused": Entry(422, "Idempotency key reused", "Use a new key for each submission."),
        "length_required": Entry(411, "Length required", "Send Content-Length. Transfer codings aren't supported."),
        "malformed_json": Entry(400, "Malformed JSON", "Send one JSON document in UTF-8 without duplicate members."),
        "malformed_request": Entry(400, "Malformed request", "Send HTTP/1.1 according to RFC 9112."),
        "malformed_text": Entry(400, "Malformed text", "Send UTF-8, percent-encoded where required."),
        "media_alt": Entry(422, "Alternative text missing", "Add alternative text, then publish again."),
        "media_file": Entry(422, "Image file missing", "Upload the image again, or choose another."),
        "method_not_allowed": Entry(405, "Method not allowed", "Use a method from the Allow header."),
        "missing_scope": Entry(
            403, "Missing scope", "Ask your administrator for a client with this scope."),
        "needs_signed_url": Entry(
            403, "Signed URL required", "Get the signed URL of this feed from the application."),
        "needs_full_access": Entry(
            403, "Full access required", "Read the preview, or use a client with the scope read-full."),
        "not_found": Entry(404, "Not found", "Check the URL. Unpublished entries return 410."),
        "rate_limited": Entry(429, "Too many requests", "Wait for the time in Retry-After."),
        "replica_behind": Entry(503, "Replica is behind", "Retry after Retry-After, or ask another server."),
        "release_finished": Entry(409, "Release finished", "The release has been published or canceled."),
        "rule": Entry(422, "Rule violated", "See the rule named in the detail."),
        "stopping": Entry(503, "Stopping", "Retry in a moment."),
        "slug_owner": Entry(422, "Slug taken", "Another entry has this slug. Choose another."),
        "stale": Entry(409, "Changed", "Read the current version, then retry."),
        "target_too_long": Entry(414, "URL too long", "Request less at once."),
        "too_many_at_once": Entry(429, "Too many requests at once", "Wait for responses before you send more."),
        "too_many_attempts": Entry(429, "Too many failed sign-ins", "Check the id and secret, then wait."),
        "too_many_bodies": Entry(503, "Too many large bodies", "Retry after Retry-After, or send less at a time."),
        "too_many_fields": Entry(413, "Too many fields", "Send fewer fields."),
        "too_many_headers": Entry(431, "Too many headers", "Send fewer headers."),
        "too_many_parts": Entry(413, "Too many parts", "Send fewer parts."),
        "unauthorized": Entry(401, "Credentials required", "Send the client's id and secret by HTTP Basic."),
        "unavailable": Entry(503, "Unavailable", "Retry after Retry-After; use the same idempotency key."),
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
        case 422: "Invalid"
        case 500...: "Internal error"
        default: "Error"
        }
    }
}
