// An open change: the stores on one transaction, and the actor whose audit events it writes.
import Domain
import FoundationEssentials

package struct Change: Stores {
    package let connection: StoreConnection
    package let actor: Actor

    /// Writes one more audit event in the same transaction.
    package func audit(_ event: AuditEvent) async throws {
        try await auditTrail.append(event, by: actor)
    }
}

extension Actor {
    /// The row of this actor in `ops.actor`: its own, or the fixed one of a system actor (see m0002_people.sql).
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
