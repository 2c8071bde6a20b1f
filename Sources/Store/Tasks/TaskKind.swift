// One kind of background task: its name, its schedule, and the work it runs.
import Domain

package struct TaskKind: Sendable {
    package let name: String
    /// The period of a scheduled task; nil for tasks that are added on demand.
    package let everySeconds: Int?
    /// When a scheduled task has something to do; nil if that is not known before it runs.
    package let condition: TaskCondition?
    package let run: @Sendable (AuditedTransaction, JSONValue) async throws -> Void

    package init(
        name: String, everySeconds: Int?, if condition: TaskCondition? = nil,
        run: @escaping @Sendable (AuditedTransaction, JSONValue) async throws -> Void
    ) {
        self.name = name
        self.everySeconds = everySeconds
        self.condition = condition
        self.run = run
    }
}
