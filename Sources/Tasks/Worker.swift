// The clock's hands: publishes what is due and runs jobs, on any number of daemons at once.
import Domain
import EventLoop
import Platform
import Publishing
import Store

/// One per daemon. Every decision about time is the database clock's; a daemon that dies leaves nothing claimed, because
/// claim and effect share a transaction.
package final class Worker: Sendable {
    private let database: Database
    private let table: TaskTable
    private let log: Logger
    private let pollMilliseconds: Int
    private let rounds: PollingLoop

    package init(database: Database, table: TaskTable, log: Logger, pollMilliseconds: Int, loop: EventLoop) {
        self.database = database
        self.table = table
        self.log = log
        self.pollMilliseconds = pollMilliseconds
        rounds = PollingLoop(database: database, channel: "vitrine_schedule", log: log, loop: loop)
    }

    package func start() {
        rounds.start(pause: pollMilliseconds) { [self] in
            try await publishDue()
            if try await runTasks() { return 5 }
            let next = try await database.releases.millisecondsToNext() ?? pollMilliseconds
            return max(min(pollMilliseconds, next), 5)
        }
    }

    /// Ends after the work at hand.
    package func stop() async { await rounds.stop() }

    private func publishDue() async throws {
        while !rounds.isStopping {
            let done = try await PublishRelease(database: database).due(limit: 20)
            for release in done { note(release) }
            if done.isEmpty { return }
        }
    }

    private func note(_ release: DueRelease) {
        let number = LogValue.integer(Int(release.number))
        let late = LogValue.integer(release.lateMilliseconds)
        if let failure = release.failure {
            log.error("a scheduled release failed", ["release": number, "late_ms": late, "reason": .text(failure)])
        } else {
            let publication = LogValue.integer(Int(release.publication ?? 0))
            log.info("a scheduled release went live", ["release": number, "late_ms": late, "publication": publication])
        }
    }

    /// Whether there may be more. What the clock brings, releases and ticks, does not wait for a job that goes on and on.
    private func runTasks() async throws -> Bool {
        for kind in table.kinds {
            if let period = kind.everySeconds {
                try await database.tasks.tick(schedule: kind.name, everySeconds: period)
            }
        }
        try await database.tasks.parkExhausted()
        let end = ContinuousClock.now + .milliseconds(200)
        while !rounds.isStopping {
            guard let task = try await database.tasks.begin() else { return false }
            await run(task)
            if ContinuousClock.now >= end { return true }
        }
        return false
    }

    private func run(_ task: TaskRow) async {
        let database = database
        do {
            let table = table
            try await database.work(as: Actor(kind: .system, name: "schedule")) { change in
                guard try await change.tasks.lock(task.id) else { return }
                try await table.run(task.kind, task.payload, change)
                try await change.tasks.finish(task.id)
            }
        } catch {
            log.warning(
                "a job failed",
                ["task": .text(task.kind), "attempt": .integer(task.attempts), "error": .text(String(describing: error))])
            try? await database.tasks.fail(task.id, error: String(describing: error))
        }
    }
}
