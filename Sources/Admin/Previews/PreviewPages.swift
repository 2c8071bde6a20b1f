// The list of preview links: creates and revokes them.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Operations
import Store

enum PreviewPages {
    private struct Line: Encodable, Sendable {
        struct Approval: Encodable, Sendable {
            let name: String
            let note: String
            let given: Instant
            let isStale: Bool
        }

        let id: ID<Preview>
        let title: String
        let instant: Instant
        /// The local time as entered, with its zone, if it is by another clock than the person's.
        let entered: String?
        let author: String
        let expires: Instant
        let state: String
        let tone: String
        let isActive: Bool
        /// The latest ones, and how many there are besides them.
        let approvals: [Approval]
        let more: Int?
    }

    private static let shownApprovals = 3

    private struct List: Encodable, Sendable {
        let lines: [Line]
        /// The URL of the link that was just created, shown once.
        let link: String?
        let title: String
        let days: String
        let time: PublishTimingForm
        let problem: ErrorSummary?
        let mayEdit: Bool
    }

    static func list(
        _ request: AdminRequest, link: String? = nil, errors: FieldErrors = FieldErrors()
    ) async throws -> Response {
        var lines: [Line] = []
        let rows = try await request.database.previews.all()
        let approvals = Dictionary(
            grouping: try await request.database.previews.approvals(of: rows.map(\.id), latest: shownApprovals),
            by: \.preview)
        for row in rows {
            let instant = Instant(row.instant)
            lines.append(
                Line(
                    id: row.id, title: row.title, instant: instant,
                    entered: instant.entered("\(row.localTime) \(row.zone)"),
                    author: ActorName.shown(row.createdBy), expires: Instant(row.expiresAt),
                    state: row.isRevoked
                        ? tr("Revoked", context: "list")
                        : row.isInactive ? tr("Expired", context: "list") : tr("Active", context: "list"),
                    tone: row.isInactive ? "" : "ok",
                    isActive: !row.isInactive,
                    approvals: approvals[row.id, default: []].map {
                        Line.Approval(name: $0.name, note: $0.note, given: Instant($0.approvedAt), isStale: $0.isStale)
                    }, more: row.approvals > shownApprovals ? row.approvals - shownApprovals : nil))
        }
        let model = List(
            lines: lines, link: link, title: request.text("title") ?? "", days: request.text("days") ?? "7",
            time: PublishTimingForm(request, errors: errors), problem: ErrorSummary(errors),
            mayEdit: request.actor.may(.createRelease))
        return try request.page(
            "admin/previews/list", model, title: tr("Previews", context: "list"),
            status: link == nil ? errors.status : 201)
    }

    static func create(_ request: AdminRequest) async throws -> Response {
        try await request.submit(orShow: { try await list($0, errors: $1) }) {
            let form = PublishTimingForm(request)
            let time = try WallTime(local: form.local, zone: form.zone)
            let created = try await request.services.managePreview.create(
                title: request.form.first("title") ?? "", at: time, days: Int(request.text("days") ?? "7") ?? 0,
                by: request.actor)
            return try await list(request, link: request.origin + AdminURL.previewShared(created.token.text))
        }
    }

    static func revoke(_ request: AdminRequest) async throws -> Response {
        try await request.services.managePreview.revoke(try request.id(), by: request.actor)
        return request.redirect(to: AdminURL.previews(), Flash(tr("Preview link revoked.")))
    }
}
