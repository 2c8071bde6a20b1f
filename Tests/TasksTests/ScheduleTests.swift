// Tests that scheduled work runs once, in order and not early, on any number of workers.
import Domain
import EventLoop
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@testable import Tasks

@Suite("The schedule", .databases)
struct ScheduleTests {
    private func scheduled(_ test: TestDatabase, _ title: String, at delay: String) async throws -> ID<Entry> {
        let write = test.write
        let made = try await write.create(
            type: "article",
            fields: [
                "title": .string(title), "body": "<p>x</p>",
                "categories": .array([.string(SeedEntry.unsorted.description)]),
            ],
            publishTiming: .approveOnly, by: TestDatabase.administrator)
        let newest = try #require(try await test.database.revisions.newest(of: made.entry))
        let local: String = try await test.client.one(
            "select to_char(clock_timestamp() at time zone 'UTC' + \(delay)::interval, 'YYYY-MM-DD\"T\"HH24:MI:SS') as t"
        )("t")
        let release = try await test.services.composeRelease.create(
            title: title, items: [LiveChange(entry: made.entry, revision: newest.id)], by: TestDatabase.administrator)
        try await test.makeDue(release, at: local)
        return made.entry
    }

    @Test("R9, R11: with four workers every due release is published once, in the order of their times, none early")
    func onceAndInOrder() async throws {
        let test = try await TestDatabase.make()
        // Written in another order than they are due.
        for number in [3, 1, 5, 2, 4] { _ = try await scheduled(test, "late \(number)", at: "-\(10 - number) minutes") }
        let early = try await scheduled(test, "early", at: "1 hour")
        let workers = (0..<4).map { _ in
            Worker(
                services: test.services,
                table: TaskTable(
                    publicURL: "", review: test.services.reviewPolicy, rules: nil, packs: TestDatabase.packs),
                log: Logger(level: .error), pollMilliseconds: 20,
                loop: test.loop)
        }
        for worker in workers { worker.start() }
        try await until("all releases are finished") { try await test.database.releases.finished().count == 5 }
        for worker in workers { await worker.stop() }

        let notes: [String] = try await test.client.query(
            "select note from curation.publication where release_id is not null order by number"
        ).map { try $0("note") }
        #expect(notes == (1...5).map { "late \($0)" })
        #expect(try await test.database.revisions.live(of: early) == nil)
        #expect(try await test.database.releases.finished().allSatisfy { $0.state == .published })
        #expect(try await test.database.publications.verify().isEmpty)
        let page = try await test.database.publications.page(cursor: nil, limit: 5)
        let late = page.items.compactMap(\.delayMilliseconds)
        #expect(late.count == 5 && late.allSatisfy { $0 > 4 * 60_000 })
    }

    @Test("R19: a release that cannot be published ends as failed with its reason and stops nothing else")
    func failure() async throws {
        let test = try await TestDatabase.make()
        let bad = try await scheduled(test, "bad", at: "-2 minutes")
        _ = try await scheduled(test, "good", at: "-1 minutes")
        // Its only category is withdrawn meanwhile: the read table refuses an item without one.
        let number = try await test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("publication.publish", on: "publication")
        ) { transaction in
            try await transaction.publications.publish(
                .listed([LiveChange(entry: SeedEntry.unsorted, revision: nil)]), note: "gone",
                by: TestDatabase.administrator)
        }
        #expect(number != nil)
        let done = try await test.services.publishRelease.due()
        #expect(done.map { $0.failure == nil } == [false, false])
        #expect(done.first?.failure?.contains("item_category") == true)
        #expect(try await test.database.revisions.live(of: bad) == nil)
        #expect(try await test.database.publications.verify().isEmpty)
    }

    @Test("R18: a release that meets a lock waits for the next iteration and doesn't fail")
    func locked() async throws {
        let test = try await TestDatabase.make(lockTimeout: .milliseconds(100))
        let entry = try await scheduled(test, "held", at: "-1 minutes")
        try await test.client.transaction { holder in
            try await holder.execute("lock table curation.live in exclusive mode")
            await #expect(throws: Failure.self) { try await test.services.publishRelease.due() }
        }
        #expect(try await test.database.releases.scheduled().count == 1)
        #expect(try await test.services.publishRelease.due().map { $0.failure == nil } == [true])
        #expect(try await test.database.revisions.live(of: entry) != nil)
    }

    @Test("R19: a task that always fails ends as failed after its attempts, and others run meanwhile")
    func poison() async throws {
        let test = try await TestDatabase.make()
        try await test.database.tasks.add(kind: "no_such_task", payload: .object([:]), maxAttempts: 2)
        let finished = FinishedTasks()
        let table = TaskTable(
            publicURL: "", review: test.services.reviewPolicy, rules: nil, packs: TestDatabase.packs, finished: finished
        )
        let worker = Worker(
            services: test.services, table: table, log: Logger(level: .error), pollMilliseconds: 20, loop: test.loop)
        worker.start()
        try await until("the task has failed") {
            try await test.database.backgroundTasks.page(kind: .task, state: .failed, limit: 9).items.count == 1
        }
        try await until("the other tasks are done") {
            try await test.database.backgroundTasks.page(kind: .task, state: .done, limit: 99).items.contains {
                $0.name == "prune"
            }
        }
        await worker.stop()
        let parked = try #require(
            try await test.database.backgroundTasks.page(kind: .task, state: .failed, limit: 9).items.first)
        #expect(parked.attempts == 2)
        #expect(finished[.task, .failed] == 1 && finished[.task, .done] > 0)
        #expect(parked.lastError?.contains("no_such_task") == true)
        #expect(try await test.database.backgroundTasks.retry(.task, only: parked.id) == 1)
        #expect(try await test.database.backgroundTasks.find(parked.id)?.state == .waiting)
    }

    @Test("R19: a due release is published while thousands of tasks wait")
    func busy() async throws {
        let test = try await TestDatabase.make()
        try await test.client.execute(
            "insert into ops.task (kind) select 'index_search_terms' from generate_series(1, 10000)")
        let worker = Worker(
            services: test.services,
            table: TaskTable(
                publicURL: "", review: test.services.reviewPolicy, rules: nil, packs: TestDatabase.packs),
            log: Logger(level: .error), pollMilliseconds: 20,
            loop: test.loop)
        worker.start()
        try await until("the tasks are done") {
            try await test.database.backgroundTasks.page(kind: .task, state: .done, limit: 9).items.count > 1
        }
        let entry = try await scheduled(test, "due", at: "-1 minutes")
        try await until("the scheduled version is published") {
            try await test.database.revisions.live(of: entry) != nil
        }
        let waiting: Int = try await test.client.one("select count(*) as n from ops.task where state = 'waiting'")("n")
        #expect(waiting > 0)
        await worker.stop()
    }

    @Test("The nightly comparison fails the task of the part with a wrong row, until it is repaired")
    func verification() async throws {
        let test = try await TestDatabase.make()
        _ = try await scheduled(test, "due", at: "-1 minutes")
        _ = try await test.services.publishRelease.due()
        let table = TaskTable(
            publicURL: "", review: test.services.reviewPolicy, rules: nil, packs: TestDatabase.packs)
        let schedule = Actor(kind: .system, name: "schedule")
        let kind = VerifyRecentChanges.taskKind
        func run(_ payload: JSONValue) async throws {
            try await test.database.work(as: schedule) { try await table.run(kind, payload, $0) }
        }
        try await run(.object([:]))
        let payloads: [JSONValue] = try await test.client.query(
            "select payload from ops.task where kind = \(kind) order by id"
        ).map { try $0("payload") }
        #expect(payloads.contains { $0["part"]?.stringValue == "item" })
        try await test.client.execute("update api_v1.item set title = title || '!'")
        var failures: [String] = []
        for payload in payloads {
            do { try await run(payload) } catch { failures.append(String(describing: error)) }
        }
        #expect(failures.count == 1 && failures.first?.contains("in item") == true, "\(failures)")
        #expect(try await test.services.verifyReadTables.repair(by: TestDatabase.administrator) != nil)
        for payload in payloads { try await run(payload) }

        // The next night compares what was published since.
        let publications = test.database.publications
        #expect(try await publications.newest(beforeLastRunOf: kind) == 0)
        try await test.client.execute(
            """
            insert into ops.task (kind, schedule, due_at, state, finished_at)
            values (\(kind), \(kind), clock_timestamp() + interval '2 hours', 'done', clock_timestamp())
            """)
        let current = try await publications.current()
        #expect(try await publications.newest(beforeLastRunOf: kind) == current)
        #expect(try await publications.verificationParts(since: current).isEmpty)
    }

    @Test("A scheduled run adds one task, however many daemons request it")
    func once() async throws {
        let test = try await TestDatabase.make()
        let kind = TaskKind(name: "prune", everySeconds: 86_400) { _, _ in }
        let due = try await concurrently(0..<8) { _ in try await test.database.tasks.addDue([kind]).hasTasks }
        #expect(due.allSatisfy { $0 })
        #expect(try await test.database.backgroundTasks.page(kind: .task, state: nil, limit: 9).items.count == 1)
    }

    @Test("A scheduled task is added only when it has something to do, and what it found is done once")
    func needed() async throws {
        let test = try await TestDatabase.make()
        let clock = Actor(kind: .system, name: "schedule")
        // Once a second, so that no period is over before the first.
        let screen = TaskKind(name: "screen", everySeconds: 1, if: .unscreened) { _, _ in }
        let seal = TaskKind(name: "seal_audit", everySeconds: 1, if: .unsealedEvents) { _, _ in }
        let index = TaskKind(name: "index_search_terms", everySeconds: 1, if: .unindexedChanges) { _, _ in }
        let due = TaskCondition.dueOutcomes(afterMinutes: 0)
        let notify = TaskKind(name: "notify_contributors", everySeconds: 1, if: due) { _, _ in }
        func isNeeded(_ kind: TaskKind) async throws -> Bool {
            // Each question is the first of its period.
            try await test.client.execute("delete from ops.task")
            return try await test.database.tasks.addDue([kind]).hasTasks
        }
        func screenAll() async throws {
            while try await test.database.work(as: clock, { try await ScreenSubmissions.screen(test.rules, $0) }) {}
        }
        func indexAll() async throws {
            while try await test.database.work(as: clock, { try await $0.searchTerms.index() }) > 0 {}
        }
        try await screenAll()
        try await indexAll()
        #expect(try await !isNeeded(screen))
        #expect(try await !isNeeded(index))
        #expect(try await !isNeeded(notify))
        #expect(try await !test.database.tasks.addDue([]).hasTasks)

        let id = try await test.submit(by: test.clientActor())
        #expect(try await isNeeded(screen))
        #expect(try await isNeeded(seal))
        try await screenAll()
        #expect(try await !isNeeded(screen))
        // A transaction of another test may delay sealing.
        try await until("all events are sealed", within: 600) {
            _ = try await test.database.auditTrail.seal()
            return try await !isNeeded(seal)
        }

        _ = try await test.services.decideSubmission(
            id, Decision.Draft(verdict: .reject, reason: .offTopic), version: nil, by: TestDatabase.administrator)
        #expect(try await isNeeded(notify))
        try await test.article("Piers")
        #expect(try await isNeeded(index))
        try await indexAll()
        #expect(try await !isNeeded(index))
    }

    @Test("Without work no task that has a condition is added")
    func atRest() async throws {
        let test = try await TestDatabase.make()
        let table = TaskTable(
            publicURL: "", review: test.services.reviewPolicy, rules: test.rules, packs: TestDatabase.packs)
        let schedule = Actor(kind: .system, name: "schedule")
        // Audit events of this test's database may stay unsealed while other tests run.
        let kinds = table.kinds.filter { $0.condition != nil && $0.name != "seal_audit" }
        #expect(kinds.count > 2)
        func added() async throws -> [String] {
            // Each question is the first of its period.
            try await test.client.execute("delete from ops.task")
            _ = try await test.database.tasks.addDue(kinds)
            return try await test.client.query("select kind from ops.task order by kind").map { try $0("kind") }
        }
        // What the migration left.
        var left = try await added()
        for _ in 0..<100 where !left.isEmpty {
            for kind in left {
                try await test.database.work(as: schedule) { try await table.run(kind, .object([:]), $0) }
            }
            left = try await added()
        }
        #expect(left == [])
        _ = try await test.submit(by: test.clientActor())
        #expect(try await added().contains("screen"))
    }
}
