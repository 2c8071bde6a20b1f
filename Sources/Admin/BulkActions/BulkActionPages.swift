// Bulk actions: planned from the queue or the list of entries, confirmed, run and undone.
import Domain
import HTTP
import Localization
import Operations
import Store

enum BulkActionPages {
    // MARK: Planning

    /// Plans an action for what is selected (`id`), for the whole page of entries (`page`), or for all that match the filter
    /// (`all`).
    static func plan(_ request: AdminRequest) async throws -> Response {
        let object = BulkActionKind.Object(rawValue: request.form.first("object") ?? "") ?? .submission
        guard let action = BulkActionKind(rawValue: request.form.first("action") ?? ""),
            object.actions.contains(action)
        else {
            throw Failure.invalid(FieldErrors("/action", "choice", tr("Choose an action.")))
        }
        switch object {
        case .submission: return try await planSubmissions(action, request)
        case .entry: return try await planEntries(action, request)
        }
    }

    private static func planSubmissions(_ action: BulkActionKind, _ request: AdminRequest) async throws -> Response {
        let query = QueueQuery(request.query)
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

    private static func planEntries(_ action: BulkActionKind, _ request: AdminRequest) async throws -> Response {
        let query = EntryListQuery(request.query)
        let listed = request.form.all(request.form.first("page") == "1" ? "shown" : "id")
        let selection: PlanEntryBulkAction.Selection =
            request.form.first("all") == "1"
            ? .matching(query.filter) : .listed(listed.compactMap { ID<Entry>($0) })
        return try await request.submit(orShow: EntryListPages.show) {
            let id = try await request.services.planEntryBulkAction(
                action, selection, query: query.queryString, by: request.actor)
            return request.redirect(to: AdminURL.bulkAction(id))
        }
    }

    // MARK: One bulk action

    private static func find(_ request: AdminRequest) async throws -> BulkActionRow {
        let bulkAction = try await request.database.bulkActions.find(try request.id()).orMissing(tr("bulk action"))
        try require(bulkAction, of: request.actor)
        return bulkAction
    }

    /// Who may do this with one submission or entry may see what was done with many.
    private static func require(_ bulkAction: BulkActionRow, of actor: Actor) throws {
        switch bulkAction.object {
        case .submission: try actor.require(.decide, tr("decide submissions"))
        case .entry: try bulkAction.action.requireOnEntries(of: actor)
        }
    }

    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let bulkAction = try await find(request)
        guard bulkAction.size > 0 || bulkAction.others == 0 else { throw Failure.missing(tr("bulk action")) }
        let saving = try await saving(request, bulkAction)
        let restored = saving.restored(AdminURL.bulkAction(bulkAction.id))
        let request = restored ?? saving
        let model = try await BulkActionPage.load(
            request, bulkAction, typed: errors.isEmpty ? restored?.form : request.form, errors: errors)
        return try request.page("admin/bulk-actions/show", model, title: model.heading, status: errors.status)
    }

    /// The request for a page with the form of submissions. That of entries has nothing to type but the title of a release.
    private static func saving(_ request: AdminRequest, _ bulkAction: BulkActionRow) async throws -> AdminRequest {
        guard bulkAction.object == .submission, bulkAction.doneAt == nil, bulkAction.openCount > 0,
            bulkAction.others == 0
        else {
            return request
        }
        return try await request.autosaving([
            AdminURL.bulkAction(bulkAction.id): BulkActionPage.heading(bulkAction)
        ])
    }

    static func run(_ request: AdminRequest) async throws -> Response {
        let bulkAction = try await find(request)
        return try await request.submit(orShow: show) {
            do {
                switch bulkAction.object {
                case .submission:
                    let parameters = try await parameters(request, bulkAction)
                    _ = try await request.services.runBulkAction(bulkAction.id, parameters, by: request.actor)
                case .entry:
                    _ = try await request.services.runEntryBulkAction(
                        bulkAction.id, try entryParameters(request.form, bulkAction.action), by: request.actor)
                }
                return request.redirect(to: AdminURL.bulkAction(bulkAction.id))
            } catch Failure.forbidden(let message) {
                throw Failure.invalid(
                    FieldErrors(bulkAction.action == .add ? "/release" : "/publish", "forbidden", message))
            }
        }
    }

    private static func parameters(
        _ request: AdminRequest, _ bulkAction: BulkActionRow
    ) async throws -> BulkActionRequest {
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
        case .publish, .unpublish, .add: throw Failure.missing(tr("bulk action"))
        }
    }

    private static func entryParameters(
        _ form: FormFields, _ action: BulkActionKind
    ) throws(Failure) -> EntryBulkActionRequest {
        switch action {
        case .approve: return .approve
        case .publish: return .publish
        case .unpublish: return .unpublish
        case .update: return .update(BulkCategoryChange.read(form), BulkCategoryChange.timing(form))
        case .add:
            let chosen = form.first("release") ?? ""
            guard chosen.isEmpty || Int64(chosen) != nil else {
                throw .invalid(FieldErrors("/release", "reference", tr("There is no such release.")))
            }
            return .add(release: Int64(chosen), title: form.first("title") ?? "")
        case .reject, .requestChanges, .snooze, .assign: throw .missing(tr("bulk action"))
        }
    }

    static func undo(_ request: AdminRequest) async throws -> Response {
        let planned = try await find(request)
        let undone =
            switch planned.object {
            case .submission: try await request.services.undoBulkAction(planned.id, by: request.actor)
            case .entry: try await request.services.undoEntryBulkAction(planned.id, by: request.actor)
            }
        let count = undone.object.count(undone.count(.undone))
        return request.redirect(
            to: AdminURL.bulkAction(undone.id), Flash(tr("Undone: \(count).", context: "bulk action pages")))
    }
}
