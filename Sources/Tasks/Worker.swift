// Publishes due releases and runs background tasks, on any number of daemons at once.
import Domain
import EventLoop
import Operations
import Platform
import Store

/// One per daemon. The database clock decides what is due. A daemon that dies leaves nothing claimed, because claim and
/// effect share a transaction.
package final class Worker: Sendable {
    private let database: Database
    private let publish: PublishRelease
    private let table: TaskTable
    private let log: Logger
    private let pollMilliseconds: Int
    private let polling: PollingLoop

    package init(services: Services, table: TaskTable, log: Logger, pollMilliseconds: Int, loop: EventLoop) {
        database = services.database
        publish = services.publishRelease
        self.table = table
        self.log = log
        self.pollMilliseconds = pollMilliseconds
        polling = PollingLoop(database: services.database, channel: "vitrine_schedule", log: log, loop: loop)
    }

    package func start() {
        polling.start(pause: pollMilliseconds) { [self] in
            let due = try await database.tasks.addDue(table.kinds)
            let next = due.millisecondsToRelease ?? pollMilliseconds
            if next <= 0 { try await publishDue() }
            if due.hasTasks, try await runTasks() { return 5 }
            return max(min(pollMilliseconds, next), 5)
        }
    }

    /// Returns when the current work is finished.
    package func stop() async { await polling.stop() }

    private func publishDue() async throws {
        while !polling.isStopping {
            let done = try await publish.due(limit: 20)
            for release in done { report(release) }
            if done.isEmpty { return }
        }
    }

    private func report(_ release: DueRelease) {
        let number = LogValue.integer(Int(release.number))
        let delay = LogValue.integer(release.delayMilliseconds)
        if let failure = release.failure {
            log.error("scheduled release failed", ["release": number, "late_ms": delay, "reason": .text(failure)])
        } else {
            let publication = LogValue.integer(Int(release.publication ?? 0))
            log.info("scheduled release published", ["release": number, "late_ms": delay, "publication": publication])
        }
    }

    /// Whether any ran, so that more may be due. Due releases and scheduled tasks don't wait for an endless series.
    private func runTasks() async throws -> Bool {
        table.finished.add(.task, .failed, try await database.tasks.failExhausted())
        var hasRun = false
        let end = ContinuousClock.now + .milliseconds(200)
        while !polling.isStopping, ContinuousClock.now < end, let task = try await database.tasks.claim() {
            await run(task)
            hasRun = true
        }
        return hasRun
    }

    private func run(_ task: TaskRow) async {
        let database = database
        do {
            let table = table
            let isDone = try await database.work(as: Actor(kind: .system, name: "schedule")) { transaction in
                guard try await transaction.tasks.lock(task.id) else { return false }
                try await table.run(task.kind, task.payload, transaction)
                try await transaction.tasks.finish(task.id)
                return true
            }
            if isDone { table.finished.add(.task, .done) }
        } catch {
            log.warning(
                "task failed",
                [
                    "task": .text(task.kind), "attempt": .integer(task.attempts),
                    "error": .text(String(describing: error)),
                ])
            let hasFailed = try? await database.tasks.fail(task.id, error: String(describing: error))
            if hasFailed == true { table.finished.add(.task, .failed) }
        }
    }
}
