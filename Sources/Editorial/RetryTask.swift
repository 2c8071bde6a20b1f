// Retries a background task that has failed.
import Domain
import FoundationEssentials
import Localization
import Store

package struct RetryTask: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Returns the kind of the task. A task that has not failed is a conflict.
    package func callAsFunction(_ id: UUID, by actor: Actor) async throws -> String {
        try actor.require(.publish, tr("retry tasks"))
        guard let task = try await database.tasks.find(id) else { throw Failure.missing("task") }
        let event = AuditEvent(
            "task.retry", on: "task", task.id.uuidString.lowercased(), detail: ["kind": .string(task.kind)])
        return try await database.transaction(by: actor, event) { transaction in
            guard try await transaction.tasks.retry(id) else {
                throw Failure.conflict(
                    code: "not_failed", message: tr("This task has not failed. Only failed tasks can be retried."))
            }
            return task.kind
        }
    }
}
