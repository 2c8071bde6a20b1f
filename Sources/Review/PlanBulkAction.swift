// Plans an action on many submissions: what is confirmed then is exactly what is done.
import Domain
import Store

package struct PlanBulkAction: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    package enum Selection: Sendable {
        case these([ID<Submission>])
        /// All that match, in this order, as many as can be done at once.
        case matching(QueueFilter, QueueOrder)
    }

    /// `query`: the address of the list from which it was chosen, for the way back.
    package func callAsFunction(
        _ action: BulkActionKind, _ selection: Selection, query: String = "", by actor: Actor
    ) async throws -> ID<BulkAction> {
        try actor.require(.decide, "decide about submissions")
        if case .these(let ids) = selection, ids.isEmpty {
            throw Failure.invalid(FieldErrors("/ids", "required", "Select submissions first."))
        }
        if case .these(let ids) = selection { try await database.require(actor, worksOn: ids) }
        let event = AuditEvent("bulk_action.plan", on: "bulk_action", detail: ["action": .string(action.rawValue)])
        return try await database.change(by: actor, event) { change in
            switch selection {
            case .these(let ids): try await change.bulkActions.plan(action, for: ids, query: query, by: actor)
            case .matching(let filter, let order):
                try await change.bulkActions.plan(action, for: filter, order: order, query: query, by: actor)
            }
        }
    }
}
