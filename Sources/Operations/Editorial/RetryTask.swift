// Retries a failed background task, or all failed ones of a kind.
import Domain
import FoundationEssentials
import Localization
import Store

package struct RetryTask: Sendable {
    let database: Database

    /// Returns the task. One that has not failed is a conflict.
    @discardableResult
    package func callAsFunction(_ id: UUID, by actor: Actor) async throws -> BackgroundTaskRow {
        try require(.task, actor)
        guard let task = try await database.backgroundTasks.find(id) else { throw Failure.missing("task") }
        try require(task.kind, actor)
        let event = AuditEvent(
            "\(task.kind.rawValue).retry", on: task.kind.rawValue, id.uuidString.lowercased(),
            detail: ["name": .string(task.name)])
        try await database.transaction(by: actor, event) { transaction in
            guard try await transaction.backgroundTasks.retry(task.kind, only: id) > 0 else {
                throw Failure.conflict(
                    code: "not_failed", message: tr("This task has not failed. Only failed tasks can be retried."))
            }
        }
        return task
    }

    /// Returns how many are tried again.
    package func all(_ kind: BackgroundTaskKind, by actor: Actor) async throws -> Int {
        try require(kind, actor)
        let event = AuditEvent("\(kind.rawValue).retry", on: kind.rawValue, detail: ["all": .bool(true)])
        return try await database.transaction(by: actor, event) { try await $0.backgroundTasks.retry(kind) }
    }

    private func require(_ kind: BackgroundTaskKind, _ actor: Actor) throws {
        try actor.require(kind.retryPermission, tr("retry tasks"))
    }
}
