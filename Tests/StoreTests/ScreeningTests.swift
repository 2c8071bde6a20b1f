// Tests screening: scores and reasons, training, testing and activating rules, and auto-approval.
import Domain
import FoundationEssentials
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Screening", .databases)
struct ScreeningTests {
    private static let clock = Actor(kind: .system, name: "schedule")
    private static let prose =
        "<p>The ferry leaves at nine and comes back when the tide lets it, says who has the keys.</p>"

    private func submit(
        _ test: TestDatabase, _ portal: Actor, _ title: String, _ body: String = prose, by contributor: String = "Carl"
    ) async throws -> ID<Submission> {
        try await test.services.receiveSubmission(
            SubmissionDraft(
                type: "article", contributor: contributor, fields: ["title": .string(title), "body": .string(body)]),
            by: portal
        ).id
    }

    private func screen(_ test: TestDatabase) async throws {
        while try await test.database.work(as: Self.clock, { try await ScreenSubmissions.screen(test.rules, $0) }) {}
    }

    private func train(_ test: TestDatabase) async throws {
        while try await test.database.work(as: Self.clock, { try await TrainScreening.train(test.rules, $0) }) {}
    }

    private func decide(_ test: TestDatabase, _ id: ID<Submission>, isSpam: Bool) async throws {
        let draft =
            isSpam
            ? Decision.Draft(verdict: .reject, reason: .spam)
            : Decision.Draft(verdict: .approve, publishTiming: .approveOnly)
        _ = try await test.services.decideSubmission(
            id, draft, version: nil, by: TestDatabase.administrator)
    }

    /// Activates the current rules with changes.
    private func activate(_ test: TestDatabase, _ changes: [String: JSONValue]) async throws -> Int {
        let manage = test.services.manageScreening
        let now = try #require(try await test.database.screenings.current()?.rules.objectValue)
        let version = try await manage.create(
            .object(now.merging(changes) { $1 }), note: "tried", by: TestDatabase.administrator)
        try await manage.activate(version, by: TestDatabase.administrator)
        return version
    }

    @Test(
        "New submissions get a score with reasons; sorted by score, the highest is first and unscreened ones are last")
    func scores() async throws {
        let test = try await TestDatabase.make()
        let portal = try await test.clientActor()
        let risk_order = try await submit(test, portal, "A walk along the quay")
        let links = (1...6).map { "<p><a href=\"https://s\($0).example.org/\">here</a></p>" }.joined()
        let spam = try await submit(test, portal, "Your FREE prize", links)
        try await screen(test)
        let late = try await submit(test, portal, "Not looked at yet")
        let first = try await test.database.queue.page(QueueFilter(), order: .score, cursor: nil, limit: 2)
        #expect(first.items.map(\.id) == [spam, risk_order])
        let rest = try await test.database.queue.page(QueueFilter(), order: .score, cursor: first.next, limit: 2)
        #expect(rest.items.map(\.id) == [late] && rest.items[0].screening == nil)
        let found = try #require(first.items[0].screening)
        #expect(found.score == 50 && found.level == .medium && found.version == 1)
        #expect(found.reasons.map(\.message) == ["contains “free prize”", "6 links; more than 5"])
        #expect(first.items[1].screening?.score == 0 && first.items[1].screening?.level == .low)
        let around = try await test.database.queue.around(
            first.items[1].position, QueueFilter(), order: .score, before: 1, after: 1)
        #expect(around.map(\.id) == [spam, risk_order, late])
    }

    @Test("A damaged submission is shown and screened as damaged; a bulk approval skips it and approves the others")
    func damaged() async throws {
        let test = try await TestDatabase.make()
        let portal = try await test.clientActor()
        let good = try await submit(test, portal, "A walk along the quay")
        let number = try await submit(test, portal, "A number beyond any")
        let list = try await submit(test, portal, "A list of fields")
        try await test.client.execute("alter table curation.submission disable trigger user")
        try await test.client.execute(
            "update curation.submission set fields = fields || '{\"media\": {\"n\": 1e400}}' where id = \(number)")
        try await test.client.execute("update curation.submission set fields = '[]' where id = \(list)")
        try await screen(test)
        #expect(try await test.database.screenings.find(good)?.reasons.isEmpty == true)
        #expect(
            try await test.database.screenings.find(number)?.reasons.last?.message
                == "The stored content can't be read: /media/n: This number is too large.")
        let row = try #require(try await test.database.submissions.find(list))
        #expect(row.fields.isEmpty && row.stored.damage == "The stored content is not an object.")

        let ids = [good, number, list]
        let plan = try await test.services.planBulkAction(.approve, .listed(ids), by: TestDatabase.administrator)
        let request = BulkActionRequest.decide(Decision.Draft(verdict: .approve, publishTiming: .approveOnly))
        let done = try await test.services.runBulkAction(plan, request, by: TestDatabase.administrator)
        #expect(done.count(.done) == 1 && done.count(.skipped) == 2)
        let skipped = try await test.database.bulkActions.items(of: plan, results: [.skipped], limit: 9)
        #expect(skipped.allSatisfy { $0.reason?.contains("The stored content") == true })
        try await decide(test, number, isSpam: true)
        try await train(test)
        #expect(try await test.database.submissions.find(ids).map(\.state) == [.approved, .rejected, .pending])
    }

    @Test("Training counts each decision once, and subtracts undone ones")
    func trains() async throws {
        let test = try await TestDatabase.make()
        let portal = try await test.clientActor()
        var last: ID<Submission>?
        for number in 1...20 {
            let spam = try await submit(
                test, portal, "Buy pills \(number)", "<p>Cheap pills and replica watches for all of you.</p>", by: "Sam"
            )
            try await decide(test, spam, isSpam: true)
            try await decide(test, try await submit(test, portal, "Harbour notes \(number)"), isSpam: false)
            last = spam
        }
        try await train(test)
        try await train(test)
        func counts() async throws -> [Int] {
            let row = try await test.client.one(
                """
                select c.spam, c.ham, t.spam as word, r.rejected, r.spam as sent from curation.screening_cursor c,
                    curation.spam_token t, curation.contributor_record r
                where t.field = 'text' and t.token = 'pills' and r.contributor = 'Sam'
                """)
            return [try row("spam"), try row("ham"), try row("word"), try row("rejected"), try row("sent")]
        }
        #expect(try await counts() == [20, 20, 20, 20, 20])
        let again = try await submit(
            test, portal, "Pills", "<p>Cheap replica watches and pills, sent to all of you today.</p>", by: "New")
        let fine = try await submit(test, portal, "Harbour notes, the next")
        let known = try await submit(
            test, portal, "Something else entirely", "<p>Words that nobody used before this day.</p>", by: "Sam")
        try await screen(test)
        let found = try #require(try await test.database.screenings.find(again))
        #expect(found.level == .high && found.reasons[0].message.contains("similar to past spam"))
        #expect(try await test.database.screenings.find(fine)?.score == 0)
        #expect(try await test.database.screenings.find(fine)?.trust == 2)
        let record = try await test.database.screenings.find(known)?.reasons.map(\.message) ?? []
        #expect(record.contains("20 of 20 of this contributor's submissions were rejected"))

        try await test.services.undoDecision(
            try #require(last), version: nil, by: TestDatabase.administrator)
        try await train(test)
        #expect(try await counts() == [19, 20, 19, 19, 19])
    }

    @Test("A version is immutable, has test results, and is activated only after it was tested")
    func versions() async throws {
        let test = try await TestDatabase.make()
        let portal = try await test.clientActor()
        try await decide(test, try await submit(test, portal, "Casino on the pier"), isSpam: false)
        try await decide(test, try await submit(test, portal, "Win at the casino"), isSpam: true)
        let version = try await activate(
            test, ["terms": .array([.object(["term": "casino", "points": .int(70)])])])
        let row = try #require(try await test.database.screenings.find(version: version))
        let trial = ScreeningTrial(reading: try #require(row.trial), decisions: row.decisions ?? 0)
        #expect(row.isActive && trial.decisions == 2)
        #expect(trial.counts["approved"]?[.high] == 1 && trial.counts["spam"]?[.high] == 1)
        #expect(trial.samples.map(\.verdict) == ["approved"])
        await #expect(throws: (any Error).self) {
            try await test.client.execute("update curation.screening_rules set note = 'another'")
        }
        try await test.client.transaction { transaction in
            try await transaction.execute(
                "insert into ops.audit_event (actor_id, action, object_type) values (\(SystemActor.system), 'test.fill', 'screening')"
            )
            try await transaction.execute(
                "insert into curation.screening_rules (version, rules, note, created_by) values (9, '{}', 'x', \(SystemActor.system))"
            )
        }
        await #expect(
            throws: Failure.refused(
                code: "rule", message: "Test this version on past decisions before you activate it.")
        ) {
            try await test.services.manageScreening.activate(
                9, by: TestDatabase.administrator)
        }
    }

    @Test(
        "A trusted contributor's low-risk submission is auto-approved, with its rules and inputs; a high score never is"
    )
    func trusted() async throws {
        let test = try await TestDatabase.make()
        let portal = try await test.clientActor()
        for number in 1...3 {
            try await decide(test, try await submit(test, portal, "Notes \(number)"), isSpam: false)
        }
        try await train(test)
        let version = try await activate(
            test, ["approve_from": .int(1), "terms": .array([.object(["term": "casino", "points": .int(70)])])])
        let fine = try await submit(test, portal, "Notes, the next")
        let risky = try await submit(test, portal, "Casino notes")
        let stranger = try await submit(test, portal, "Notes by another", by: "Nobody")
        let assigned = try await submit(test, portal, "Notes, for an editor")
        let services = try test.services(["VITRINE_REVIEW_ASSIGNED_ONLY": "true"])
        try await services.triageSubmission.assign(assigned, to: .role("editor"), by: TestDatabase.administrator)
        try await screen(test)
        while let task = try await test.database.tasks.claim() {
            guard task.kind == ScreenSubmissions.approveKind else { continue }
            try await test.database.work(as: Self.clock) {
                try await ApproveTrusted.approve(task.payload, test.rules, services.reviewPolicy, $0)
            }
        }
        let states = try await [fine, risky, stranger, assigned].asyncStates(test)
        #expect(states == [.approved, .pending, .pending, .pending])
        let row = try await test.client.query(
            "select version, score::integer as score, trust::integer as trust, inputs from curation.automatic_decision"
        )
        #expect(row.count == 1)
        #expect(try row[0]("version") as Int == version)
        #expect(try row[0]("trust") as Int == 1)
        #expect(try (row[0]("inputs") as JSONValue)["approved"] == .int(3))
        let history = try await test.database.decisions.history(of: fine)
        #expect(history.map(\.decidedBy) == ["system"])
        // Automatic decisions are not training samples.
        try await train(test)
        let taught: Int = try await test.client.query("select ham::integer as ham from curation.screening_cursor")[0](
            "ham")
        #expect(taught == 3)
    }
}

extension [ID<Submission>] {
    fileprivate func asyncStates(_ test: TestDatabase) async throws -> [SubmissionState] {
        var states: [SubmissionState] = []
        for id in self { states.append(try #require(try await test.database.submissions.find(id)).state) }
        return states
    }
}
