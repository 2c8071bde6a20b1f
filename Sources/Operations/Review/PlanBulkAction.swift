// Plans a bulk action, so that exactly the submissions shown on the confirmation page are changed.
import Domain
import Localization
import Store

package struct PlanBulkAction: Sendable {
    let database: Database

    package enum Selection: Sendable {
        case listed([ID<Submission>])
        /// All that match the filter, in this order, up to the limit of a bulk action.
        case matching(QueueFilter, QueueOrder)
    }

    /// `query`: the query string of the list it was started from, for the link back.
    package func callAsFunction(
        _ action: BulkActionKind, _ selection: Selection, query: String = "", by actor: Actor
    ) async throws -> ID<BulkAction> {
        try actor.require(.decide, tr("decide submissions"))
        if case .listed(let ids) = selection, ids.isEmpty {
            throw Failure.invalid(FieldErrors("/ids", "required", tr("Select at least one submission.")))
        }
        if case .listed(let ids) = selection, try await !database.access.contains(ids, actor.scope) {
            throw Failure.forbidden(tr("Some of these submissions are outside your access scope."))
        }
        let event = AuditEvent("bulk_action.plan", on: "bulk_action", detail: ["action": .string(action.rawValue)])
        return try await database.transaction(by: actor, event) { transaction in
            switch selection {
            case .listed(let ids): try await transaction.bulkActions.plan(action, for: ids, query: query, by: actor)
            case .matching(let filter, let order):
                try await transaction.bulkActions.plan(action, for: filter, order: order, query: query, by: actor)
            }
        }
    }
}
