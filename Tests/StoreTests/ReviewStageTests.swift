// Reviews in stages: who may agree, in which order, and that nothing is accepted before the last yes, whatever way is tried.
import Domain
import FoundationEssentials
import Intake
import Review
import Store
import TestSupport
import Testing

@Suite("Reviews in stages", .databases)
struct ReviewStageTests {
    private static let admin = TestDatabase.administrator

    private struct World {
        let test: TestDatabase
        let decide: DecideSubmission
        let ann, bob: Actor
        let curator, publisher: Actor

        init(_ plan: [ReviewStage], for scope: ReviewScope = .type("article")) async throws {
            test = try await TestDatabase.make()
            decide = DecideSubmission(database: test.database, rules: test.rules)
            ann = try await test.actor(.editor, name: "Ann")
            bob = try await test.actor(.editor, name: "Bob")
            curator = try await test.actor(.curator, name: "Cat")
            publisher = try await test.actor(.publisher, name: "Pat")
            try await ApproveStage(database: test.database).plan(scope, plan, by: ReviewStageTests.admin)
        }

        func submit(by actor: Actor? = nil, email: String? = nil) async throws -> ID<Submission> {
            let client: Actor
            if let actor { client = actor } else { client = try await test.clientActor() }
            return try await ReceiveSubmission(database: test.database, rules: test.rules, allowsAnonymous: true)(
                SubmissionDraft(
                    type: "article", contributorEmail: email,
                    fields: ["title": "A walk", "body": "<p>Along the quay.</p>"]), by: client
            ).id
        }

        func approve(_ id: ID<Submission>, _ actor: Actor, edits: [String: JSONValue]? = nil) async throws
            -> SubmissionState
        {
            try await decide(
                id, Decision.Draft(verdict: .approve, edits: edits, publishTiming: .approveOnly), version: nil, by: actor
            ).state
        }

        func state(_ id: ID<Submission>) async throws -> SubmissionState? {
            try await test.database.submissions.find(id)?.state
        }
    }

    private static let two = [
        ReviewStage(name: "Editors", role: .editor, needed: 2), ReviewStage(name: "Head", role: .publisher, needed: 1),
    ]

    @Test("Two editors and then a publisher: it is accepted with the last yes, and each person has one")
    func stages() async throws {
        let world = try await World(Self.two)
        let id = try await world.submit()
        await #expect(
            throws: Failure.refused(code: "rule", message: "This stage is decided by others. Its page says who.")
        ) {
            _ = try await world.approve(id, world.curator)
        }
        #expect(try await world.approve(id, world.ann) == .pending)
        await #expect(
            throws: Failure.conflict(
                code: "already_approved", message: "You have agreed already. Somebody else has to agree, too.")
        ) { _ = try await world.approve(id, world.ann) }
        #expect(try await world.approve(id, world.bob) == .pending)
        let stands = try await world.test.database.reviewStages.standings([(id, [])])[id] ?? []
        #expect(stands.map(\.given) == [2, 0] && stands.map(\.isDone) == [true, false])
        let carl = try await world.test.actor(.editor, name: "Carl")
        await #expect(throws: Failure.self) { _ = try await world.approve(id, carl) }
        #expect(try await world.approve(id, world.publisher) == .approved)
        #expect(try await world.state(id) == .approved)
    }

    @Test("A yes can be taken back; a decision, its undo and another plan make all of them void")
    func void() async throws {
        let world = try await World([ReviewStage(name: "Editors", role: .editor, needed: 2)])
        let id = try await world.submit()
        func given() async throws -> [Int] {
            (try await world.test.database.reviewStages.standings([(id, [])])[id] ?? []).map(\.given)
        }
        let approve = ApproveStage(database: world.test.database)
        _ = try await world.approve(id, world.ann)
        try await approve.unlist(id, by: world.ann)
        #expect(try await given() == [0])
        await #expect(throws: Failure.self) { try await approve.unlist(id, by: world.ann) }
        _ = try await world.approve(id, world.ann)
        _ = try await world.decide(
            id, Decision.Draft(verdict: .reject, reason: .offTopic), version: nil, by: world.curator)
        try await UndoDecision(database: world.test.database)(id, version: nil, by: world.curator)
        #expect(try await given() == [0])
        _ = try await world.approve(id, world.ann)
        #expect(try await given() == [1])
        try await approve.plan(.type("article"), Self.two, by: Self.admin)
        #expect(try await given() == [0, 0])
        try await approve.plan(.type("article"), [], by: Self.admin)
        #expect(try await world.approve(id, world.curator) == .approved)
        await #expect(throws: Failure.self) { try await approve.plan(.type("article"), [], by: world.publisher) }
    }

    @Test("Nobody agrees to their own, by account or by address, and several agree to the text as it came")
    func own() async throws {
        let world = try await World([ReviewStage(name: "Editors", role: .editor, needed: 2)])
        let own = Failure.refused(code: "rule", message: "Nobody agrees to what they sent in themselves.")
        let mine = try await world.submit(by: world.ann)
        await #expect(throws: own) { _ = try await world.approve(mine, world.ann) }
        let account = try #require(world.bob.id)
        let email = try #require(try await world.test.database.accounts.find(ID(account))?.email)
        let sent = try await world.submit(email: email)
        await #expect(throws: own) { _ = try await world.approve(sent, world.bob) }
        await #expect(throws: Failure.self) {
            _ = try await world.approve(sent, world.ann, edits: ["title": "Another", "body": "<p>Text.</p>"])
        }
        #expect(try await world.state(sent) == .pending)
    }

    @Test(
        "The database refuses an approval without the yeses, in a batch too; a category group has stages of its own")
    func refused() async throws {
        let world = try await World(
            [
                ReviewStage(name: "Editors", role: .editor, needed: 1),
                ReviewStage(name: "Head", role: .publisher, needed: 1),
            ],
            for: .group(SeedEntry.topicGroup))
        let id = try await world.submit()
        let bulkAction = try await PlanBulkAction(database: world.test.database)(.approve, .these([id]), by: world.publisher)
        let done = try await RunBulkAction(database: world.test.database, rules: world.test.rules)(
            bulkAction, .decide(Decision.Draft(verdict: .approve, publishTiming: .approveOnly)), by: world.publisher)
        #expect(done.count(.done) == 0 && done.count(.skipped) == 1)
        // By its type alone: what is accepted without a look at its categories.
        try await ApproveStage(database: world.test.database).plan(.type("article"), Self.two, by: Self.admin)
        await #expect(
            throws: Failure.refused(
                code: "rule", message: "More people have to agree before this is accepted. Its page says who.")
        ) {
            try await world.test.database.change(
                by: Self.admin, AuditEvent("submission.approve", on: "submission", id.description)
            ) { change in
                try await change.decisions.add(1, on: id, verdict: "approve", reason: nil, message: nil, by: Self.admin)
            }
        }
        #expect(try await world.state(id) == .pending)
        try await ApproveStage(database: world.test.database).plan(.type("article"), [], by: Self.admin)
        #expect(try await world.approve(id, world.ann) == .pending)
        #expect(try await world.approve(id, world.publisher) == .approved)
    }

    @Test("Two last yeses at once: it is accepted once")
    func race() async throws {
        let world = try await World([ReviewStage(name: "Editors", role: .editor, needed: 2)])
        for _ in 1...5 {
            let id = try await world.submit()
            async let one = try? world.approve(id, world.ann)
            async let two = try? world.approve(id, world.bob)
            let states = await [one, two]
            #expect(states.contains(.approved) && states.contains(.pending))
            #expect(try await world.test.database.decisions.history(of: id).count == 1)
        }
    }

    @Test("What was sent back is accepted by the same yeses; two last ones at once accept it once")
    func returned() async throws {
        let world = try await World([ReviewStage(name: "Editors", role: .editor, needed: 2)])
        func returned() async throws -> ID<Submission> {
            let id = try await world.submit()
            _ = try await world.approve(id, world.ann)
            _ = try await world.decide(
                id, Decision.Draft(verdict: .requestChanges, message: "Shorter."), version: nil, by: world.curator)
            return id
        }
        let id = try await returned()
        // The yes from before it was sent back is void.
        #expect(try await world.approve(id, world.ann) == .changesRequested)
        try await ApproveStage(database: world.test.database).unlist(id, by: world.ann)
        #expect(try await world.approve(id, world.ann) == .changesRequested)
        #expect(try await world.approve(id, world.bob) == .approved)
        await #expect(
            throws: Failure.conflict(code: "no_approval", message: "There is no yes of yours to take back.")
        ) { try await ApproveStage(database: world.test.database).unlist(id, by: world.bob) }
        for _ in 1...3 {
            let id = try await returned()
            async let one = try? world.approve(id, world.ann)
            async let two = try? world.approve(id, world.bob)
            let states = await [one, two]
            #expect(states.contains(.approved) && states.contains(.changesRequested))
            #expect(try await world.test.database.decisions.history(of: id).map(\.verdict) == ["request_changes", "approve"])
        }
        let rejected = try await world.submit()
        _ = try await world.decide(
            rejected, Decision.Draft(verdict: .reject, reason: .offTopic), version: nil, by: world.curator)
        await #expect(
            throws: Failure.conflict(code: "already_decided", message: "This submission was decided meanwhile.")
        ) {
            try await world.test.database.change(
                by: world.ann, AuditEvent("submission.approve", on: "submission", rejected.description)
            ) { change in
                let stage = try #require(try await change.reviewStages.standings([(rejected, [])])[rejected]?.first)
                try await change.reviewStages.approve(to: rejected, in: stage.id, version: 1, by: world.ann)
            }
        }
    }

    @Test("An application cannot give a yes, and is told so; it can reject")
    func application() async throws {
        let world = try await World([ReviewStage(name: "Editors", role: .editor, needed: 1)])
        let id = try await world.submit()
        let tool = try await world.test.clientActor()
        await #expect(
            throws: Failure.refused(
                code: "people_decide",
                message: "People with certain roles have to agree before this is accepted. They do so on its page.")
        ) { _ = try await world.approve(id, tool) }
        #expect(try await world.state(id) == .pending)
        _ = try await world.decide(id, Decision.Draft(verdict: .reject, reason: .offTopic), version: nil, by: tool)
        #expect(try await world.state(id) == .rejected)
    }

    @Test("A list tells how many agreed by type and by category group, each as it would be accepted as it came")
    func list() async throws {
        let world = try await World(
            [ReviewStage(name: "Editors", role: .editor, needed: 2)], for: .group(SeedEntry.topicGroup))
        let id = try await world.submit()
        _ = try await world.approve(id, world.ann)
        func counts() async throws -> [[Int]] {
            let row = try #require(try await world.test.database.queue.find(id))
            return (try await world.test.database.standings(of: [row])[id] ?? []).map { [$0.given, $0.stage.needed] }
        }
        #expect(try await counts() == [[1, 2]])
        let approve = ApproveStage(database: world.test.database)
        try await approve.plan(.type("article"), [ReviewStage(name: "Head", role: .publisher, needed: 1)], by: Self.admin)
        #expect(try await counts().count == 2)
        try await approve.plan(.group(SeedEntry.topicGroup), [], by: Self.admin)
        #expect(try await counts() == [[0, 1]])
        try await approve.plan(.type("article"), [], by: Self.admin)
        #expect(try await counts() == [])
    }
}
