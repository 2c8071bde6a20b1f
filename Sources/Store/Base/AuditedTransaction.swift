// Gives access to the stores inside an open transaction, on behalf of the actor of its audit events.
import Domain
import FoundationEssentials

package struct AuditedTransaction: Stores {
    package let connection: StoreConnection
    package let actor: Actor

    /// Writes a further audit event in the same transaction.
    package func audit(_ event: AuditEvent) async throws {
        try await auditTrail.append([(event, actor)])
    }

    /// The same for several events, each by its own actor.
    package func audit(_ events: [(event: AuditEvent, actor: Actor)]) async throws {
        try await auditTrail.append(events)
    }

    /// The same transaction for what another actor does in it.
    package func acting(as actor: Actor) -> AuditedTransaction {
        AuditedTransaction(connection: connection, actor: actor)
    }

    /// Keeps the plans of the statements that follow, for a transaction of many short ones: by default PostgreSQL plans those
    /// with arrays each time, which takes longer than running them.
    package func keepPlans() async throws {
        try await connection.runLater("set local plan_cache_mode to 'force_generic_plan'")
    }

    /// Runs `body`; if it throws, undoes what it wrote, so that the transaction can continue without it.
    package func attempt<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        // With the first statement of the body.
        try await connection.runLater("savepoint attempt")
        do {
            return try await ReopenedReleases.collecting {
                let value = try await body()
                try await connection.run("release savepoint attempt")
                return value
            }
        } catch {
            do {
                try await connection.run("rollback to savepoint attempt")
            } catch {
                // It was sent with statements that were still held, one of which has failed: the rest was skipped.
                _ = try? await connection.run("rollback to savepoint attempt")
            }
            throw error
        }
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
        case (.visitor, _): return SystemActor.visitor
        default: return SystemActor.system
        }
    }
}
