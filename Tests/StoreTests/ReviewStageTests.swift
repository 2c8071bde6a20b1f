// Tests review stages: who may approve, in which order, and that nothing is approved before the last approval.
import Domain
import FoundationEssentials
import Operations
import Store
import TestSupport
import Testing

@Suite("Review stages", .databases)
struct ReviewStageTests {
    private static let admin = TestDatabase.administrator

    private struct Staged: World {
        let test: TestDatabase
        let decide: DecideSubmission
        let ann, bob: Actor
        let curator, publisher: Actor

        init(_ plan: [ReviewStage], for scope: ReviewScope = .type("article")) async throws {
            test = try await TestDatabase.make()
            decide = test.services.decideSubmission
            ann = try await test.actor(.editor, name: "Ann")
            bob = try await test.actor(.editor, name: "Bob")
            curator = try await test.actor(.curator, name: "Cat")
            publisher = try await test.actor(.publisher, name: "Pat")
            try await test.services.approveStage.update(scope, plan, by: ReviewStageTests.admin)
        }

        func submit(by actor: Actor? = nil, email: String? = nil) async throws -> ID<Submission> {
            let client: Actor
            if let actor { client = actor } else { client = try await test.clientActor() }
            return try await submit("A walk", contributor: nil, email: email, by: client)
        }

        func approve(_ id: ID<Submission>, _ actor: Actor, edits: [String: JSONValue]? = nil) async throws
            -> SubmissionState
        {
            try await decide(
                id, Decision.Draft(verdict: .approve, edits: edits, publishTiming: .approveOnly), version: nil,
                by: actor
            ).state
        }

    }

    private static let two = [
        ReviewStage(name: "Editors", role: .editor, requiredApprovals: 2),
        ReviewStage(name: "Head", role: .publisher, requiredApprovals: 1),
    ]

    @Test("Two editors, then a publisher: the last approval approves the submission; each person approves once")
    func stages() async throws {
        let world = try await Staged(Self.two)
        let id = try await world.submit()
        await #expect(
            throws: Failure.refused(code: "rule", message: "Your role can't approve this stage.")
        ) {
            _ = try await world.approve(id, world.curator)
        }
        #expect(try await world.approve(id, world.ann) == .pending)
        await #expect(
            throws: Failure.conflict(
                code: "already_approved", message: "You already approved this. Another person must approve it too.")
        ) { _ = try await world.approve(id, world.ann) }
        #expect(try await world.approve(id, world.bob) == .pending)
        let stands = try await world.test.database.reviewStages.stageProgress([(id, [])])[id] ?? []
        #expect(stands.map(\.approvals) == [2, 0] && stands.map(\.isDone) == [true, false])
        let carl = try await world.test.actor(.editor, name: "Carl")
        await #expect(throws: Failure.self) { _ = try await world.approve(id, carl) }
        #expect(try await world.approve(id, world.publisher) == .approved)
        #expect(try await world.state(id) == .approved)
    }

    @Test("An approval can be withdrawn; a decision, its undo and changed stages invalidate all approvals")
    func void() async throws {
        let world = try await Staged([ReviewStage(name: "Editors", role: .editor, requiredApprovals: 2)])
        let id = try await world.submit()
        func given() async throws -> [Int] {
            (try await world.test.database.reviewStages.stageProgress([(id, [])])[id] ?? []).map(\.approvals)
        }
        let approve = world.test.services.approveStage
        _ = try await world.approve(id, world.ann)
        try await approve.withdraw(id, by: world.ann)
        #expect(try await given() == [0])
        await #expect(throws: Failure.self) { try await approve.withdraw(id, by: world.ann) }
        _ = try await world.approve(id, world.ann)
        _ = try await world.decide(
            id, Decision.Draft(verdict: .reject, reason: .offTopic), version: nil, by: world.curator)
        try await world.test.services.undoDecision(id, version: nil, by: world.curator)
        #expect(try await given() == [0])
        _ = try await world.approve(id, world.ann)
        #expect(try await given() == [1])
        try await approve.update(.type("article"), Self.two, by: Self.admin)
        #expect(try await given() == [0, 0])
        try await approve.update(.type("article"), [], by: Self.admin)
        #expect(try await world.approve(id, world.curator) == .approved)
        await #expect(throws: Failure.self) { try await approve.update(.type("article"), [], by: world.publisher) }
    }

    @Test("Nobody approves their own submission, by account or email; several people approve the unedited text")
    func own() async throws {
        let world = try await Staged([ReviewStage(name: "Editors", role: .editor, requiredApprovals: 2)])
        let own = Failure.refused(code: "rule", message: "You can't approve your own submission.")
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
        "The database rejects an approval without all stages, in bulk too; a category group has its own stages")
    func refused() async throws {
        let world = try await Staged(
            [
                ReviewStage(name: "Editors", role: .editor, requiredApprovals: 1),
                ReviewStage(name: "Head", role: .publisher, requiredApprovals: 1),
            ],
            for: .group(SeedEntry.topicGroup))
        let id = try await world.submit()
        let bulkAction = try await world.test.services.planBulkAction(
            .approve, .listed([id]), by: world.publisher)
        let done = try await world.test.services.runBulkAction(
            bulkAction, .decide(Decision.Draft(verdict: .approve, publishTiming: .approveOnly)), by: world.publisher)
        #expect(done.count(.done) == 0 && done.count(.skipped) == 1)
        // By its type alone, without its categories.
        try await world.test.services.approveStage.update(.type("article"), Self.two, by: Self.admin)
        await #expect(
            throws: Failure.refused(
                code: "rule", message: "More people must approve this submission first.")
        ) {
            try await world.test.database.transaction(
                by: Self.admin, AuditEvent("submission.approve", on: "submission", id.description)
            ) { transaction in
                try await transaction.decisions.add(
                    1, on: id, verdict: "approve", reason: nil, message: nil, by: Self.admin)
            }
        }
        #expect(try await world.state(id) == .pending)
        try await world.test.services.approveStage.update(.type("article"), [], by: Self.admin)
        #expect(try await world.approve(id, world.ann) == .pending)
        #expect(try await world.approve(id, world.publisher) == .approved)
    }

    @Test("Two concurrent last approvals approve the submission once")
    func race() async throws {
        let world = try await Staged([ReviewStage(name: "Editors", role: .editor, requiredApprovals: 2)])
        for _ in 1...5 {
            let id = try await world.submit()
            async let one = try? world.approve(id, world.ann)
            async let two = try? world.approve(id, world.bob)
            let states = await [one, two]
            #expect(states.contains(.approved) && states.contains(.pending))
            #expect(try await world.test.database.decisions.history(of: id).count == 1)
        }
    }

    @Test("After a request for changes the same approvals are required; two concurrent last ones approve once")
    func returned() async throws {
        let world = try await Staged([ReviewStage(name: "Editors", role: .editor, requiredApprovals: 2)])
        func returned() async throws -> ID<Submission> {
            let id = try await world.submit()
            _ = try await world.approve(id, world.ann)
            _ = try await world.decide(
                id, Decision.Draft(verdict: .requestChanges, message: "Shorter."), version: nil, by: world.curator)
            return id
        }
        let id = try await returned()
        // The approval from before the request for changes is invalid.
        #expect(try await world.approve(id, world.ann) == .changesRequested)
        try await world.test.services.approveStage.withdraw(id, by: world.ann)
        #expect(try await world.approve(id, world.ann) == .changesRequested)
        #expect(try await world.approve(id, world.bob) == .approved)
        await #expect(
            throws: Failure.conflict(code: "no_approval", message: "You have no approval to withdraw.")
        ) { try await world.test.services.approveStage.withdraw(id, by: world.bob) }
        for _ in 1...3 {
            let id = try await returned()
            async let one = try? world.approve(id, world.ann)
            async let two = try? world.approve(id, world.bob)
            let states = await [one, two]
            #expect(states.contains(.approved) && states.contains(.changesRequested))
            #expect(
                try await world.test.database.decisions.history(of: id).map(\.verdict) == [
                    "request_changes", "approve",
                ])
        }
        let rejected = try await world.submit()
        _ = try await world.decide(
            rejected, Decision.Draft(verdict: .reject, reason: .offTopic), version: nil, by: world.curator)
        await #expect(
            throws: Failure.conflict(code: "already_decided", message: "This submission was already decided.")
        ) {
            try await world.test.database.transaction(
                by: world.ann, AuditEvent("submission.approve", on: "submission", rejected.description)
            ) { transaction in
                let stage = try #require(
                    try await transaction.reviewStages.stageProgress([(rejected, [])])[rejected]?.first)
                try await transaction.reviewStages.addApproval(to: rejected, in: stage.id, version: 1, by: world.ann)
            }
        }
    }

    @Test("An API client can't approve in a stage, and gets a message; it can reject")
    func application() async throws {
        let world = try await Staged([ReviewStage(name: "Editors", role: .editor, requiredApprovals: 1)])
        let id = try await world.submit()
        let tool = try await world.test.clientActor()
        await #expect(
            throws: Failure.refused(
                code: "people_decide",
                message: "This submission needs approvals from people. They approve it on its review page.")
        ) { _ = try await world.approve(id, tool) }
        #expect(try await world.state(id) == .pending)
        _ = try await world.decide(id, Decision.Draft(verdict: .reject, reason: .offTopic), version: nil, by: tool)
        #expect(try await world.state(id) == .rejected)
    }

    @Test("Where only the assignee decides, all but the last approval may be given by others")
    func assigned() async throws {
        let world = try await Staged([ReviewStage(name: "Editors", role: .editor, requiredApprovals: 2)])
        let services = try world.test.services(["VITRINE_REVIEW_ASSIGNED_ONLY": "true"])
        let id = try await world.submit()
        let assignee = ID<Account>(try #require(world.ann.id))
        try await services.triageSubmission.assign(id, to: .account(assignee), by: world.ann)
        func permissions(_ actor: Actor) async throws -> ReviewPermissions {
            let submission = try #require(try await world.test.database.submissions.find(id))
            return try await services.readReviewPermissions(submission, by: actor)
        }
        func approve(_ actor: Actor) async throws -> SubmissionState {
            try await services.decideSubmission(
                id, Decision.Draft(verdict: .approve, publishTiming: .approveOnly), version: nil, by: actor
            ).state
        }
        let first = try await permissions(world.bob)
        #expect(first.decision == .assigned(to: "Ann") && first.approval == nil)
        #expect(first.isPartialApproval && !first.mayEdit)
        #expect(try await permissions(world.curator).approval == .stage("Editors", people: "editors", role: "curator"))
        #expect(try await approve(world.bob) == .pending)
        #expect(try await permissions(world.bob).approval == .approved)
        let carl = try await world.test.actor(.editor, name: "Carl")
        #expect(try await permissions(carl).approval == .assigned(to: "Ann"))
        await #expect(throws: Failure.forbidden("This submission is assigned to Ann.")) { _ = try await approve(carl) }
        let last = try await permissions(world.ann)
        #expect(last.decision == nil && last.approval == nil && !last.isPartialApproval)
        #expect(try await approve(world.ann) == .approved)
    }

    @Test("Lists show the progress by type and by category group, as if each submission was approved unedited")
    func list() async throws {
        let world = try await Staged(
            [ReviewStage(name: "Editors", role: .editor, requiredApprovals: 2)], for: .group(SeedEntry.topicGroup))
        let id = try await world.submit()
        _ = try await world.approve(id, world.ann)
        func counts() async throws -> [[Int]] {
            let row = try #require(try await world.test.database.queue.find(id))
            return (try await world.test.database.stageProgress(of: [row])[id] ?? []).map {
                [$0.approvals, $0.stage.requiredApprovals]
            }
        }
        #expect(try await counts() == [[1, 2]])
        let approve = world.test.services.approveStage
        try await approve.update(
            .type("article"), [ReviewStage(name: "Head", role: .publisher, requiredApprovals: 1)], by: Self.admin)
        #expect(try await counts().count == 2)
        try await approve.update(.group(SeedEntry.topicGroup), [], by: Self.admin)
        #expect(try await counts() == [[0, 1]])
        try await approve.update(.type("article"), [], by: Self.admin)
        #expect(try await counts() == [])
    }
}
