// Gives a job that failed for good its attempts back.
import Domain
import FoundationEssentials
import Store

package struct RetryJob: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// The kind of the job. A job that has not failed is a conflict.
    package func callAsFunction(_ id: UUID, by actor: Actor) async throws -> String {
        try actor.require(.publish, "run jobs again")
        guard let job = try await database.jobs.find(id) else { throw Failure.missing("job") }
        let event = AuditEvent(
            "job.retry", on: "job", job.id.uuidString.lowercased(), detail: ["kind": .string(job.kind)])
        return try await database.change(by: actor, event) { change in
            guard try await change.jobs.retry(id) else {
                throw Failure.conflict(
                    code: "not_failed", message: "This job waits or is done by now; it is not failed.")
            }
            return job.kind
        }
    }
}
