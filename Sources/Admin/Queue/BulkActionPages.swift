// Bulk actions: planned from the queue, confirmed, run and undone.
import Domain
import HTTP
import Localization
import Review
import Store

enum BulkActionPages {
    /// Plans an action for the selected submissions (`id`) or all that match the filter (`all`).
    static func plan(_ request: AdminRequest) async throws -> Response {
        let query = QueueQuery(request.query)
        guard let action = BulkActionKind(rawValue: request.form.first("action") ?? "") else {
            throw Failure.invalid(FieldErrors("/action", "choice", tr("Choose an action.")))
        }
        let selection: PlanBulkAction.Selection =
            request.form.first("all") == "1"
            ? .matching(try await query.filter(for: request), query.order)
            : .listed(request.form.all("id").compactMap { ID<Submission>($0) })
        return try await request.submit(orShow: { try await QueuePages.show($0, errors: $1) }) {
            let id = try await request.services.planBulkAction(
                action, selection, query: query.queryString(), by: request.actor)
            return request.redirect(to: AdminURL.bulkAction(id))
        }
    }

    private static func find(_ request: AdminRequest) async throws -> BulkActionRow {
        guard let bulkAction = try await request.database.bulkActions.find(try request.id()) else {
            throw Failure.missing(tr("bulk action"))
        }
        return bulkAction
    }

    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let model = try await BulkActionPage.load(
            request, try await find(request), typed: errors.isEmpty ? nil : request.form, errors: errors)
        return try request.page(
            "admin/queue/bulk-action", model, title: model.heading, status: errors.status)
    }

    static func run(_ request: AdminRequest) async throws -> Response {
        let bulkAction = try await find(request)
        return try await request.submit(orShow: show) {
            let parameters = try await parameters(request, bulkAction)
            do {
                let done = try await request.services.runBulkAction(bulkAction.id, parameters, by: request.actor)
                return request.redirect(to: AdminURL.bulkAction(done.id))
            } catch Failure.forbidden(let message) {
                throw Failure.invalid(FieldErrors("/publish", "forbidden", message))
            }
        }
    }

    private static func parameters(_ request: AdminRequest, _ bulkAction: BulkActionRow) async throws
        -> BulkActionRequest
    {
        let form = request.form
        switch bulkAction.action {
        case .approve, .reject, .requestChanges:
            let shares = try await request.database.bulkActions.groups(of: bulkAction.id, for: request.actor.rowID)
            let type = shares.first.flatMap { request.context.rules.types[$0.type] }
            guard let type else { throw Failure.missing(tr("bulk action")) }
            return .decide(try await DecisionForm(form, type).draft(forMany: type, request.database))
        case .snooze: return .snooze(try SubmissionActionForms.time(form))
        case .assign: return .assign(try SubmissionActionForms.assignee(form), note: SubmissionActionForms.note(form))
        case .update:
            guard let priority = Priority(name: form.first("priority") ?? "") else {
                throw Failure.invalid(FieldErrors("/priority", "choice", tr("Choose a priority.")))
            }
            return .update(priority: priority)
        }
    }

    static func undo(_ request: AdminRequest) async throws -> Response {
        let bulkAction = try await request.services.undoBulkAction(try request.id(), by: request.actor)
        let count = BulkActionPage.count(bulkAction.count(.undone))
        return request.redirect(
            to: AdminURL.bulkAction(bulkAction.id), Flash(tr("Undone: \(count).", context: "bulk action pages")))
    }
}
