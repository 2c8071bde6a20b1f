// What is done with one submission without deciding: put off, handed on, ranked, noted; and its lease renewed.
import Domain
import HTTP
import Review
import Store

enum SubmissionActionPages {
    static let routes = [
        AdminEndpoint(
            method: "POST", pattern: "/queue/{id}/claim/renew", access: .may(.decide), isQuiet: true, handler: renew),
        AdminEndpoint(method: "POST", pattern: "/queue/{id}/snooze", access: .may(.decide), handler: snooze),
        AdminEndpoint(method: "POST", pattern: "/queue/{id}/unsnooze", access: .may(.decide), handler: wake),
        AdminEndpoint(method: "POST", pattern: "/queue/{id}/assign", access: .may(.decide), handler: assign),
        AdminEndpoint(method: "POST", pattern: "/queue/{id}/priority", access: .may(.decide), handler: rank),
        AdminEndpoint(method: "POST", pattern: "/queue/{id}/notes", access: .may(.decide), handler: note),
    ]

    /// Asked by the page while it is open and looked at: 204 while the lease is one's own.
    private static func renew(_ request: AdminRequest) async throws -> Response {
        let work = ClaimSubmission(database: request.database, minutes: request.context.claimMinutes)
        return .status(try await work.renew(try request.id(), by: request.actor) ? 204 : 409)
    }

    private static func snooze(_ request: AdminRequest) async throws -> Response {
        let submission = try await ReviewPages.find(request)
        return try await keeping(request, submission, .snooze) {
            let time = try SubmissionActionForms.time(request.form)
            try await TriageSubmission(database: request.database).snooze(
                submission.id, until: time, words: SubmissionActionForms.words(request.form), by: request.actor)
            return try await goOn(
                request, after: submission,
                Flash(
                    "Put off “\(short(submission.title))” \(words(time)).", undo: "/queue/\(submission.id)/unsnooze",
                    version: submission.version))
        }
    }

    private static func words(_ time: SnoozeTime) -> String {
        switch time {
        case .hours(let hours) where hours % 24 == 0: "for \(hours / 24) d"
        case .hours(let hours): "for \(hours) h"
        case .at(let time): "until \(time.words)"
        }
    }

    private static func wake(_ request: AdminRequest) async throws -> Response {
        let submission = try await ReviewPages.find(request)
        return try await keeping(request, submission, .snooze) {
            try await TriageSubmission(database: request.database).snooze(submission.id, until: nil, by: request.actor)
            let query = QueueQuery(request.query)
            return request.redirect(to: query.address("/queue/\(submission.id)"), Flash("It waits again."))
        }
    }

    private static func assign(_ request: AdminRequest) async throws -> Response {
        let submission = try await ReviewPages.find(request)
        return try await keeping(request, submission, .assign) {
            let assignee = try SubmissionActionForms.assignee(request.form)
            try await TriageSubmission(database: request.database).assign(
                submission.id, to: assignee, words: SubmissionActionForms.words(request.form), by: request.actor)
            let name = "“\(short(submission.title))”"
            if assignee == nil || assignee?.account?.uuid == request.actor.id {
                return request.redirect(
                    to: QueueQuery(request.query).address("/queue/\(submission.id)"),
                    Flash(assignee == nil ? "\(name) is for everybody." : "\(name) is yours."))
            }
            return try await goOn(
                request, after: submission,
                Flash("Handed on \(name).", link: "/queue/\(submission.id)", linkLabel: "Look again"))
        }
    }

    private static func rank(_ request: AdminRequest) async throws -> Response {
        let submission = try await ReviewPages.find(request)
        guard let priority = Priority(name: request.form.first("priority") ?? "") else {
            throw Failure.invalid(FieldErrors("/priority", "choice", "A priority is urgent, high, normal or low."))
        }
        return try await keeping(request, submission, .note) {
            try await TriageSubmission(database: request.database).rank(submission.id, priority, by: request.actor)
            return request.redirect(
                to: QueueQuery(request.query).address("/queue/\(submission.id)"),
                Flash("The priority is \(priority.name) now."))
        }
    }

    private static func note(_ request: AdminRequest) async throws -> Response {
        let submission = try await ReviewPages.find(request)
        return try await keeping(request, submission, .note) {
            let notified = try await AddNote(database: request.database)(
                request.form.first("text") ?? "", on: submission.id, by: request.actor)
            let sentence =
                notified == 0 ? "Noted." : notified == 1 ? "Noted; one person is told." : "Noted; \(notified) people are told."
            return request.redirect(to: QueueQuery(request.query).address("/queue/\(submission.id)"), Flash(sentence))
        }
    }

    // MARK: What all share

    /// What is refused is shown on the page of the submission, with what was typed.
    static func keeping(
        _ request: AdminRequest, _ submission: SubmissionRow, _ action: SubmissionActionForms.Typed.Permission,
        _ body: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await body()
        } catch Failure.invalid(let errors) {
            return try await ReviewPages.page(
                request, submission, desk: SubmissionActionForms.Typed(action: action, form: request.form), errors: errors, status: 422)
        } catch Failure.conflict(_, let message) {
            return try await ReviewPages.page(
                request, try await ReviewPages.find(request), desk: SubmissionActionForms.Typed(action: action, form: request.form),
                notice: message, status: 409)
        }
    }

    private static func goOn(
        _ request: AdminRequest, after submission: SubmissionRow, _ flash: Flash
    ) async throws -> Response {
        let query = QueueQuery(request.query)
        let next = try await ReviewPage.next(request, query, after: submission)
        return request.redirect(to: query.address(next.map { "/queue/\($0)" } ?? "/queue"), flash)
    }

    /// Sentences of this kind travel in a cookie.
    private static func short(_ title: String) -> String { title.count > 80 ? "\(title.prefix(79))…" : title }
}
