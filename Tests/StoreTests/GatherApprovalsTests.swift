// Tests approvals that wait for the publication lock: they are carried out together, each with its own actor and result.
import Domain
import Platform
import Postgres
import Store
import TestBasics
import TestSupport
import Testing
@testable import Operations

@Suite("Approvals that wait", .databases)
struct GatherApprovalsTests {
    private typealias Approval = (row: SubmissionRow, actor: Actor)
    private typealias Outcome = Result<DecisionOutcome, any Error>

    /// `each` submissions have the same title.
    private func submit(_ test: TestDatabase, _ count: Int, each: Int) async throws -> [SubmissionRow] {
        let portal = try await test.clientActor()
        var rows: [SubmissionRow] = []
        for number in 0..<count {
            let id = try await test.submit("Part \(number / each)", by: portal)
            rows.append(try #require(try await test.database.submissions.find(id)))
        }
        return rows
    }

    /// Holds the publication lock until the first approval needs it and all others wait.
    private func start(_ test: TestDatabase, _ all: [Approval]) async throws -> [Task<DecisionOutcome, any Error>] {
        let decide = test.services.decideSubmission
        let gather = test.services.gatherApprovals
        let lines = Set(all.map(\.actor.role)).count
        let owner = test.superuser()
        let running: [Task<DecisionOutcome, any Error>] = try await owner.transaction { transaction in
            try await transaction.execute("select number from curation.publication_counter for update")
            var running: [Task<DecisionOutcome, any Error>] = []
            for (row, actor) in all {
                running.append(
                    Task {
                        try await decide(
                            row, Decision.Draft(verdict: .approve, publishTiming: .now), version: row.version,
                            respectsClaims: true, by: actor)
                    })
                if running.count == 1 { await until("the first is carried out") { gather.isBusy } }
            }
            await until("the others wait") { gather.waitingCount == all.count - lines }
            return running
        }
        await owner.close()
        return running
    }

    /// Returns what became of each.
    private func approve(_ test: TestDatabase, _ all: [Approval]) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        for task in try await start(test, all) { outcomes.append(await task.result) }
        return outcomes
    }

    private func code(_ outcome: Outcome) -> String? {
        guard case .failure(let error) = outcome else { return nil }
        guard let failure = error as? Failure else { return "\(error)" }
        switch failure {
        case .conflict(let code, _): return code
        case .forbidden: return "forbidden"
        default: return failure.sentence
        }
    }

    private func approvers(_ test: TestDatabase, of row: SubmissionRow) async throws -> [String] {
        try await test.database.auditTrail.about("submission", row.id.description)
            .filter { $0.action == "submission.approve" }.map(\.actor)
    }

    /// Sends the publication of each entry to a webhook.
    private func addWebhook(_ test: TestDatabase, by actor: Actor) async throws {
        let owner = test.superuser()
        try await owner.transaction { transaction in
            try await transaction.execute("set local session_replication_role = replica")
            try await transaction.execute(
                """
                insert into ops.webhook (url, events, secret, created_by)
                values ('https://a.example', '{entry.published}', decode('00', 'hex'), \(actor.rowID))
                """)
        }
        await owner.close()
    }

    @Test(
        "Approvals of several people that wait are one publication; what fails falls out with its own error",
        arguments: [3, 20, 70])
    func together(count: Int) async throws {
        let test = try await TestDatabase.make()
        var people: [Actor] = []
        for name in ["Ann", "Bob", "Cid"] { people.append(try await test.actor(.publisher, name: name)) }
        try await addWebhook(test, by: people[0])
        let rows = try await submit(test, count + 4, each: 2)
        let (decided, claimed, open) = (rows[count + 1], rows[count + 2], rows[count + 3])
        _ = try await test.services.decideSubmission(
            decided, Decision.Draft(verdict: .reject, reason: .spam), version: decided.version, by: people[0])
        try await test.services.claimSubmission(claimed.id, by: people[0])
        let ended = Actor(
            kind: .account, id: people[2].id, name: "Cid", role: .publisher,
            credential: Credential(Token.make().bytes))
        var all: [Approval] = rows.prefix(count + 1).enumerated().map { ($1, people[$0 % 3]) }
        // The second approval of a submission waits for the first.
        let further: [Approval] = [(decided, people[1]), (claimed, people[1]), (open, ended), (rows[1], people[2])]
        all += further

        let outcomes = try await approve(test, all)

        #expect(code(outcomes[count + 1]) == "already_decided")
        #expect(code(outcomes[count + 2]) == "claimed")
        #expect(code(outcomes[count + 3]) == "forbidden")
        #expect([code(outcomes[1]), code(outcomes[count + 4])].compactMap { $0 } == ["already_decided"])
        for row in [decided, claimed, open] { #expect(try await approvers(test, of: row).isEmpty) }

        var published: [Int64: [Approval]] = [:]
        for (approval, outcome) in zip(all, outcomes) {
            guard case .success(let decision) = outcome else { continue }
            let change = try #require(decision.change)
            let publication = try #require(change.publication)
            published[publication, default: []].append(approval)
            let history = try await test.database.decisions.history(of: approval.row.id)
            #expect(history.map(\.decidedByID) == [approval.actor.rowID])
            #expect(try await approvers(test, of: approval.row) == [approval.actor.name])
            let events = try await test.database.history.page(of: change.entry, cursor: nil, limit: 20).items
            #expect(events.filter { $0.kind == .publication }.map(\.actor) == [approval.actor.name])
        }
        #expect(published.values.reduce(0) { $0 + $1.count } == count + 1)
        // The first is carried out alone, and at most 64 together.
        #expect(published.count == (count < GatherApprovals.limit ? 2 : 3))
        for (number, approvals) in published {
            let names = Set(approvals.map(\.actor.name)).sorted().joined(separator: ", ")
            #expect(try await test.database.publications.find(number)?.actor == names)
        }
        let messages: [Int64] = try await test.client.query(
            "select publication from ops.outbox_message where type = 'entry.published' order by created_at"
        ).map { try $0("publication") }
        #expect(messages.count == count + 1 && messages == messages.sorted())

        // Each is undone alone.
        let together = try #require(published.values.max { $0.count < $1.count })
        for (row, actor) in together.prefix(2) {
            try await test.services.undoDecision(row.id, version: 1, by: actor)
            #expect(try await test.state(row.id) == .pending)
        }
        #expect(try await test.rows("item") == count - 1)
        #expect(try await test.isVerified())
        #expect(!test.services.gatherApprovals.isBusy)
    }

    @Test("S15: people with different rights share no transaction, so nobody uses those of another one")
    func rights() async throws {
        let test = try await TestDatabase.make()
        let people = [
            try await test.actor(.publisher, name: "Pia"), try await test.actor(.administrator, name: "Ada"),
        ]
        let rows = try await submit(test, 8, each: 1)
        let all: [Approval] = rows.enumerated().map { ($1, people[$0 % 2]) }
        var actors: [Int64: Set<String>] = [:]
        for (approval, outcome) in zip(all, try await approve(test, all)) {
            let publication = try #require(try outcome.get().change?.publication)
            actors[publication, default: []].insert(approval.actor.name)
        }
        #expect(actors.count == 4 && actors.values.allSatisfy { $0.count == 1 })
        #expect(try await test.isVerified())
    }

    @Test("An approval whose submission somebody has locked falls out, and the others don't wait for it")
    func locked() async throws {
        let test = try await TestDatabase.make()
        let person = try await test.actor(.publisher, name: "Ann")
        let rows = try await submit(test, 4, each: 1)
        let holder = test.superuser()
        let running: [Task<DecisionOutcome, any Error>] = try await holder.transaction { transaction in
            try await transaction.execute(
                "select risk_order from curation.queue_item where submission_id = \(rows[2].id)::uuid for update")
            let running = try await start(test, rows.map { (row: $0, actor: person) })
            var published: Set<Int64> = []
            for index in [0, 1, 3] {
                published.insert(try #require(try await running[index].value.change?.publication))
            }
            #expect(published.count == 2)
            return running
        }
        await holder.close()
        #expect(try await running[2].value.change?.publication != nil)
        #expect(try await test.isVerified())
    }
}
