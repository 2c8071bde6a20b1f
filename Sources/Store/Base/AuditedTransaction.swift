// Gives access to the stores inside an open transaction, on behalf of the actor of its audit events.
import Domain
import FoundationEssentials

package struct AuditedTransaction: Stores {
    package let connection: StoreConnection
    package let actor: Actor

    /// Writes a further audit event in the same transaction.
    package func audit(_ event: AuditEvent) async throws {
        try await auditTrail.append(event, by: actor)
    }
}

extension Actor {
    /// The row of this actor in `ops.actor`: its own, or the fixed row of a system actor (see `SystemActor`).
    package var rowID: UUID {
        if let id { return id }
        switch (kind, name) {
        case (.operator, _): return SystemActor.operator
        case (_, "schedule"): return SystemActor.schedule
        case (_, "import"): return SystemActor.import
        case (_, "contributor"): return SystemActor.contributor
        default: return SystemActor.system
        }
    }
}
