// Tests the whole flow below the interfaces: a submission is received, approved, published, read and undone.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Submission to publication", .databases)
struct SubmissionFlowTests {
    private func submit(
        _ test: TestDatabase, _ title: String, key: String? = nil, by client: Actor
    ) async throws -> SubmissionReceipt {
        let receive = test.services.receiveSubmission
        return try await receive(
            SubmissionDraft(
                type: "article", contributor: "user-1",
                fields: ["title": .string(title), "body": "<p>Hello <b>world</b></p>"], idempotencyKey: key),
            by: client)
    }

    private func feed(_ test: TestDatabase, live: Bool = true) async throws -> ID<Entry> {
        let write = test.write
        return try await write.create(
            type: "feed",
            fields: ["title": "City guides", "tier": "free", "publish_on_approval": .bool(live)],
            publishTiming: .now, by: TestDatabase.administrator
        ).entry
    }

    private func rows(_ test: TestDatabase, _ table: String) async throws -> Int {
        try await test.client.one("select count(*) as n from api_v1.\(raw: table)")("n")
    }

    @Test("An approval whose entry someone else has edited is not undone: that would unpublish their work")
    func undoAfterEdit() async throws {
        let test = try await TestDatabase.make()
        let client = try await test.clientActor()
        let curator = try await test.actor(.curator)
        let publisher = try await test.actor(.publisher)
        let feed = try await feed(test)
        let undo = test.services.undoDecision
        let receipts = [try await submit(test, "Edited", by: client), try await submit(test, "Not edited", by: client)]
        for receipt in receipts {
            _ = try await test.services.decideSubmission(
                receipt.id, Decision.Draft(verdict: .approve, feeds: [feed], publishTiming: .now), version: 0,
                by: curator)
        }
        let entry: ID<Entry> = try await test.client.one(
            "select id from curation.entry where submission_id = \(receipts[0].id)")("id")
        let revision = try #require(try await test.database.revisions.newest(of: entry))
        var fields = revision.content.fields
        fields["title"] = "Edited by a publisher"
        _ = try await test.write.edit(
            entry, fields: fields, base: revision.number, publishTiming: .now, by: publisher)
        do {
            try await undo(receipts[0].id, version: 1, by: curator)
            Issue.record("the approval was undone")
        } catch Failure.refused(let code, _) {
            #expect(code == "edited")
        }
        try await undo(receipts[1].id, version: 1, by: curator)
        #expect(try await rows(test, "item") == 1)
        // Who edited it may undo the approval.
        try await undo(receipts[0].id, version: 1, by: publisher)
        #expect(try await rows(test, "item") == 0)
    }

    @Test("An approval whose entry a command has edited is not undone by its curator")
    func undoAfterCommand() async throws {
        let test = try await TestDatabase.make()
        let curator = try await test.actor(.curator)
        let (submission, entry) = try await approved(test, .approveOnly, by: curator)
        let revision = try #require(try await test.database.revisions.newest(of: entry))
        var fields = revision.content.fields
        fields["title"] = "Edited by a command"
        _ = try await test.write.edit(
            entry, fields: fields, base: revision.number, publishTiming: .approveOnly, by: TestDatabase.administrator)
        let undo = test.services.undoDecision
        await #expect(throws: Failure.self) { try await undo(submission, version: 1, by: curator) }
        #expect(try await test.database.submissions.find(submission)?.state == .approved)
    }

    @Test("After the grace period, and for other curators, only publishers undo an approval whose entry is published")
    func undoAfterGrace() async throws {
        let test = try await TestDatabase.make()
        let (curator, other) = (try await test.actor(.curator), try await test.actor(.curator, name: "Other"))
        let (published, _) = try await approved(test, .now, by: curator)
        let (unpublished, _) = try await approved(test, .approveOnly, by: curator)
        let within = test.services.undoDecision
        let after = try test.services(["VITRINE_REVIEW_UNDO_WINDOW_MINUTES": "0"]).undoDecision
        for (undo, actor) in [(after, curator), (within, other)] {
            do {
                try await undo(published, version: 1, by: actor)
                Issue.record("the approval was undone")
            } catch Failure.forbidden(let message) {
                #expect(message.hasPrefix("This entry is published."))
            }
        }
        #expect(try await rows(test, "item") == 1)
        try await after(unpublished, version: 1, by: other)
        try await after(published, version: 1, by: try await test.actor(.publisher))
        #expect(try await rows(test, "item") == 0)
        let (again, _) = try await approved(test, .now, by: curator)
        try await within(again, version: 1, by: curator)
        #expect(try await rows(test, "item") == 0)
    }

    @Test("Only publishers undo what a command has approved and published, and what a publisher has scheduled")
    func undoOfOthers() async throws {
        let test = try await TestDatabase.make()
        let (curator, publisher) = (try await test.actor(.curator), try await test.actor(.publisher, name: "Pat"))
        let (commanded, _) = try await approved(test, .now, by: TestDatabase.administrator)
        let (scheduled, entry) = try await approved(test, .approveOnly, by: curator)
        let revision = try #require(try await test.database.revisions.newest(of: entry))
        let release = try await test.services.composeRelease.create(
            title: "Friday", items: [LiveChange(entry: entry, revision: revision.id)],
            at: WallTime(local: "2999-01-01T10:00", zone: "UTC"), by: publisher)
        let within = test.services.undoDecision
        let after = try test.services(["VITRINE_REVIEW_UNDO_WINDOW_MINUTES": "0"]).undoDecision
        for (undo, submission) in [(within, commanded), (after, scheduled)] {
            do {
                try await undo(submission, version: 1, by: curator)
                Issue.record("the approval was undone")
            } catch Failure.forbidden(let message) {
                #expect(message.contains("Only a publisher can undo its approval now"))
            }
        }
        #expect(try await rows(test, "item") == 1)
        #expect(try await test.database.releases.find(number: release)?.state == .scheduled)
        try await within(scheduled, version: 1, by: curator)
        try await within(commanded, version: 1, by: publisher)
        #expect(try await rows(test, "item") == 0)
    }

    private func approved(
        _ test: TestDatabase, _ timing: PublishTiming, by curator: Actor
    ) async throws -> (ID<Submission>, ID<Entry>) {
        let id = try await submit(test, "Ten cafés", by: try await test.clientActor()).id
        let outcome = try await test.services.decideSubmission(
            id, Decision.Draft(verdict: .approve, feeds: [try await feed(test)], publishTiming: timing), version: 0,
            by: curator)
        return (id, try #require(outcome.change?.entry))
    }

    @Test("A2, A3, A5: a submission is in no read table until a curator approves it, then it is in its feed")
    func approveNow() async throws {
        let test = try await TestDatabase.make()
        let client = try await test.clientActor()
        let curator = try await test.actor(.curator)
        let feed = try await feed(test)
        let submission = try await submit(test, "Ten cafés", by: client).id
        #expect(try await rows(test, "item") == 0)
        #expect(try await test.database.submissions.find(submission)?.state == .pending)

        let decide = test.services.decideSubmission
        let outcome = try await decide(
            submission, Decision.Draft(verdict: .approve, feeds: [feed], publishTiming: .now), version: 0, by: curator)
        #expect(outcome.change?.isApproved == true)
        #expect(outcome.change?.publication != nil)
        #expect(try await rows(test, "item") == 1)
        #expect(try await rows(test, "feed_item") == 1)
        #expect(try await test.database.publications.verify().isEmpty)

        // The second decision comes too late.
        await #expect(throws: Failure.self) {
            try await decide(
                submission, Decision.Draft(verdict: .approve, feeds: [feed], publishTiming: .now), version: 0,
                by: curator)
        }

        try await test.services.undoDecision(submission, version: 1, by: curator)
        #expect(try await rows(test, "item") == 0)
        #expect(try await rows(test, "tombstone") == 1)
        #expect(try await test.database.submissions.find(submission)?.state == .pending)
        #expect(try await test.database.queue.find(submission) != nil)
        #expect(try await test.database.publications.verify().isEmpty)

        let again = try await decide(
            submission, Decision.Draft(verdict: .approve, feeds: [feed], publishTiming: .approveOnly), version: 2,
            by: curator)
        #expect(again.change?.entry == outcome.change?.entry)
        #expect(try await rows(test, "item") == 0)
        let published = try await test.services.publishRelease.waiting(by: TestDatabase.administrator)
        #expect(published.entries == 1)
        #expect(try await rows(test, "item") == 1)
        #expect(try await test.database.publications.verify().isEmpty)
    }

    @Test("B2: every revision and every publication has date, author, number and a note, entered or generated")
    func notes() async throws {
        let test = try await TestDatabase.make()
        let write = test.write
        let id = try await feed(test)
        let first = try #require(try await test.database.revisions.newest(of: id))
        _ = try await write.edit(
            id, fields: first.content.fields.merging(["tier": "premium"]) { $1 }, base: 1, publishTiming: .now,
            by: TestDatabase.administrator)
        let second = try #require(try await test.database.revisions.newest(of: id))
        _ = try await write.edit(
            id, fields: first.content.fields, base: 2, note: "free again", publishTiming: .now,
            by: TestDatabase.administrator)
        let notes = try await test.database.revisions.history(of: id).map(\.note)
        #expect(notes == ["free again", "Changed: Access", "Created"])
        #expect(second.number == 2 && second.author == "operator")
        let bare: Int = try await test.client.one(
            "select count(*) as n from curation.publication where btrim(note) = '' or actor_id is null")("n")
        #expect(bare == 0)
        let error = try await #require(throws: PostgresError.self) {
            try await test.client.transaction { transaction in
                try await transaction.execute(
                    "insert into ops.audit_event (actor_id, action, object_type) values (\(SystemActor.system), 'test.note', 'entry')"
                )
                try await transaction.execute("update curation.revision set note = ' ' where entry_id = \(id)")
            }
        }
        #expect(error.constraint == "revision_note_given")
    }

    @Test("A4, R2: the same key and body is one submission, another body with that key is rejected")
    func idempotency() async throws {
        let test = try await TestDatabase.make()
        let client = try await test.clientActor()
        let first = try await submit(test, "One", key: "k1", by: client)
        let second = try await submit(test, "One", key: "k1", by: client)
        #expect(first.isNew && !second.isNew)
        #expect(first.id == second.id)
        await #expect(
            throws: Failure.refused(
                code: "key_reused", message: "This idempotency key was already used for a different submission.")
        ) {
            try await submit(test, "Two", key: "k1", by: client)
        }
    }

    @Test(
        "A8, B29: a requested category is found by any of its names; anything uncategorized goes to Unsorted")
    func requestedCategory() async throws {
        let test = try await TestDatabase.make()
        let client = try await test.clientActor()
        let coffee = try await test.write.create(
            type: "category",
            fields: [
                "title": "Coffee", "group": .string(SeedEntry.topicGroup.description),
                "synonyms": "Espresso\nFlat white",
                "names": .array([.object(["locale": "de", "name": "Kaffee"])]),
            ],
            publishTiming: .now,
            by: TestDatabase.administrator
        ).entry
        let merged = try await test.write.create(
            type: "category",
            fields: [
                "title": "Cappuccino", "group": .string(SeedEntry.topicGroup.description),
                "merged_into": .string(coffee.description),
            ], publishTiming: .now, by: TestDatabase.administrator
        ).entry
        #expect(merged != coffee)
        let receive = test.receiveAnonymous
        let decide = test.services.decideSubmission
        for (requestedCategory, expected) in [
            ("coffee", coffee), ("FLAT white", coffee), ("kaffee", coffee), ("Cappuccino", coffee),
            ("Tea", SeedEntry.unsorted), (nil, SeedEntry.unsorted),
        ] {
            let id = try await receive(
                SubmissionDraft(
                    type: "article", category: requestedCategory, fields: ["title": "A cup", "body": "<p>x</p>"]),
                by: client
            ).id
            #expect(try await test.database.submissions.find(id)?.requestedCategory == requestedCategory)
            let outcome = try await decide(
                id, Decision.Draft(verdict: .approve, publishTiming: .now), version: 0, by: TestDatabase.administrator)
            let entry = try #require(outcome.change?.entry)
            let categories: [ID<Entry>] = try await test.client.one(
                "select category_ids from api_v1.item where id = \(entry)")("category_ids")
            #expect(categories == [expected])
        }
    }

    @Test("An approval into a feed that is none is refused at the field")
    func wrongFeed() async throws {
        let test = try await TestDatabase.make()
        let client = try await test.clientActor()
        let ann = try await test.actor(.publisher, name: "Ann")
        let submission = try await test.submit(by: client)
        let draft = Decision.Draft(
            verdict: .approve, feeds: [SeedEntry.unsorted], categories: [SeedEntry.unsorted],
            publishTiming: .approveOnly)
        let wrong = FieldErrors(
            "/fields/feeds/0", "reference", "Feeds: Choose an entry of the type feed, not category.")
        await #expect(throws: Failure.invalid(wrong)) {
            _ = try await test.services.decideSubmission(submission, draft, version: 0, by: ann)
        }
        #expect(try await test.state(submission) == .pending)
    }

    @Test("A8: categories whose names share a slug are distinguished; a name of several is refused, never guessed")
    func similarNames() async throws {
        let test = try await TestDatabase.make()
        let client = try await test.clientActor()
        let decide = test.services.decideSubmission
        let approval = Decision.Draft(verdict: .approve, publishTiming: .now)
        for title in ["C", "C++", "C#", "🍕", "🎏", "Bar", "Bär"] {
            let category = try await test.category(title)
            let id = try await test.submit(category: title, by: client)
            let outcome = try await decide(id, approval, version: 0, by: TestDatabase.administrator)
            let entry = try #require(outcome.change?.entry)
            let found: [ID<Entry>] = try await test.client.one(
                "select category_ids from api_v1.item where id = \(entry)")("category_ids")
            #expect(found == [category], "\(title)")
        }
        let park = try await test.category("Park")
        try await test.publish("category", "park", ["group": .string(SeedEntry.placeGroup.description)])
        let exact = try await test.submit("Exact", category: "Park", by: client)
        let exactly = try await decide(exact, approval, version: 0, by: TestDatabase.administrator).change?.entry
        let content = try await test.database.revisions.newest(of: try #require(exactly))?.content.fields
        #expect(content?["categories"] == .array([.string(park.description)]))
        let several = try await test.submit("Several", category: "PARK", by: client)
        do {
            _ = try await decide(several, approval, version: 0, by: TestDatabase.administrator)
            Issue.record("guessed")
        } catch Failure.invalid(let errors) {
            #expect(errors.items.map { "\($0.code) \($0.pointer)" } == ["ambiguous /fields/categories"])
        }
        let chosen = Decision.Draft(verdict: .approve, categories: [park], publishTiming: .now)
        _ = try await decide(several, chosen, version: 0, by: TestDatabase.administrator)
        #expect(try await test.state(several) == .approved)
    }

    @Test("A curator cannot publish into a feed that does not publish on approval")
    func publishOnApproval() async throws {
        let test = try await TestDatabase.make()
        let client = try await test.clientActor()
        let curator = try await test.actor(.curator)
        let feed = try await feed(test, live: false)
        let submission = try await submit(test, "Slow", by: client).id
        let decide = test.services.decideSubmission
        await #expect(throws: Failure.self) {
            try await decide(
                submission, Decision.Draft(verdict: .approve, feeds: [feed], publishTiming: .now), version: 0,
                by: curator)
        }
        let outcome = try await decide(
            submission, Decision.Draft(verdict: .approve, feeds: [feed], publishTiming: .approveOnly), version: 0,
            by: curator)
        #expect(outcome.change?.isApproved == false)
    }
}
