// The status page of a submission, for anyone with its link: shows its state, and accepts a resubmission or an appeal.
import Domain
import HTTP
import Localization
import Operations
import Store

enum StatusPages {
    private struct ResubmissionForm: Encodable, Sendable {
        let url: String
        let fields: FieldForm
        let draft: TabDraft
    }

    private struct AppealForm: Encodable, Sendable {
        let url: String
        let text: String
        let errors: [String]
        let draft: TabDraft
    }

    /// The keys of what the tab has kept of both forms.
    private struct Drafts: Encodable, Sendable {
        let resubmission: String
        let appeal: String

        init(_ submission: ID<Submission>) {
            resubmission = "resubmission \(submission)"
            appeal = "appeal \(submission)"
        }
    }

    private struct Show: Encodable, Sendable {
        let heading: String
        let type: String
        let state: StatusLabels
        let since: Instant
        let reason: String?
        let message: String?
        let timeline: StatusTimeline
        /// As it will be shown.
        let values: [FieldView]
        let resubmission: ResubmissionForm?
        let appeal: AppealForm?
        /// The text of the appeal.
        let appealText: String?
        let problem: ErrorSummary?
        /// Set if one of them was received.
        let sent: Drafts?
    }

    /// Opens the submission of the link in the path, in the language of its contributor. All invalid links get the same
    /// response.
    private static func open(
        _ request: AdminRequest, _ body: @Sendable (TrackedSubmission) async throws -> Response
    ) async throws -> Response {
        let track = request.services.trackSubmission(request.context.statusKey)
        let response: Response
        switch try await track.open(request.parameters["token"] ?? "", from: request.request.remoteAddress) {
        case .found(let tracked):
            response = await request.response(in: tracked.status.locale) { try await body(tracked) }
        case .missing:
            let failure = Failure.missing(tr("link has expired, was replaced,"))
            response = FailurePage.response(failure, status: 404, request.request, request.context)
        case .tooMany(let seconds):
            let failure = Failure.refused(
                code: "too_many", message: tr("Too many invalid links. Try again in \(seconds / 60) minutes."))
            response = FailurePage.response(failure, status: 429, request.request, request.context)
                .with("Retry-After", String(seconds))
        }
        return response.with("X-Robots-Tag", "noindex, nofollow")
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        try await open(request) { try await page(request, $0) }
    }

    private static func page(
        _ request: AdminRequest, _ tracked: TrackedSubmission, sent: ContributorForm? = nil,
        errors: FieldErrors = FieldErrors()
    ) async throws -> Response {
        let row = tracked.row
        let type = try request.context.rules.type(named: row.type)
        let token = request.parameters["token"] ?? ""
        // Images of the library get their files.
        let content = try? await request.database.media.completing(Content(fields: row.fields), of: type)
        let values = content?.fields ?? row.fields
        let views = try await request.rendering([Content(fields: values)]) {
            type.contributorFields.compactMap { field in
                values[field.name].map { FieldView(field, $0, titles: EntryTitles(), images: request.images) }
            }
        }
        let drafts = Drafts(row.id)
        let opening = AdminURL.status(token)
        let model = Show(
            heading: row.title.isEmpty ? tr("Untitled", context: "show") : row.title, type: type.label,
            state: StatusLabels(tracked), since: Instant(tracked.status.since),
            reason: row.state == .rejected
                ? tracked.status.reason.map { RejectReason(rawValue: $0)?.label ?? $0 } : nil,
            message: row.state == .pending ? nil : tracked.status.message,
            timeline: StatusTimeline(row, try await request.database.decisions.history(of: row.id), of: type),
            values: views,
            resubmission: tracked.mayResubmit
                ? ResubmissionForm(
                    url: AdminURL.statusResubmit(token),
                    fields: try await fields(of: tracked, sent, type, request, errors),
                    draft: TabDraft(drafts.resubmission, at: opening, request)) : nil,
            appeal: tracked.mayAppeal
                ? AppealForm(
                    url: AdminURL.statusAppeal(token), text: request.form.first("text") ?? "",
                    errors: errors.messages(at: "/text"), draft: TabDraft(drafts.appeal, at: opening, request)) : nil,
            appealText: tracked.status.appeal,
            problem: ErrorSummary(errors), sent: request.flash == nil ? nil : drafts)
        return try request.page("status/show", model, title: model.heading, status: errors.status)
    }

    /// The submission, or what was typed, in a form with the reviewer's notes at its fields.
    private static func fields(
        of tracked: TrackedSubmission, _ sent: ContributorForm?, _ type: ContentType, _ request: AdminRequest,
        _ errors: FieldErrors
    ) async throws -> FieldForm {
        if let sent { return try await sent.fields(errors, notes: tracked.status.fieldNotes) }
        var plain = try await PlainForm.load(type, tracked.row.fields, request)
        plain.notes = tracked.status.fieldNotes
        let loaded = plain
        let fields = try await request.rendering([Content(fields: tracked.row.fields)]) {
            var plain = loaded
            let values = plain.writable(tracked.row, type)
            return FieldForm(type, values: values, plain: plain, only: \.isForContributors)
        }
        return try await EntryPicker.load(fields, request, onlyLive: true)
    }

    // MARK: Actions

    static func resubmit(_ request: AdminRequest) async throws -> Response {
        try await open(request) { tracked in
            let type = try request.context.rules.type(named: tracked.row.type)
            var sent = ContributorForm(request, type, of: tracked.row, only: \.isForContributors)
            return try await request.submit(
                orShow: { try await page($0, tracked, sent: sent, errors: $1) }
            ) {
                // Only somebody who may send them adds images.
                if tracked.mayResubmit, !request.form.uploads.isEmpty {
                    try await request.services.resubmitSubmission.admitFiles(of: tracked)
                    try await sent.storeImages(
                        by: ResubmitSubmission.actor(request.request.id, request.request.remoteAddress))
                }
                if sent.touched != nil { return try await page(request, tracked, sent: sent) }
                try await request.services.resubmitSubmission(
                    tracked, sent.values, from: request.request.remoteAddress, requestID: request.request.id)
                return request.redirect(
                    to: AdminURL.status(request.parameters["token"] ?? ""),
                    Flash(tr("Thank you. Your changes were submitted.")))
            }
        }
    }

    static func appeal(_ request: AdminRequest) async throws -> Response {
        try await open(request) { tracked in
            if request.restoresDraft { return try await page(request, tracked) }
            return try await request.submit(orShow: { try await page($0, tracked, errors: $1) }) {
                try await request.services.appealRejection(
                    tracked, request.form.first("text") ?? "", from: request.request.remoteAddress,
                    requestID: request.request.id)
                return request.redirect(
                    to: AdminURL.status(request.parameters["token"] ?? ""),
                    Flash(tr("Thank you. Your appeal was submitted.")))
            }
        }
    }

    static func rotateLink(_ request: AdminRequest) async throws -> Response {
        let id: ID<Submission> = try request.id()
        try await request.services.trackSubmission(request.context.statusKey).rotateLink(of: id, by: request.actor)
        return request.redirect(
            to: QueueQuery(request.query).url(AdminURL.submission(id)),
            Flash(tr("The old status link no longer works. The contributor gets the new one by email.")))
    }
}
