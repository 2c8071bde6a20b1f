// Reviews one submission: shows, claims and decides it, and undoes the decision.
import Domain
import HTTP
import Localization
import Operations
import Store

enum ReviewPages {
    static func show(_ request: AdminRequest) async throws -> Response {
        let submission = try await find(request)
        if request.services.reviewPolicy.claimsOnOpen { await claimOnOpen(request, submission) }
        return try await page(request, submission)
    }

    /// Claims only on navigation from our own pages, not on cross-site links or prefetches. Failures are ignored: the page
    /// shows who has claimed the submission.
    private static func claimOnOpen(_ request: AdminRequest, _ submission: SubmissionRow) async {
        let headers = request.request.headers
        guard submission.state == .pending, request.actor.may(.decide),
            headers["Sec-Fetch-Site"] == "same-origin", headers["Sec-Purpose"] == nil
        else { return }
        try? await request.services.claimSubmission(
            submission.id, by: request.actor)
    }

    static func find(_ request: AdminRequest) async throws -> SubmissionRow {
        try await request.database.submissions.find(try request.id()).orMissing("submission")
    }

    static func page(
        _ request: AdminRequest, _ submission: SubmissionRow, typed: DecisionForm? = nil,
        action: SubmissionActionForms.Rejected? = nil,
        errors: FieldErrors = FieldErrors()
    ) async throws -> Response {
        let permissions = try await request.services.readReviewPermissions(submission, by: request.actor)
        var request = try await ReviewAutosaves.saving(request, submission)
        let type = try request.context.rules.type(named: submission.type)
        let restored = ReviewAutosaves.restored(&request, submission, type, permissions)
        let model = try await ReviewPage.load(
            request, submission, permissions, submitted: typed, typed: restored.decisions, action: action,
            restored: restored.actions, errors: errors)
        return try request.page("admin/review/show", model, title: model.heading, status: errors.status)
    }

    // MARK: Claim

    /// Claims the submission, takes it over or unclaims it (`action`: claim, take_over, unclaim).
    static func claim(_ request: AdminRequest) async throws -> Response {
        let id = try await find(request).id
        let work = request.services.claimSubmission
        let query = QueueQuery(request.query)
        return try await SubmissionActionPages.showingErrors(request, .takeOver) {
            switch request.form.first("action") {
            case "unclaim":
                try await work.unclaim(id, by: request.actor)
                return request.redirect(to: query.url(AdminURL.queue()), Flash(tr("Submission unclaimed.")))
            case "take_over":
                try await work.takeOver(id, reason: request.form.first("take_over_reason") ?? "", by: request.actor)
            default: try await work(id, by: request.actor)
            }
            return request.redirect(to: query.url(AdminURL.submission(id)))
        }
    }

    // MARK: Decision

    static func decide(_ request: AdminRequest) async throws -> Response {
        let submission = try await find(request)
        let rules = request.context.rules
        let type = try rules.type(named: submission.type)
        let form = DecisionForm(request.form, type)
        if form.touched != nil || form.isSearch { return try await page(request, submission, typed: form) }
        return try await request.submit(orShow: { try await page($0, submission, typed: form, errors: $1) }) {
            do {
                let version = try request.integer("version")
                guard version == submission.version else { return try await stale(request, submission, form) }
                let draft = try await form.draft(of: submission, as: type, rules: rules, request.database)
                let outcome = try await request.services.decideSubmission(
                    submission, draft, version: version, respectsClaims: !form.takesOver, by: request.actor)
                await ReviewAutosaves.discard(request, submission.id)
                return try await continueReview(
                    request, after: submission,
                    Flash(
                        outcome, about: submission.title, draft, of: submission.id, version: version,
                        feeds: try await liveFeeds(outcome, request), hasFeeds: type.field("feeds") != nil))
            } catch Failure.forbidden(let message) {
                throw Failure.invalid(FieldErrors("/publish", "forbidden", message))
            } catch Failure.conflict(code: "claimed", let message) {
                let message = tr("\(message) Your decision was not saved. Submit it again to decide anyway.")
                throw Failure.conflict(code: "claimed", message: message)
            } catch Failure.conflict {
                return try await stale(request, try await find(request), form)
            }
        }
    }

    /// Where readers find what was just published; nil for nowhere.
    private static func liveFeeds(
        _ outcome: DecisionOutcome, _ request: AdminRequest
    ) async throws -> (first: String, count: Int)? {
        guard let change = outcome.change, change.publication != nil else { return nil }
        return try await request.database.entries.liveFeeds(of: change.entry)
    }

    /// Leads to the next submission of the list from which this one was opened.
    static func continueReview(
        _ request: AdminRequest, after submission: SubmissionRow, _ flash: Flash
    ) async throws -> Response {
        let query = QueueQuery(request.query)
        let next = try await ReviewPage.next(request, query, after: submission)
        return request.redirect(to: query.url(next.map { AdminURL.submission($0) } ?? AdminURL.queue()), flash)
    }

    private static func repeated(_ verdict: Verdict) -> String {
        switch verdict {
        case .approve: tr("You already approved this submission.")
        case .reject: tr("You already rejected this submission.")
        case .requestChanges: tr("You already requested changes to this submission.")
        case .duplicate: tr("You already marked this submission as a duplicate.")
        }
    }

    /// Someone else decided first: shows who did what, and the unsaved input.
    private static func stale(
        _ request: AdminRequest, _ submission: SubmissionRow, _ form: DecisionForm
    ) async throws -> Response {
        // The same person sent the same decision twice, such as by a key that was held.
        let last = try await request.database.decisions.history(of: submission.id).last
        if let last, last.decidedByID == request.actor.rowID, let verdict = form.verdict,
            last.verdict == verdict.rawValue,
            last.number == (try request.integer("version")) + 1
        {
            return try await continueReview(request, after: submission, Flash(repeated(verdict)))
        }
        let model = try await StaleDecisionPage.load(request, submission, form)
        return try request.page("admin/review/stale", model, title: tr("submission changed"), status: 409)
    }

    // MARK: Undo

    static func undo(_ request: AdminRequest) async throws -> Response {
        let submission = try await find(request)
        let query = QueueQuery(request.query)
        return try await request.submit(orShow: { try await page($0, try await find($0), errors: $1) }) {
            try await request.services.undoDecision(
                submission.id, version: try request.integer("version"), by: request.actor)
            let message = tr("Decision undone. The submission is back in the queue.")
            let url = AdminURL.submission(submission.id)
            // From the list of decided submissions, to the same page of it.
            if let list = request.form.first("decided") {
                return request.redirect(
                    to: DecidedQuery(queryString: list).url(),
                    Flash(message, link: url, linkLabel: tr("View submission")))
            }
            return request.redirect(to: query.url(url), Flash(message))
        }
    }
}
