// Tests submission actions without pages: duplicates, claims, snoozing, assigning, priorities and notes.
import Domain
import FoundationEssentials
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Submission actions", .databases)
struct SubmissionActionTests {
    private struct Queue: World {
        let test: TestDatabase
        let portal: Actor
        let ann: Actor
        let bob: Actor

        var database: Database { test.database }
        var decide: DecideSubmission { test.services.decideSubmission }
        var claim: ClaimSubmission { test.services.claimSubmission }
        var triage: TriageSubmission { test.services.triageSubmission }

        static func make() async throws -> Queue {
            let test = try await TestDatabase.make()
            return Queue(
                test: test, portal: try await test.clientActor(), ann: try await test.actor(.curator, name: "Ann"),
                bob: try await test.actor(.curator, name: "Bob"))
        }

        func submit(_ title: String) async throws -> ID<Submission> {
            try await submit(title, by: portal)
        }

        func next(for actor: Actor, _ order: QueueOrder = .oldest) async throws -> ID<Submission>? {
            guard let id = actor.id, let role = actor.role else { return nil }
            return try await database.queue.next(after: nil, QueueFilter(), order: order, for: ID(id), role)
        }

        func events(_ id: ID<Submission>) async throws -> [String] {
            try await database.auditTrail.about("submission", id.description).map(\.action).reversed()
        }
    }

    private func code(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "done"
        } catch Failure.invalid(let errors) {
            return errors.items.map { "\($0.code) \($0.pointer)" }.joined(separator: ", ")
        } catch Failure.conflict(let code, _) {
            return code
        } catch {
            return "\(error)"
        }
    }

    // MARK: Duplicates

    @Test("The history links a duplicate to its original, which is neither itself nor a duplicate")
    func duplicates() async throws {
        let world = try await Queue.make()
        let (first, second, third) = (
            try await world.submit("First"), try await world.submit("Second"), try await world.submit("Third")
        )
        func mark(_ id: ID<Submission>, _ original: Original) async -> String {
            await code {
                _ = try await world.decide(
                    id, Decision.Draft(verdict: .duplicate, original: original), version: nil, by: world.ann)
            }
        }
        #expect(await mark(first, .submission(first)) == "choice /duplicate_of")
        #expect(await mark(first, .submission(ID(UUID()))) == "reference /duplicate_of")
        #expect(await mark(first, .entry(ID(UUID()))) == "reference /duplicate_of")
        #expect(await mark(second, .submission(first)) == "done")
        #expect(await mark(third, .submission(second)) == "choice /duplicate_of")
        #expect(await mark(first, .submission(second)) == "choice /duplicate_of", "no circle")
        let line = try #require(try await world.database.decisions.history(of: second).last)
        #expect(line.original == .submission(first) && line.originalTitle == "First")

        // An entry is not the original of the submission that it was created from.
        let approved = try await world.decide(
            third, Decision.Draft(verdict: .approve, publishTiming: .approveOnly), version: nil, by: world.ann)
        let entry = try #require(approved.change?.entry)
        try await world.test.services.undoDecision(third, version: nil, by: world.ann)
        #expect(await mark(third, .entry(entry)) == "choice /duplicate_of")
        #expect(await mark(first, .entry(entry)) == "done")

        // After an undo it may be an original again.
        try await world.test.services.undoDecision(second, version: nil, by: world.ann)
        #expect(await mark(third, .submission(second)) == "done")
    }

    @Test("The database rejects a duplicate without an original, and an original without a duplicate")
    func originalConstraint() async throws {
        let world = try await Queue.make()
        let (first, second) = (try await world.submit("First"), try await world.submit("Second"))
        for (verdict, original, constraint) in [
            ("duplicate", nil, "decision_duplicate_names_original"),
            ("request_changes", second, "decision_duplicate_names_original"),
            ("duplicate", first, "decision_own_original"),
        ] {
            let error = try await #require(throws: PostgresError.self) {
                try await world.test.client.transaction { transaction in
                    try await transaction.execute(
                        "insert into ops.audit_event (actor_id, action, object_type) values (\(SystemActor.system), 'test.x', 'x')"
                    )
                    try await transaction.execute(
                        """
                        insert into curation.decision (submission_id, number, verdict, message, original_submission_id, decided_by)
                        values (\(first), 1, \(verdict), 'm', \(original), \(SystemActor.system))
                        """)
                }
            }
            #expect(error.constraint == constraint)
        }
    }

    // MARK: Claims

    @Test("A claim is renewed only by its holder, expires, and is taken over with a recorded reason")
    func claims() async throws {
        let world = try await Queue.make()
        let id = try await world.submit("One")
        #expect(try await world.claim.renew(id, by: world.ann) == false, "there is none")
        try await world.claim(id, by: world.ann)
        #expect(try await world.claim.renew(id, by: world.ann))
        #expect(try await world.claim.renew(id, by: world.bob) == false)
        #expect(await code { try await world.claim(id, by: world.bob) } == "claimed")
        #expect(
            await code { try await world.claim.takeOver(id, reason: " ", by: world.bob) }
                == "required /take_over_reason")
        try await world.claim.takeOver(id, reason: "Ann is away.", by: world.bob)
        #expect(try await world.claim.renew(id, by: world.ann) == false)
        let notes = try await world.database.notes.about(.submission(id))
        #expect(notes.map(\.text) == ["Ann is away."] && notes.map(\.kind) == [.takeOver])
        let event = try #require(
            try await world.database.auditTrail.about("submission", id.description).first)
        #expect(event.action == "submission.take_over" && event.detail.objectValue?["reason"] == "Ann is away.")
        #expect(event.detail.objectValue?["from"] == "Ann")
        // Renewing is not an action.
        #expect(try await world.events(id).filter { $0 == "submission.claim" }.count == 1)

        // An expired claim can't be renewed, and anyone may claim the submission; at its end it is expired.
        try await world.test.client.execute(
            "update curation.queue_item set claimed_until = now() where submission_id = \(id)")
        #expect(try await world.claim.renew(id, by: world.bob) == false)
        #expect(try await world.database.queue.find(id)?.claimedByID == nil)
        try await world.claim(id, by: world.ann)
    }

    // MARK: Triage

    @Test("A snoozed submission is hidden until its time and returns to its position; its claim ends")
    func snooze() async throws {
        let world = try await Queue.make()
        let (first, second) = (try await world.submit("First"), try await world.submit("Second"))
        try await world.claim(first, by: world.ann)
        try await world.triage.snooze(first, until: .hours(1), note: "Wait for the photographer.", by: world.ann)
        let queue = world.database.queue
        #expect(try await queue.page(QueueFilter(), cursor: nil, limit: 10).items.map(\.id) == [second])
        #expect(try await queue.find(first)?.claimedByID == nil)
        var snoozed = QueueFilter()
        snoozed.isSnoozed = true
        #expect(try await queue.page(snoozed, cursor: nil, limit: 10).items.map(\.id) == [first])
        #expect(try await world.next(for: world.ann) == second)
        // At its time it is pending again: the end is exclusive.
        try await world.test.client.execute(
            "update curation.queue_item set snoozed_until = now() where submission_id = \(first)")
        #expect(try await queue.page(QueueFilter(), cursor: nil, limit: 10).items.map(\.id) == [first, second])
        #expect(try await queue.page(snoozed, cursor: nil, limit: 10).items.isEmpty)

        let past = try WallTime(local: "2001-01-01T10:00", zone: "UTC")
        #expect(
            await code { try await world.triage.snooze(first, until: .at(past), by: world.ann) } == "past /until/local"
        )
        #expect(
            await code { try await world.triage.snooze(first, until: .hours(0), by: world.ann) } == "range /until")
        let coming = try WallTime(local: "2999-01-01T10:00", zone: "Europe/London")
        try await world.triage.snooze(first, until: .at(coming), by: world.ann)
        try await world.triage.snooze(first, until: nil, by: world.ann)
        #expect(try await queue.find(first)?.snoozedUntil == nil)
        #expect(
            try await world.events(first).suffix(3) == [
                "submission.snooze", "submission.snooze", "submission.unsnooze",
            ])

        // A snoozed submission can still be decided; then it can't be snoozed any more.
        try await world.triage.snooze(first, until: .hours(1), by: world.ann)
        _ = try await world.decide(
            first, Decision.Draft(verdict: .reject, reason: .spam), version: nil, by: world.ann)
        #expect(
            await code { try await world.triage.snooze(first, until: .hours(1), by: world.ann) } == "already_decided")
    }

    @Test("An assigned submission is skipped by others, and its assignee is notified")
    func assign() async throws {
        let world = try await Queue.make()
        let editor = try await world.test.actor(.editor, name: "Eve")
        let (first, second, third) = (
            try await world.submit("First"), try await world.submit("Second"), try await world.submit("Third")
        )
        let bob = ID<Account>(try #require(world.bob.id))
        try await world.claim(first, by: world.ann)
        try await world.triage.assign(first, to: .account(bob), note: "You know this place.", by: world.ann)
        try await world.triage.assign(second, to: .role("editor"), note: "Is this legal? @Eve", by: world.ann)
        #expect(try await world.database.queue.find(first)?.claimedByID == nil)
        #expect(try await world.next(for: world.ann) == third)
        #expect(try await world.next(for: world.bob) == first)
        #expect(try await world.next(for: editor) == second)
        let notes = world.database.notes
        #expect(try await notes.unseen(by: bob) == 1)
        var naming = QueueFilter()
        naming.mentioning = bob
        #expect(try await world.database.queue.page(naming, cursor: nil, limit: 9).items.map(\.id) == [first])
        try await world.test.services.addNote.markSeen(.submission(first), by: world.bob)
        #expect(try await notes.unseen(by: bob) == 0)
        #expect(try await notes.unseen(by: ID(try #require(editor.id))) == 1)

        try await world.triage.assign(first, to: nil, by: world.bob)
        #expect(try await world.next(for: world.ann) == first)
        #expect(
            await code { try await world.triage.assign(first, to: .account(ID(UUID())), by: world.ann) }
                == "reference /assignee")
        try await world.database.transaction(
            by: TestDatabase.administrator, AuditEvent("account.disable", on: "account")
        ) {
            try await $0.accounts.setDisabled(bob, true)
        }
        #expect(
            await code { try await world.triage.assign(first, to: .account(bob), by: world.ann) } == "choice /assignee"
        )
    }

    @Test("Sorted by priority, the most urgent submission is first, then the oldest")
    func priority() async throws {
        let world = try await Queue.make()
        var ids: [ID<Submission>] = []
        for number in 0..<4 { ids.append(try await world.submit("Part \(number)")) }
        try await world.triage.setPriority(of: ids[2], to: .urgent, by: world.ann)
        try await world.triage.setPriority(of: ids[0], to: .low, by: world.ann)
        let rows = try await world.database.queue.page(QueueFilter(), order: .priority, cursor: nil, limit: 9).items
        #expect(rows.map(\.id) == [ids[2], ids[1], ids[3], ids[0]])
        #expect(try await world.next(for: world.ann, .priority) == ids[2])
        var urgent = QueueFilter()
        urgent.priority = .urgent
        #expect(try await world.database.queue.page(urgent, cursor: nil, limit: 9).items.map(\.id) == [ids[2]])
        let around = try await world.database.queue.around(
            rows[2].position, QueueFilter(), order: .priority, before: 1, after: 5)
        #expect(around.map(\.id) == [ids[1], ids[3], ids[0]])
    }

    @Test("An undo restores the priority and the assignee, after a decision and after a bulk action")
    func triage() async throws {
        let world = try await Queue.make()
        let ids = [try await world.submit("One"), try await world.submit("Two")]
        for id in ids {
            try await world.triage.setPriority(of: id, to: .urgent, by: world.ann)
            try await world.triage.assign(id, to: .role("curator"), by: world.ann)
        }
        let draft = Decision.Draft(verdict: .reject, reason: .spam)
        _ = try await world.decide(ids[0], draft, version: nil, by: world.ann)
        try await world.test.services.undoDecision(ids[0], version: nil, by: world.ann)
        let bulkAction = try await world.test.services.planBulkAction(.reject, .listed(ids), by: world.ann)
        _ = try await world.test.services.runBulkAction(
            bulkAction, .decide(draft), by: world.ann)
        _ = try await world.test.services.undoBulkAction(bulkAction, by: world.ann)
        for id in ids {
            let row = try #require(try await world.database.queue.find(id))
            #expect(row.priority == .urgent && row.assignedRole == .curator)
        }
    }

    @Test("A note notifies the people it mentions, except its author; the text is required")
    func notes() async throws {
        let world = try await Queue.make()
        let id = try await world.submit("One")
        let write = world.test.services.addNote
        let first = try await write("@Bob and @Ann: look.", on: .submission(id), by: world.ann)
        #expect(first.notified == 1 && first.unknown.isEmpty && first.warning == nil)
        let note = try #require(try await world.database.notes.about(.submission(id)).first)
        #expect(note.author == "Ann" && note.mentioned == ["Bob"] && note.text == "@Bob and @Ann: look.")
        #expect(await code { try await write("\n", on: .submission(id), by: world.ann) } == "required /text")
        // Notes can be added to decided submissions, too.
        _ = try await world.decide(id, Decision.Draft(verdict: .reject, reason: .spam), version: nil, by: world.ann)
        #expect(try await write("For the record.", on: .submission(id), by: world.bob).notified == 0)
        let unknown = try await write("@Nobody, may we?", on: .submission(id), by: world.bob)
        #expect(unknown.notified == 0 && unknown.unknown == ["@Nobody"])
        #expect(unknown.warning?.hasPrefix("@Nobody: no teammate who can see this has this name") == true)
    }
}
