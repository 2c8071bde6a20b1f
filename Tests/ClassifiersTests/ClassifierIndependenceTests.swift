// Tests that nothing waits for an external classifier, and that it decides nothing.
import Domain
import FoundationEssentials
import HTTP
import Operations
import Platform
import Postgres
import Store
import Tasks
import TestBasics
import TestSupport
import Testing

@Suite("Nothing waits for the external classifier", .databases)
struct ClassifierIndependenceTests {
    /// Activates auto-approval of low-risk submissions of known contributors.
    private func autoApprove(_ test: TestDatabase) async throws {
        let manage = test.services.manageScreening
        let now = try #require(try await test.database.screenings.current()?.rules.objectValue)
        let version = try await manage.create(
            .object(now.merging(["approve_from": .int(1), "known_approved": .int(1)]) { $1 }), note: "tried",
            by: TestDatabase.administrator)
        try await manage.activate(version, by: TestDatabase.administrator)
    }

    private func approve(_ id: ID<Submission>, _ world: ClassifierWorld) async throws {
        _ = try await world.test.services.decideSubmission(
            id, Decision.Draft(verdict: .approve, publishTiming: .approveOnly), version: nil,
            by: TestDatabase.administrator)
    }

    @Test("While the service hangs, submissions are screened, shown, decided and auto-approved; no transaction is open")
    func hangs() async throws {
        try await ClassifierWorld.with(timeout: 300_000) { world in
            try await autoApprove(world.test)
            try await approve(world.submit("Known"), world)
            let (rules, test) = (world.test.rules, world.test)
            while try await test.database.work(as: ClassifierWorld.clock, { try await TrainScreening.train(rules, $0) })
            {}
            let gate = ClassifierService.Gate()
            world.service.answer { _ in
                await gate.wait()
                return ClassifierService.json(#"{"score": 100, "reasons": ["never approve this"]}"#)
            }
            let table = TaskTable(
                publicURL: "https://cms.example.org", review: test.services.reviewPolicy, rules: test.rules,
                packs: TestDatabase.packs, isClassified: true)
            let worker = Worker(
                services: test.services, table: table, log: Logger(level: .error), pollMilliseconds: 20, loop: test.loop
            )
            let loop = world.loop()
            worker.start()
            for number in 1...4 { try await world.submit("Stranger \(number)", by: "New \(number)") }
            // A pass asks about what waits when it begins, and the service hangs on all of it.
            try await until("the strangers are screened") { try await world.status().waiting == 4 }
            loop.start()
            await until("four requests wait") { gate.waiting == 4 }
            let trusted = try await world.submit(
                "Trusted", "<p>The ferry leaves at nine and comes back with the tide, says the captain.</p>")
            // The service still holds its four requests.
            try await until("the trusted submission is approved") {
                try await test.database.submissions.find(trusted)?.state == .approved
            }
            let open: Int = try await test.client.one(
                """
                select count(*)::integer as n from pg_stat_activity
                where datname = current_database() and state like 'idle in transaction%' and state_change < now() - interval '1 s'
                """)("n")
            #expect(open == 0 && gate.waiting == 4)
            let page = try await test.database.queue.page(QueueFilter(), order: .oldest, cursor: nil, limit: 10)
            #expect(page.items.count == 4 && page.items.allSatisfy { $0.screening != nil && $0.classification == nil })
            try await approve(page.items[0].id, world)
            gate.open()
            try await until("nothing waits") { try await world.status().waiting == 0 }
            await loop.stop()
            await worker.stop()
            // The answer about the decided one arrived late, and changed nothing.
            #expect(try await test.database.submissions.find(page.items[0].id)?.state == .approved)
            #expect(try await world.row(page.items[0].id)?.response?.score == 100)
            #expect(try await world.row(trusted)?.state == .skipped)
        }
    }

    @Test("A submission that is decided before its turn is not asked about")
    func decided() async throws {
        try await ClassifierWorld.with { world in
            let id = try await world.submit()
            try await world.screen()
            try await approve(id, world)
            _ = try await world.classify()
            #expect(world.service.questions.isEmpty)
            #expect(try await world.row(id)?.state == .skipped)
            #expect(try await world.status().callsToday == 0)
        }
    }

    @Test("An answer about a text that was replaced in the meantime is not recorded; the new text is asked about")
    func replaced() async throws {
        try await ClassifierWorld.with { world in
            let gate = ClassifierService.Gate()
            world.service.answer { _ in
                await gate.wait()
                return ClassifierService.json(#"{"score": 90}"#)
            }
            let id = try await world.submit()
            try await world.screen()
            let loop = world.loop()
            loop.start()
            await until("the service is asked") { gate.waiting == 1 }
            // As a resubmission does: it is screened again.
            try await world.test.client.execute(
                "update curation.queue_item set risk_order = 101 where submission_id = \(id)")
            world.service.answer(#"{"score": 3}"#)
            try await world.screen()
            gate.open()
            try await until("the answer is stored") { try await world.row(id)?.response != nil }
            await loop.stop()
            #expect(try await world.row(id)?.response?.score == 3)
            #expect(world.service.questions.count == 2 && Set(world.service.questions.map(\.id)).count == 2)
        }
    }

    @Test(
        "A submission whose daemon died is asked about again after the lease, and given up after the last attempt or a day"
    )
    func leases() async throws {
        try await ClassifierWorld.with { world in
            let id = try await world.submit("Died")
            try await world.screen()
            let limits = world.rules.limits
            for attempt in 1...3 {
                let claimed = try await world.test.database.classifications.claim(limits)
                #expect(claimed?.submission == id && claimed?.attempts == attempt)
                #expect(try await world.test.database.classifications.claim(limits) == nil)
                try await world.hurry()
            }
            _ = try await world.classify()
            #expect(try await world.row(id)?.state == .failed && world.service.questions.isEmpty)

            let old = try await world.submit("Old")
            try await world.screen()
            try await world.test.client.execute(
                "update curation.classification set created_at = created_at - interval '25 hours' where state = 'waiting'"
            )
            _ = try await world.classify()
            #expect(try await world.row(old)?.state == .skipped && world.service.questions.isEmpty)
        }
    }

    @Test("Without a configured classifier there is no trace of one")
    func off() async throws {
        try await ClassifierWorld.with { world in
            let id = try await world.submit()
            try await world.screen(isClassified: false)
            #expect(try await world.classify() == 0)
            #expect(try await world.row(id) == nil && world.service.questions.isEmpty)
            #expect(try await world.test.database.screenings.find(id) != nil)
        }
    }

    @Test("Erasing a contributor deletes what the classifier answered about their submissions")
    func erased() async throws {
        try await ClassifierWorld.with { world in
            world.service.answer(#"{"score": 80, "reasons": ["mentions Mo"]}"#)
            let id = try await world.ask()
            try await approve(id, world)
            let contributor: ID<Contributor> = try await world.test.client.one(
                "select id from curation.contributor where name = 'Mo'")("id")
            _ = try await world.test.services.manageContributor.erase(contributor, by: TestDatabase.administrator)
            #expect(try await world.row(id) == nil)
        }
    }
}
