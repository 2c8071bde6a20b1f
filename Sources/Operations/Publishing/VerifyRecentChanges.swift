// Verifies every night what was published since the night before, as background tasks.
import Domain
import Store

package enum VerifyRecentChanges {
    /// Also the name of the schedule.
    package static let taskKind = "verify_read_tables"
    /// Of one task, which a due release may have to wait for.
    private static let rows = 2000

    /// A run of the schedule adds a task for each part. It fails if rows differ, so that they are in the log, in a mail,
    /// in the list of failed tasks and in what doctor finds, until they are repaired and the task is retried. A task
    /// only reads, so publications never wait for it.
    package static func run(_ payload: JSONValue, _ transaction: AuditedTransaction) async throws {
        guard let part = VerificationPart(payload: payload) else {
            let since = try await transaction.publications.newest(beforeLastRunOf: taskKind)
            for part in try await transaction.publications.verificationParts(since: since, rows: rows) {
                try await transaction.tasks.add(kind: taskKind, payload: part.payload(since: since), maxAttempts: 3)
            }
            return
        }
        let since = payload["since"]?.integerValue ?? 0
        let differences = try await transaction.publications.verify(part, since: since)
        if let first = differences.first { throw Difference(count: differences.count, first: first) }
    }

    /// Its description is the error of the task.
    private struct Difference: Error, CustomStringConvertible {
        let count: Int
        let first: RowChange

        var description: String {
            "rows of the read tables that differ from the live set: \(count), such as \(first.key) in \(first.table). "
                + "Run \"vitrine publish repair\", then retry the task"
        }
    }
}
