// Contributors: a list with search, and a page for each with everything they have sent.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Operations
import Store

enum ContributorPages {
    private static let perPage = 25
    /// Counting stops here in the list.
    private static let countLimit = 1000
    /// Submissions in one file; the command line exports more.
    private static let exportLimit = 1000

    private struct Line: Encodable, Sendable {
        let contributor: ContributorLink
        let source: String
        let submissions: String
        let lastSeen: Instant?
        let until: Instant?
    }

    private struct List: Encodable, Sendable {
        let q: String?
        let statuses: [Option]
        let lines: [Line]
        let isFiltered: Bool
        let first: String?
        let next: String?
    }

    static func list(_ request: AdminRequest) async throws -> Response {
        let query = request.text("q").map { String($0.prefix(254)) }
        let status = request.text("status").flatMap(ContributorStatus.init)
        let cursor = request.cursor
        let page = try await request.database.reputations.page(
            query, status, cursor: cursor, limit: perPage, countLimit: countLimit)
        func url(_ cursor: String?) -> String {
            AdminURL.contributors(query: ["q": query, "status": status?.rawValue, "cursor": cursor])
        }
        let model = List(
            q: query,
            statuses: Option.list(
                [("", tr("All", context: "contributor list"))]
                    + ContributorStatus.allCases.map { ($0.rawValue, $0.label) },
                chosen: status?.rawValue),
            lines: page.items.map { line in
                Line(
                    contributor: ContributorLink(line.contributor), source: ActorName.shown(line.contributor.source),
                    submissions: CountText.text(line.submissions, limit: countLimit),
                    lastSeen: line.lastSeen.map { Instant($0) }, until: line.contributor.until.map { Instant($0) })
            },
            isFiltered: query != nil || status != nil, first: cursor.map { _ in url(nil) },
            next: page.next.map { url($0) })
        return try request.page("admin/contributors/list", model, title: tr("Contributors", context: "section"))
    }

    // MARK: One contributor: a tab each

    static func submissions(_ request: AdminRequest) async throws -> Response {
        let model = try await ContributorSubmissions.load(request, try await find(request))
        return try request.page("admin/contributors/submissions", model, title: model.header.title(.submissions))
    }

    static func reports(_ request: AdminRequest) async throws -> Response {
        let model = try await ContributorReports.load(request, try await find(request))
        return try request.page("admin/contributors/reports", model, title: model.header.title(.reports))
    }

    static func messages(_ request: AdminRequest) async throws -> Response {
        let model = try await ContributorMessages.load(request, try await find(request))
        return try request.page("admin/contributors/messages", model, title: model.header.title(.messages))
    }

    static func notes(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let contributor = try await find(request)
        var request = try await NotePanel.saving(
            request, .contributor(contributor.id), title: ContributorLink(contributor).name)
        let notes = try await NotePanel.load(&request, .contributor(contributor.id), errors: errors)
        let model = try await ContributorNotes.load(request, contributor, notes: notes, errors: errors)
        return try request.page(
            "admin/contributors/notes", model, title: model.header.title(.notes), status: errors.status)
    }

    static func status(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        var request = request
        let contributor = try await find(request)
        let restored = try await ContributorStatusForm.restored(&request, contributor)
        let model = try await ContributorStatusPage.load(request, contributor, restored: restored, errors: errors)
        return try request.page(
            "admin/contributors/status", model, title: model.header.title(.status), status: errors.status)
    }

    private static func find(_ request: AdminRequest) async throws -> ReputationRow {
        try await request.database.reputations.find(try request.id()).orMissing("contributor")
    }

    /// Trusts, blocks, or (with neither) ends both.
    static func setStatus(_ request: AdminRequest) async throws -> Response {
        let contributor = try await find(request)
        let name = ContributorLink(contributor).name
        let manage = request.services.manageContributor
        return try await request.submit(orShow: status) {
            let flash: Flash
            switch ContributorStatus(rawValue: request.form.first("status") ?? "") {
            case nil:
                guard let status = ContributorStatus(rawValue: request.form.first("lift") ?? "") else {
                    throw Failure.invalid(FieldErrors("/status", "choice", tr("Choose trusted or blocked.")))
                }
                try await manage.lift(status, of: contributor.id, by: request.actor)
                flash = Flash(
                    status == .blocked
                        ? tr("\(name) is no longer blocked.") : tr("\(name) is no longer trusted."))
            case .some(let status):
                let draft = ContributorStatusDraft(
                    status, reason: request.form.first("reason") ?? "",
                    until: try ContributorStatusForm.until(request.form))
                try await manage.set(draft, on: contributor.id, by: request.actor)
                flash = Flash(status == .blocked ? tr("\(name) is blocked.") : tr("\(name) is trusted."))
            }
            return request.redirect(to: AdminURL.contributorStatus(contributor.id), flash)
        }
    }

    static func addNote(_ request: AdminRequest) async throws -> Response {
        let contributor = try await find(request)
        return try await request.submit(orShow: notes) {
            let outcome = try await request.services.addNote(
                request.form.first("text") ?? "", on: .contributor(contributor.id), by: request.actor)
            return request.redirect(to: AdminURL.contributorNotes(contributor.id), Flash(outcome))
        }
    }

    // MARK: Export and erasure

    static func export(_ request: AdminRequest) async throws -> Response {
        let contributor = try await find(request)
        var lines: [String] = []
        try await request.services.manageContributor.export(contributor.id, by: request.actor) { documents in
            lines += documents
            return lines.count <= exportLimit
        }
        guard lines.count <= exportLimit else {
            throw Failure.conflict(
                code: "export_too_large",
                message: tr(
                    "This contributor has sent more than \(CountText.text(exportLimit, limit: exportLimit)) submissions. To export all of them, run: vitrine contributor export \(contributor.id)"
                ))
        }
        var response = Response(status: 200, body: .bytes(Array((lines.joined(separator: "\n") + "\n").utf8)))
        response.headers.set("Content-Type", "application/jsonl; charset=utf-8")
        response.headers.set("Content-Disposition", "attachment; filename=\"contributor.jsonl\"")
        return response
    }

    private struct Erasure: Encodable, Sendable {
        let contributor: ContributorLink
        let submissions: String
        /// How many must be decided first; nil for none.
        let pending: String?
        let pendingURL: String
        let isBlocked: Bool
        let problem: ErrorSummary?
    }

    static func confirm(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let contributor = try await find(request)
        let record = try await request.database.reputations.record(of: contributor.id)
        let pending = record.count(.pending)
        let model = Erasure(
            contributor: ContributorLink(contributor),
            submissions: record.count >= ReputationRecord.limit
                ? tr("all submissions", context: "contributor")
                : BulkActionKind.Object.submission.count(record.count),
            pending: pending > 0 ? String(pending) : nil,
            pendingURL: AdminURL.contributor(contributor.id, query: ["state": "pending"]),
            isBlocked: contributor.status == .blocked, problem: ErrorSummary(errors))
        return try request.page(
            "admin/contributors/erase", model, title: tr("Erase the data of \(model.contributor.name)?"),
            status: errors.status)
    }

    static func erase(_ request: AdminRequest) async throws -> Response {
        try await request.submit(orShow: confirm) {
            let count = try await request.services.manageContributor.erase(try request.id(), by: request.actor)
            return request.redirect(
                to: AdminURL.contributors(),
                Flash(tr("Erased the contributor's data in \(BulkActionKind.Object.submission.count(count)).")))
        }
    }
}
