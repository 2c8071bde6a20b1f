// Tests that approvals of several people are published together, each with its own actor, audit event and result.
import Domain
import FoundationEssentials
import Postgres
import Store
import TestSupport
import Testing
@testable import Operations

@Suite("Decisions together", .databases)
struct DecideTogetherTests {
    private func submit(_ test: TestDatabase, _ titles: [String]) async throws -> [SubmissionRow] {
        let receive = test.services.receiveSubmission
        let portal = try await test.clientActor()
        var rows: [SubmissionRow] = []
        for title in titles {
            let draft = SubmissionDraft(
                type: "article", contributor: "u", fields: ["title": .string(title), "body": "<p>Hello</p>"])
            let id = try await receive(draft, by: portal).id
            rows.append(try #require(try await test.database.submissions.find(id)))
        }
        return rows
    }

    @Test("Approvals of two people are one publication; one that the queue refuses blocks none and leaves no trace")
    func together() async throws {
        let test = try await TestDatabase.make()
        let people = [
            try await test.actor(.publisher, name: "Ann"), try await test.actor(.publisher, name: "Bob"),
        ]
        let rows = try await submit(test, ["One", "Two", "Three"])
        try await test.services.claimSubmission(rows[2].id, by: people[0])
        var prepare = PrepareDecisions(database: test.database, rules: test.rules)
        let decisions = try await prepare(
            zip(rows, [people[0], people[1], people[1]]).map { row, actor in
                ReviewDecision(
                    id: row.id, version: row.version, draft: Decision.Draft(verdict: .approve, publishTiming: .now),
                    actor: actor, submission: row, assignedOnly: false,
                    event: AuditEvent("submission.approve", on: "submission", row.id.description))
            }
        ).map { try $0.result.get() }
        let system = Actor(kind: .system, name: "system")
        let results = try await test.database.transaction(by: system, AuditEvent("entry.publish", on: "entry")) {
            try await DecideTogether(transaction: $0)(decisions)
        }
        let changes = try rows.prefix(2).map { try #require(try results[$0.id]?.get().change) }
        #expect(changes[0].publication != nil && changes[0].publication == changes[1].publication)
        guard case .failure(.queue(.claimed)) = results[rows[2].id] else {
            Issue.record("\(String(describing: results[rows[2].id]))")
            return
        }
        for (row, person) in zip(rows, people) {
            let history = try await test.database.decisions.history(of: row.id)
            #expect(history.map(\.decidedByID) == [person.rowID])
            let events = try await test.database.auditTrail.about("submission", row.id.description)
            #expect(events.filter { $0.action == "submission.approve" }.map(\.actor) == [person.name])
        }
        let refused = try await test.database.auditTrail.about("submission", rows[2].id.description)
        #expect(!refused.contains { $0.action == "submission.approve" })
        // Each is undone alone.
        try await test.services.undoDecision(rows[0].id, version: 1, by: people[1])
        let live: Int = try await test.client.one("select count(*) as n from api_v1.item")("n")
        #expect(live == 1)
        #expect(try await test.database.publications.verify().isEmpty)
    }

    @Test("What fails by itself is undone, too, if a statement before it that was still held fails with it")
    func attempts() async throws {
        let test = try await TestDatabase.make()
        let rows = try await submit(test, ["One"])
        let system = Actor(kind: .system, name: "system")
        let title: String? = try await test.database.transaction(
            by: system, AuditEvent("publication.repair", on: "publication")
        ) { transaction in
            await #expect(throws: Failure.self) {
                try await transaction.attempt {
                    try await transaction.connection.runLater("select 1 / 0")
                    throw Failure.missing("entry")
                }
            }
            return try await transaction.submissions.find(rows[0].id)?.title
        }
        #expect(title == "One")
    }

    @Test("S15: what one person approves is in their access scope, whatever the scope of the others in the transaction")
    func scopes() async throws {
        let test = try await TestDatabase.make()
        let one = "00000000-0000-7000-8000-000000000011"
        let two = "00000000-0000-7000-8000-000000000012"
        let museums = try await test.publish("category", "Museums", ["group": .string(two)])
        let walks = try await test.publish("category", "Walks", ["group": .string(one)])
        let restricted = [
            try await test.actor(.curator, name: "Ann"), try await test.actor(.publisher, name: "Pia"),
        ]
        let bob = try await test.actor(.publisher, name: "Bob")
        for person in restricted {
            try await test.writeUnchecked(
                "update ops.account set groups = array[\(one)::uuid] where id = \(person.rowID)")
        }
        for person in restricted {
            for (category, passes) in [(museums, false), (walks, true)] {
                let rows = try await submit(test, ["Ann's \(category)", "Bob's \(category)"])
                let timing: PublishTiming = person.may(.publish) ? .now : .approveOnly
                var prepare = PrepareDecisions(database: test.database, rules: test.rules)
                let decisions = try await prepare(
                    zip(rows, [person, bob]).map { row, actor in
                        let categories: [ID<Entry>] = actor.rowID == bob.rowID ? [] : [category]
                        return ReviewDecision(
                            id: row.id, version: row.version,
                            draft: Decision.Draft(
                                verdict: .approve, categories: categories,
                                publishTiming: actor.rowID == bob.rowID ? .now : timing),
                            actor: actor, submission: row, assignedOnly: false,
                            event: AuditEvent("submission.approve", on: "submission", row.id.description))
                    }
                ).map { try $0.result.get() }
                let results = try await test.database.work(as: bob) {
                    try await DecideTogether(transaction: $0)(decisions)
                }
                // One outside the scope is refused alone.
                if passes {
                    _ = try #require(try results[rows[0].id]?.get())
                } else {
                    #expect(throws: (any Error).self) { _ = try results[rows[0].id]?.get() }
                }
                _ = try #require(try results[rows[1].id]?.get())
                let states = [try await test.state(rows[0].id), try await test.state(rows[1].id)]
                #expect(states == [passes ? .approved : .pending, .approved], "\(person.name) \(category)")
            }
        }
        #expect(try await test.database.publications.verify().isEmpty)
    }
}
