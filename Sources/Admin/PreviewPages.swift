// The links to the image of another instant: made, listed, revoked by the team.
import Domain
import FoundationEssentials
import HTTP
import Publishing
import Store

enum PreviewPages {
    static let routes =
        [
            AdminEndpoint(method: "GET", pattern: "/previews", access: .may(.readQueue)) { try await list($0) },
            AdminEndpoint(method: "POST", pattern: "/previews", access: .may(.makeRelease), handler: make),
            AdminEndpoint(
                method: "POST", pattern: "/previews/{id}/revoke", access: .may(.makeRelease), handler: revoke),
        ] + ImagePages.routes

    private struct Line: Encodable, Sendable {
        struct Approval: Encodable, Sendable {
            let name: String
            let note: String
            let given: Instant
            let isStale: Bool
        }

        let id: ID<Preview>
        let title: String
        let local: String
        let instant: Instant
        let author: String
        let expires: Instant
        let state: String
        let tone: String
        let isOpen: Bool
        let approvals: [Approval]
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        /// The address of the link that was just made: shown once.
        let link: String?
        let title: String
        let days: String
        let when: PublishTimingForm
        let problem: ErrorSummary?
        let mayMake: Bool
    }

    private static func list(
        _ request: AdminRequest, link: String? = nil, errors: FieldErrors = FieldErrors()
    ) async throws -> Response {
        var lines: [Line] = []
        let rows = try await request.database.previews.all()
        let said = Dictionary(
            grouping: try await request.database.previews.approvals(of: rows.map(\.id)), by: \.preview)
        for row in rows {
            lines.append(
                Line(
                    id: row.id, title: row.title, local: "\(row.localTime) \(row.zone)", instant: Instant(row.instant),
                    author: row.createdBy, expires: Instant(row.expiresAt),
                    state: row.isRevoked ? "revoked" : row.isOver ? "expired" : "open", tone: row.isOver ? "" : "ok",
                    isOpen: !row.isOver,
                    approvals: said[row.id, default: []].map {
                        Line.Approval(name: $0.name, note: $0.note, given: Instant($0.approvedAt), isStale: $0.isStale)
                    }))
        }
        let model = List(
            lines: lines, link: link, title: request.text("title") ?? "", days: request.text("days") ?? "7",
            when: PublishTimingForm(request), problem: ErrorSummary(errors), mayMake: request.actor.may(.makeRelease))
        return try request.page(
            "admin/previews/list", model, title: (errors.isEmpty ? "" : "Error: ") + "Previews",
            status: errors.isEmpty ? (link == nil ? 200 : 201) : 422)
    }

    private static func make(_ request: AdminRequest) async throws -> Response {
        do {
            let when = PublishTimingForm(request)
            let time = try WallTime(local: when.local, zone: when.zone)
            let made = try await PreviewInstant(database: request.database).make(
                title: request.form.first("title") ?? "", at: time, days: Int(request.text("days") ?? "7") ?? 0,
                by: request.actor)
            return try await list(request, link: request.origin + "/preview/\(made.token.text)/")
        } catch Failure.invalid(let errors) {
            return try await list(request, errors: errors)
        }
    }

    private static func revoke(_ request: AdminRequest) async throws -> Response {
        try await PreviewInstant(database: request.database).revoke(try request.id(), by: request.actor)
        return request.redirect(to: "/previews", Flash("The link is revoked: it opens nothing any more."))
    }
}
