// Snoozes, assigns and prioritizes a submission, adds notes, and renews its claim.
import Domain
import HTTP
import Localization
import Operations
import Store

enum SubmissionActionPages {
    /// Called by the page while it is visible: 204 if the claim was renewed, 409 if it is no longer one's own.
    static func renew(_ request: AdminRequest) async throws -> Response {
        let work = request.services.claimSubmission
        return .status(try await work.renew(try request.id(), by: request.actor) ? 204 : 409)
    }

    /// Called by the page while it is visible, and with `left` when it is closed: the names of the others who have it open.
    static func viewers(_ request: AdminRequest) async throws -> Response {
        let others = try await request.services.claimSubmission.view(
            try request.id(), hasLeft: request.form.first("left") == "1", by: request.actor)
        let text = others.isEmpty ? "" : tr("\(others.joined(separator: ", ")) has this open", context: "viewers")
        return .json(Array(JSONValue.object(["text": .string(text)]).canonicalText.utf8))
    }

    static func snooze(_ request: AdminRequest) async throws -> Response {
        let submission = try await ReviewPages.find(request)
        return try await showingErrors(request, .snooze) {
            let time = try SubmissionActionForms.time(request.form)
            try await request.services.triageSubmission.snooze(
                submission.id, until: time, note: SubmissionActionForms.note(request.form), by: request.actor)
            return try await ReviewPages.continueReview(
                request, after: submission,
                Flash(
                    tr("Snoozed “\(short(submission.title))” \(duration(time)).", context: "submission action pages"),
                    undo: AdminURL.submissionUnsnooze(submission.id),
                    version: submission.version))
        }
    }

    private static func duration(_ time: SnoozeTime) -> String {
        switch time {
        case .hours(let hours) where hours % 24 == 0: tr("for \(hours / 24) d")
        case .hours(let hours): tr("for \(hours) h")
        case .at(let time): tr("until \(time.label)", context: "submission action pages")
        }
    }

    static func unsnooze(_ request: AdminRequest) async throws -> Response {
        let submission = try await ReviewPages.find(request)
        return try await showingErrors(request, .snooze) {
            try await request.services.triageSubmission.snooze(submission.id, until: nil, by: request.actor)
            let query = QueueQuery(request.query)
            return request.redirect(
                to: query.url(AdminURL.submission(submission.id)), Flash(tr("Submission unsnoozed.")))
        }
    }

    static func assign(_ request: AdminRequest) async throws -> Response {
        let submission = try await ReviewPages.find(request)
        return try await showingErrors(request, .assign) {
            let assignee = try SubmissionActionForms.assignee(request.form)
            try await request.services.triageSubmission.assign(
                submission.id, to: assignee, note: SubmissionActionForms.note(request.form), by: request.actor)
            let name = "“\(short(submission.title))”"
            if assignee == nil || assignee?.account?.uuid == request.actor.id {
                return request.redirect(
                    to: QueueQuery(request.query).url(AdminURL.submission(submission.id)),
                    Flash(
                        assignee == nil
                            ? tr("Unassigned \(name).", context: "submission action pages")
                            : tr("Assigned \(name) to you.")))
            }
            return try await ReviewPages.continueReview(
                request, after: submission,
                Flash(
                    tr("Assigned \(name).", context: "submission action pages"),
                    link: AdminURL.submission(submission.id), linkLabel: tr("View submission")))
        }
    }

    static func setPriority(_ request: AdminRequest) async throws -> Response {
        let submission = try await ReviewPages.find(request)
        guard let priority = Priority(name: request.form.first("priority") ?? "") else {
            throw Failure.invalid(FieldErrors("/priority", "choice", tr("Choose urgent, high, normal or low.")))
        }
        return try await showingErrors(request, .note) {
            try await request.services.triageSubmission.setPriority(
                of: submission.id, to: priority, by: request.actor)
            return request.redirect(
                to: QueueQuery(request.query).url(AdminURL.submission(submission.id)),
                Flash(tr("Priority set to \(inText(priority.label)).")))
        }
    }

    static func note(_ request: AdminRequest) async throws -> Response {
        let submission = try await ReviewPages.find(request)
        return try await showingErrors(request, .note) {
            let outcome = try await request.services.addNote(
                request.form.first("text") ?? "", on: .submission(submission.id), by: request.actor)
            return request.redirect(
                to: QueueQuery(request.query).url(AdminURL.submission(submission.id)), Flash(outcome))
        }
    }

    // MARK: Shared

    /// Shows errors on the review page, with the submitted values.
    static func showingErrors(
        _ request: AdminRequest, _ form: SubmissionActionForms.Rejected.Form,
        _ body: () async throws -> Response
    ) async throws -> Response {
        try await request.submit(
            orShow: { request, errors in
                // Somebody else may have changed the submission meanwhile.
                try await ReviewPages.page(
                    request, try await ReviewPages.find(request),
                    action: SubmissionActionForms.Rejected(form: form, fields: request.form), errors: errors)
            }, body)
    }

    /// The message is stored in a cookie.
    private static func short(_ title: String) -> String { title.count > 80 ? "\(title.prefix(79))…" : title }
}
