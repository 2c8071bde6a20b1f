// Acts on many submissions at once: planned from the list, confirmed, done, undone.
import Domain
import HTTP
import Review
import Store

enum QueueBatchPages {
    static let routes = [
        AdminRoute(method: "POST", pattern: "/queue/batches", access: .may(.decide), handler: plan),
        AdminRoute(method: "GET", pattern: "/queue/batches/{id}", access: .may(.decide)) { try await show($0) },
        AdminRoute(method: "POST", pattern: "/queue/batches/{id}/deed", access: .may(.decide), handler: carryOut),
        AdminRoute(method: "POST", pattern: "/queue/batches/{id}/undo", access: .may(.decide), handler: undo),
    ]

    /// What was selected in the list (`id`), or all that matches its filter (`all`), with an act.
    private static func plan(_ request: AdminRequest) async throws -> Response {
        let query = QueueQuery(request.query)
        guard let act = BatchAct(rawValue: request.form.first("act") ?? "") else {
            throw Failure.invalid(FieldErrors("/act", "choice", "Choose what to do with them."))
        }
        let selection: PlanBatch.Selection =
            request.form.first("all") == "1"
            ? .matching(try await query.filter(for: request), query.order)
            : .these(request.form.all("id").compactMap { ID<Submission>($0) })
        do {
            let id = try await PlanBatch(database: request.database)(
                act, selection, query: query.text(), by: request.actor)
            return request.redirect(to: "/queue/batches/\(id)")
        } catch Failure.invalid(let errors) {
            return try await QueuePages.show(request, errors: errors, status: 422)
        }
    }

    private static func find(_ request: AdminRequest) async throws -> BatchRow {
        guard let batch = try await request.database.batches.find(try request.id()) else {
            throw Failure.missing("batch")
        }
        return batch
    }

    private static func show(
        _ request: AdminRequest, _ batch: BatchRow? = nil, typed: FormFields? = nil,
        errors: FieldErrors = FieldErrors(),
        status: Int = 200
    ) async throws -> Response {
        let found: BatchRow
        if let batch { found = batch } else { found = try await find(request) }
        let model = try await BatchPage.load(request, found, typed: typed, errors: errors)
        return try request.page(
            "admin/queue/batch", model, title: (errors.isEmpty ? "" : "Error: ") + model.heading, status: status)
    }

    private static func carryOut(_ request: AdminRequest) async throws -> Response {
        let batch = try await find(request)
        do {
            let deed = try await deed(request, batch)
            let done = try await CarryOutBatch(
                database: request.database, rules: request.context.rules,
                bindsAssignees: request.context.bindsAssignees)(
                    batch.id, deed, by: request.actor)
            return request.redirect(to: "/queue/batches/\(done.id)")
        } catch Failure.invalid(let errors) {
            return try await show(request, batch, typed: request.form, errors: errors, status: 422)
        } catch Failure.refused(let code, let message) {
            return try await show(
                request, batch, typed: request.form, errors: FieldErrors("", code, message), status: 422)
        } catch Failure.forbidden(let message) {
            return try await show(
                request, batch, typed: request.form, errors: FieldErrors("/go_live", "forbidden", message), status: 403)
        }
    }

    private static func deed(_ request: AdminRequest, _ batch: BatchRow) async throws -> BatchDeed {
        let form = request.form
        switch batch.act {
        case .accept, .reject, .return:
            let shares = try await request.database.batches.shares(of: batch.id, for: request.actor.rowID)
            let type = shares.first.flatMap { request.context.rules.types[$0.type] }
            guard let type else { throw Failure.missing("batch") }
            var draft = try await DecisionForm(form, type).draft(forMany: type, request.database)
            draft.goLive = try await ReviewPages.later(draft.goLive, request)
            return .decide(draft)
        case .snooze: return .snooze(try DeskForms.time(form))
        case .assign: return .assign(try DeskForms.assignee(form), words: DeskForms.words(form))
        case .rank:
            guard let priority = Priority(name: form.first("priority") ?? "") else {
                throw Failure.invalid(FieldErrors("/priority", "choice", "Choose a priority."))
            }
            return .rank(priority)
        }
    }

    private static func undo(_ request: AdminRequest) async throws -> Response {
        let batch = try await UndoBatch(database: request.database)(try request.id(), by: request.actor)
        let count = BatchPage.count(batch.count(.undone))
        return request.redirect(to: "/queue/batches/\(batch.id)", Flash("Undone: \(count)."))
    }
}
