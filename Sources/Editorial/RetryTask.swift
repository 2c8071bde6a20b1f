// Gives a job that failed for good its attempts back.
import Domain
import FoundationEssentials
import Store

package struct RetryTask: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// The kind of the job. A job that has not failed is a conflict.
    package func callAsFunction(_ id: UUID, by actor: Actor) async throws -> String {
        try actor.require(.publish, "run jobs again")
        guard let task = try await database.tasks.find(id) else { throw Failure.missing("task") }
        let event = AuditEvent(
            "task.retry", on: "task", task.id.uuidString.lowercased(), detail: ["kind": .string(task.kind)])
        return try await database.change(by: actor, event) { change in
            guard try await change.tasks.retry(id) else {
                throw Failure.conflict(
                    code: "not_failed", message: "This job waits or is done by now; it is not failed.")
            }
            return task.kind
        }
    }
}
