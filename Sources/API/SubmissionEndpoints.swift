// Creates and shows submissions.
import Domain
import HTTP
import Platform
import Store

enum SubmissionEndpoints {
    /// `POST /v1/submissions`: 201 once the submission is committed (R1), also for a repeated request (R2). Its only
    /// database access is the write itself.
    static func receive(_ call: APICall) async throws -> Response {
        let client = try call.client()
        let allowance = call.site.submissions.take(client.id.description)
        if let allowance, !allowance.isGranted { throw tooMany(allowance) }
        let draft = try SubmissionReader.draft(call.request, rules: call.site.context.rules)
        let receipt = try await call.services().receiveSubmission(draft, by: client.actor(of: call.request))
        let id = receipt.id
        let url = call.site.context.publicURL + "/v1/submissions/" + id.description
        var body = #"{"id":"\#(id)","state":"pending","status_url":"\#(url)""#
        if let key = call.site.context.statusKey {
            let page = call.site.context.publicURL + AdminURL.status(key.text(for: id.bytes, edition: 1))
            body += #","status_page":"\#(page)""#
        }
        body += #","warnings":\#(receipt.warnings.json.canonicalText)}"#
        var response = Response(call.request, call.site.headers.unkept, status: 201, body: Array(body.utf8))
        response.headers.append("Location", url)
        if let allowance { RateLimitHeaders.add(allowance, "submissions", to: &response) }
        return response
    }

    static func tooMany(_ allowance: RateLimiter.Allowance) -> Problem {
        var problem = Problem(
            429, "rate_limited", "This client is limited to \(allowance.perMinute) submissions per minute.")
        problem.headers = [("Retry-After", String(allowance.seconds))] + RateLimitHeaders.of(allowance, "submissions")
        return problem
    }

    /// `GET /v1/submissions/{id}`: a portal sees its own; a reviewer sees all, with more details.
    static func find(_ call: APICall) async throws -> Response {
        let client = try call.client()
        guard let id = ID<Submission>(call.path("id")),
            let submission = try await call.services().database.submissions.find(id)
        else { throw Failure.missing("submission") }
        let isReviewer = client.scopes.contains(.review)
        // Submissions of other clients are reported as missing (S15).
        guard isReviewer || submission.client == client.id else { throw Failure.missing("submission") }
        var document = outline(submission)
        if submission.state != .pending, submission.state != .approved {
            let decisions = try await call.services().database.decisions.history(of: id)
            if let decision = decisions.last { document["decision"] = Self.decision(decision) }
        }
        if isReviewer { document.merge(details(submission)) { first, _ in first } }
        let body = JSONValue.object(document).canonicalText
        return Response(call.request, call.site.headers.unkept, body: Array(body.utf8))
    }

    private static func outline(_ submission: SubmissionRow) -> [String: JSONValue] {
        [
            "id": .string(submission.id.description), "type": .string(submission.type),
            "title": .string(submission.title), "state": .string(submission.state.rawValue),
            "received_at": .string(InstantText.text(submission.receivedAt)),
            "entry": submission.entry.map { .string($0.description) } ?? .null,
            "version": .int(Int64(submission.version)),
        ]
    }

    private static func decision(_ decision: DecisionRow) -> JSONValue {
        .object([
            "verdict": .string(decision.verdict), "reason": decision.reason.map(JSONValue.string) ?? .null,
            "message": decision.message.map(JSONValue.string) ?? .null,
            "field_notes": .object(decision.fieldNotes.mapValues(JSONValue.string)),
            "decided_at": .string(InstantText.text(decision.decidedAt)),
        ])
    }

    private static func details(_ submission: SubmissionRow) -> [String: JSONValue] {
        var details: [String: JSONValue] = [
            "client": .object([
                "id": .string(submission.client.description), "name": .string(submission.clientName),
            ]),
            "contributor": submission.contributor.map(JSONValue.string) ?? .null,
            "category": submission.requestedCategory.map(JSONValue.string) ?? .null,
            "fields": .object(submission.fields),
        ]
        if let damage = submission.stored.damage { details["damaged"] = .string(damage) }
        return details
    }
}
