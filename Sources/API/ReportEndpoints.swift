// Receives reports about published entries, and shows what became of them.
import Domain
import HTTP
import Operations
import Platform
import Store

enum ReportEndpoints {
    private static let members = [
        "entry", "slug", "kind", "reason", "text", "reporter", "reporter_email", "reporter_locale",
    ]

    /// `POST /v1/reports`: 201 once the report is committed; 200 if it was stored before, by the same request or as the
    /// same reporter's report of the entry.
    static func receive(_ call: APICall) async throws -> Response {
        let client = try call.client()
        let allowance = call.site.reports.clients.take(client.id.description)
        if let allowance, !allowance.isGranted { throw tooMany(allowance) }
        if let network = call.site.reports.networks.take(from: call.request.remoteAddress), !network.isGranted {
            throw Problem.tooManyRequests(retryAfter: network.seconds)
        }
        let draft = try draft(call.request)
        let report = try await call.services().receiveReport(draft, by: client.actor(of: call.request))
        let url = call.site.context.publicURL + "/v1/reports/" + report.id.description
        let body = JSONValue.object([
            "id": .string(report.id.description), "entry": .string(report.entry.description), "url": .string(url),
            "is_new": .bool(report.isNew),
        ]).canonicalText
        var response = Response(
            call.request, call.site.headers.unkept, status: report.isNew ? 201 : 200, body: Array(body.utf8))
        response.headers.append("Location", url)
        if let allowance { RateLimitHeaders.add(allowance, "reports", to: &response) }
        return response
    }

    private static func tooMany(_ allowance: RateLimiter.Allowance) -> Problem {
        var problem = Problem(
            429, "rate_limited", "This client is limited to \(allowance.perMinute) reports per minute.")
        problem.headers = [("Retry-After", String(allowance.seconds))] + RateLimitHeaders.of(allowance, "reports")
        return problem
    }

    private static func draft(_ request: Request) throws -> ReportDraft {
        var body = try JSONBody(request)
        body.allow(members)
        let subject = subject(&body)
        let written = body.text("reason", isRequired: true)
        let reason = written.flatMap { ReportReason(rawValue: $0) }
        if written != nil, reason == nil {
            let known = ReportReason.allCases.map(\.rawValue).joined(separator: ", ")
            body.add("/reason", "choice", "Choose one of: \(known).")
        }
        let texts = (
            text: body.text("text"), reporter: body.text("reporter"), email: body.text("reporter_email"),
            locale: body.text("reporter_locale")
        )
        try body.errors.throwIfAny()
        guard let subject, let reason else { throw Failure.invalid(body.errors) }
        return ReportDraft(
            subject, reason, text: texts.text, reporter: texts.reporter, reporterEmail: texts.email,
            reporterLocale: texts.locale, idempotencyKey: try IdempotencyKey.read(request.headers))
    }

    private static func subject(_ body: inout JSONBody) -> ReportDraft.Subject? {
        let (entry, slug, kind) = (body.text("entry"), body.text("slug"), body.text("kind"))
        switch (entry, slug) {
        case (let entry?, nil):
            if kind != nil { body.add("/kind", "unknown_field", "An id needs no kind. Remove this field.") }
            guard let id = ID<Entry>(entry) else {
                body.add("/entry", "format", "Send an id. Slugs are sent as slug.")
                return nil
            }
            return .id(id)
        case (nil, let slug?): return .slug(slug, kind: kind ?? "item")
        case (nil, nil): body.add("/entry", "required", "Send either entry or slug.")
        case (_?, _?): body.add("/slug", "unknown_field", "Send either entry or slug.")
        }
        return nil
    }

    /// `GET /v1/reports/{id}`: a client sees its own.
    static func find(_ call: APICall) async throws -> Response {
        let client = try call.client()
        guard let id = ID<Report>(call.path("id")),
            let report = try await call.services().database.reports.find(id), report.client == client.id.uuid
        else { throw Failure.missing("report") }
        let body = JSONValue.object([
            "id": .string(report.id.description), "entry": .string(report.entry.description),
            "reason": .string(report.reason.rawValue),
            "state": .string(report.outcome == nil ? "open" : "decided"),
            "outcome": report.outcome.map { .string($0.rawValue) } ?? .null,
            "received_at": .string(InstantText.text(report.receivedAt)),
            "decided_at": report.decidedAt.map { .string(InstantText.text($0)) } ?? .null,
        ]).canonicalText
        return Response(call.request, call.site.headers.unkept, body: Array(body.utf8))
    }
}
