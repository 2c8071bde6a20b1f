// The status page of a submission: for whoever holds its link, without an account; answers to a return, and an appeal.
import Domain
import HTTP
import Review
import Store

enum StatusPages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/s/{token}", access: .anyone) { try await show($0) },
        AdminEndpoint(method: "POST", pattern: "/s/{token}/resubmit", access: .anyone, handler: answer),
        AdminEndpoint(method: "POST", pattern: "/s/{token}/appeal", access: .anyone, handler: appeal),
        AdminEndpoint(method: "POST", pattern: "/queue/{id}/status-link", access: .may(.decide), handler: replace),
    ]

    private struct Answer: Encodable, Sendable {
        let address: String
        let fields: FieldForm
    }

    private struct AppealForm: Encodable, Sendable {
        let address: String
        let text: String
        let errors: [String]
    }

    private struct Show: Encodable, Sendable {
        let heading: String
        let type: String
        let state: StatusLabels
        let since: Instant
        let received: Instant
        let reason: String?
        let message: String?
        let values: [FieldView]
        let answer: Answer?
        let appeal: AppealForm?
        /// What the contributor wrote in the appeal.
        let appealed: String?
        let problem: ErrorSummary?
    }

    /// The submission that the link in the path opens; else the answer that every other link gets.
    private static func open(
        _ request: AdminRequest, _ body: (FollowedSubmission) async throws -> Response
    ) async throws -> Response {
        let context = request.context
        let follow = FollowSubmission(database: request.database, key: context.statusKey, days: context.statusDays)
        let response: Response
        switch try await follow.open(request.parameters["token"] ?? "", from: request.request.remoteAddress) {
        case .found(let followed): response = try await body(followed)
        case .missing:
            let failure = Failure.missing("page, its time is over, or its link was replaced by a newer one")
            response = FailurePage.response(failure, status: 404, request.request, context)
        case .tooMany(let seconds):
            let failure = Failure.refused(
                code: "too_many", message: "Too many links were tried. Wait \(seconds / 60) minutes.")
            response = FailurePage.response(failure, status: 429, request.request, context)
                .with("Retry-After", String(seconds))
        }
        return response.with("X-Robots-Tag", "noindex, nofollow")
    }

    private static func show(_ request: AdminRequest) async throws -> Response {
        try await open(request) { try await page(request, $0) }
    }

    private static func page(
        _ request: AdminRequest, _ followed: FollowedSubmission, fields: FieldForm? = nil,
        errors: FieldErrors = FieldErrors(), notice: String? = nil, status: Int = 200
    ) async throws -> Response {
        let row = followed.row
        let type = try request.context.rules.type(named: row.type)
        let address = "/s/\(request.parameters["token"] ?? "")"
        let model = Show(
            heading: row.title.isEmpty ? "Without a title" : row.title, type: type.label, state: StatusLabels(followed),
            since: Instant(followed.standing.since), received: Instant(row.receivedAt),
            reason: row.state == .rejected
                ? followed.standing.reason.map { RejectReason(rawValue: $0)?.label ?? $0 } : nil,
            message: row.state == .pending ? nil : followed.standing.message,
            values: type.fields.filter(ResubmitSubmission.isOpen).compactMap { field in
                row.fields[field.name].map { FieldView(field, $0, names: EntryNames()) }
            },
            answer: followed.mayAnswer
                ? Answer(
                    address: address + "/resubmit",
                    fields: fields ?? FieldForm(type, values: row.fields, only: ResubmitSubmission.isOpen)) : nil,
            appeal: followed.mayAppeal
                ? AppealForm(
                    address: address + "/appeal", text: request.form.first("text") ?? "",
                    errors: errors.messages(at: "/text")) : nil,
            appealed: followed.standing.appeal,
            problem: ErrorSummary(notice.map { FieldErrors("", "conflict", $0) } ?? errors))
        let isWrong = model.problem != nil
        return try request.page(
            "status/show", model, title: (isWrong ? "Error: " : "") + model.heading, status: status)
    }

    // MARK: Actions

    private static func answer(_ request: AdminRequest) async throws -> Response {
        try await open(request) { followed in
            let type = try request.context.rules.type(named: followed.row.type)
            let action = RowEdit(request.form, type)?.applied(to: request.form)
            let form = action?.form ?? request.form
            func again(_ errors: FieldErrors = FieldErrors()) -> FieldForm {
                FieldForm(type, typed: form, errors: errors, touched: action?.touched, only: ResubmitSubmission.isOpen)
            }
            if action != nil { return try await page(request, followed, fields: again()) }
            do {
                try await ResubmitSubmission(database: request.database, rules: request.context.rules)(
                    followed, FieldForm.values(type, from: form), from: request.request.remoteAddress,
                    requestID: request.request.id)
            } catch Failure.invalid(let errors) {
                return try await page(request, followed, fields: again(errors), errors: errors, status: 422)
            } catch Failure.conflict(_, let message) {
                return try await page(request, followed, fields: again(), notice: message, status: 409)
            }
            return request.redirect(
                to: "/s/\(request.parameters["token"] ?? "")", Flash("Thank you. It is in the queue again."))
        }
    }

    private static func appeal(_ request: AdminRequest) async throws -> Response {
        try await open(request) { followed in
            do {
                try await AppealRejection(database: request.database)(
                    followed, request.form.first("text") ?? "", from: request.request.remoteAddress,
                    requestID: request.request.id)
            } catch Failure.invalid(let errors) {
                return try await page(request, followed, errors: errors, status: 422)
            } catch Failure.conflict(_, let message) {
                return try await page(request, followed, notice: message, status: 409)
            }
            return request.redirect(
                to: "/s/\(request.parameters["token"] ?? "")",
                Flash("Thank you. Somebody else than before looks at it."))
        }
    }

    /// The link that is out works no more; the new one is shown once, to be handed on.
    private static func replace(_ request: AdminRequest) async throws -> Response {
        let id: ID<Submission> = try request.id()
        let context = request.context
        let link = try await FollowSubmission(
            database: request.database, key: context.statusKey, days: context.statusDays
        ).replaceLink(of: id, by: request.actor)
        return request.redirect(
            to: QueueQuery(request.query).address("/queue/\(id)"),
            Flash(
                "The status link is replaced: the one that is out works no more. Hand the new one on; it is shown once.",
                link: "/s/\(link)", linkLabel: "The new status page"))
    }
}
