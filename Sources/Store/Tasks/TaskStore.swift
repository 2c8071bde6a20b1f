// Background tasks, claimed with SKIP LOCKED so that any number of daemons share them.
import Domain
import FoundationEssentials
import Postgres

/// A claimed task.
package struct TaskRow: Sendable {
    package let id: UUID
    package let kind: String
    package let payload: JSONValue
    package let attempts: Int
}

/// What is due for a daemon to do.
package struct DueWork: Sendable {
    package let hasTasks: Bool
    /// Until the next release is due; zero or less when one is due, nil when none is scheduled.
    package let millisecondsToRelease: Int?
}

package struct TaskStore: Sendable {
    let connection: StoreConnection

    /// Adds a task that runs at once.
    package func add(kind: String, payload: JSONValue, maxAttempts: Int = 5) async throws {
        try await connection.run(
            "insert into ops.task (kind, payload, max_attempts) values (\(kind), \(payload), \(maxAttempts))")
    }

    /// Adds the tasks of schedules whose period has come by the database clock and that have something to do, once per
    /// (schedule, due time), whatever the number of daemons. Periods missed while no daemon ran become one task, the
    /// latest. Returns what is due. One statement, because it is nearly all that a daemon without work sends.
    package func addDue(_ kinds: [TaskKind]) async throws -> DueWork {
        var (names, periods): ([String], [Int]) = ([], [])
        var (conditions, isAnyConditional): (SQL, Bool) = ("case m.name", false)
        for kind in kinds {
            guard let period = kind.everySeconds else { continue }
            names.append(kind.name)
            periods.append(period)
            guard let condition = kind.condition else { continue }
            conditions += " when \(kind.name) then (\(condition.sql))"
            isAnyConditional = true
        }
        conditions = isAnyConditional ? conditions + " else true end" : "true"
        let found = try await connection.first(
            """
            with scheduled as materialized (
                select k.name, to_timestamp(floor(extract(epoch from clock_timestamp()) / k.period) * k.period) as due_at
                from unnest(\(names)::text[], \(periods)::integer[]) k (name, period)),
            missing as materialized (
                select s.name, s.due_at from scheduled s
                where not exists (select from ops.task t where t.schedule = s.name and t.due_at = s.due_at)),
            added as (
                insert into ops.task (kind, schedule, due_at) select m.name, m.name, m.due_at from missing m where \(conditions)
                on conflict (schedule, due_at) do nothing returning id)
            select exists (select from added) or coalesce((
                    select min(next_at) from ops.task where state = 'waiting') <= clock_timestamp(), false) as has_tasks, (
                select (extract(epoch from min(due_at) - clock_timestamp()) * 1000)::bigint
                from curation.release where state = 'scheduled') as release_ms
            """
        ) { DueWork(hasTasks: try $0("has_tasks"), millisecondsToRelease: try $0("release_ms")) }
        return found ?? DueWork(hasTasks: false, millisecondsToRelease: nil)
    }

    /// Claims one due task and counts the attempt, in a transaction of its own: a task that kills the daemon still uses
    /// up its attempts. The next attempt is postponed by a backoff that starts at one second.
    package func claim() async throws -> TaskRow? {
        try await connection.first(
            """
            update ops.task set attempts = attempts + 1,
                next_at = clock_timestamp() + make_interval(secs => least(power(2, attempts), 600) * (0.9 + 0.2 * random()))
            where id = (
                select id from ops.task where state = 'waiting' and next_at <= clock_timestamp() and attempts < max_attempts
                order by next_at, id limit 1 for update skip locked)
            returning id, kind, payload, attempts
            """
        ) {
            TaskRow(id: try $0("id"), kind: try $0("kind"), payload: try $0("payload"), attempts: try $0("attempts"))
        }
    }

    /// Locks a claimed task to run it; false when another daemon runs it or it is finished.
    package func lock(_ id: UUID) async throws -> Bool {
        try await connection.first(
            "select id from ops.task where id = \(id) and state = 'waiting' for update skip locked"
        ) { _ in true } ?? false
    }

    package func finish(_ id: UUID) async throws {
        try await connection.run(
            "update ops.task set state = 'done', finished_at = clock_timestamp(), last_error = null where id = \(id)")
    }

    /// Records why an attempt failed. Returns whether it was the last allowed one: the task has failed.
    package func fail(_ id: UUID, error: String) async throws -> Bool {
        try await connection.first(
            """
            update ops.task set last_error = left(\(error), 2000),
                state = case when attempts >= max_attempts then 'failed' else state end,
                finished_at = case when attempts >= max_attempts then clock_timestamp() end
            where id = \(id) and state = 'waiting' returning state = 'failed' as has_failed
            """
        ) { try $0("has_failed") } ?? false
    }

    /// Marks tasks as failed that used up their attempts without an error because their daemon died each time. Returns how
    /// many.
    package func failExhausted() async throws -> Int {
        try await connection.run(
            """
            update ops.task set state = 'failed', finished_at = clock_timestamp(),
                last_error = coalesce(last_error, 'the daemon ended while the task ran, every time')
            where state = 'waiting' and attempts >= max_attempts and next_at <= clock_timestamp()
            """)
    }

    /// Deletes done tasks older than a week.
    package func sweep() async throws {
        try await connection.run(
            "delete from ops.task where state = 'done' and finished_at < now() - interval '7 days'")
    }
}
