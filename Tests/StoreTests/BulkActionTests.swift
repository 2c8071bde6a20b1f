// Tests bulk actions: plans, results, skipped submissions, undo and the audit trail.
import Domain
import FoundationEssentials
import Operations
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Bulk actions", .databases)
struct BulkActionTests {
    private struct Queue: World {
        let test: TestDatabase
        let portal: Actor
        let ann: Actor

        var database: Database { test.database }
        var carryOut: RunBulkAction { test.services.runBulkAction }

        static func make(_ role: Role = .publisher) async throws -> Queue {
            let test = try await TestDatabase.make()
            return Queue(test: test, portal: try await test.clientActor(), ann: try await test.actor(role, name: "Ann"))
        }

        @discardableResult
        func submit(_ titles: [String]) async throws -> [ID<Submission>] {
            var ids: [ID<Submission>] = []
            for title in titles { ids.append(try await submit(title, by: portal)) }
            return ids
        }

        func plan(_ action: BulkActionKind, _ ids: [ID<Submission>]) async throws -> ID<BulkAction> {
            try await test.services.planBulkAction(action, .listed(ids), by: ann)
        }

        func states(_ ids: [ID<Submission>]) async throws -> [SubmissionState] {
            try await database.submissions.find(ids).map(\.state)
        }

        func one(_ statement: SQL) async throws -> Int { try await test.client.one(statement)("n") }
    }

    private static let reject = BulkActionRequest.decide(
        Decision.Draft(verdict: .reject, reason: .spam, message: "No."))

    @Test(
        "A plan changes every submission that can still be changed and skips the rest with a reason; one undo reverts it"
    )
    func reject() async throws {
        let world = try await Queue.make()
        let bob = try await world.test.actor(.curator, name: "Bob")
        let ids = try await world.submit((1...6).map { "Part \($0)" })
        let bulkAction = try await world.plan(.reject, Array(ids.prefix(5)))
        // Before it runs, one is decided, one is claimed, and one is decided and undone.
        let decide = world.test.services.decideSubmission
        let draft = Decision.Draft(verdict: .reject, reason: .offTopic)
        _ = try await decide(ids[0], draft, version: nil, by: bob)
        try await world.test.services.claimSubmission(ids[1], by: bob)
        _ = try await decide(ids[2], draft, version: nil, by: bob)
        try await world.test.services.undoDecision(ids[2], version: nil, by: bob)

        let done = try await world.carryOut(bulkAction, Self.reject, by: world.ann)
        #expect(done.size == 5 && done.count(.done) == 2 && done.count(.skipped) == 3)
        #expect(try await world.states(ids) == [.rejected, .pending, .pending, .rejected, .rejected, .pending])
        let skipped = try await world.database.bulkActions.items(of: bulkAction, results: [.skipped], limit: 9)
        #expect(skipped.map(\.reason) == ["decided", "claimed", "changed"])
        let history = try #require(try await world.database.decisions.history(of: ids[3]).last)
        #expect(history.bulkAction == bulkAction && history.reason == "spam" && history.message == "No.")

        // One parent event, and one event per submission.
        let parent = try await world.database.auditTrail.about("bulk_action", bulkAction.description)
        #expect(parent.map(\.action) == ["bulk_action.reject"])
        let children = try await world.one(
            """
            select count(*) as n from ops.audit_event where action = 'submission.reject'
              and detail ->> 'bulk_action' = \(bulkAction.description)
            """)
        #expect(children == 2)

        // It can't run twice.
        await #expect(throws: Failure.self) { try await world.carryOut(bulkAction, Self.reject, by: world.ann) }
        // One of them has been decided since, so the undo leaves it alone.
        try await world.test.services.undoDecision(ids[3], version: nil, by: bob)
        let undone = try await world.test.services.undoBulkAction(bulkAction, by: world.ann)
        #expect(undone.count(.undone) == 1 && undone.count(.kept) == 1)
        #expect(try await world.states(ids) == [.rejected, .pending, .pending, .pending, .pending, .pending])
        #expect(try await world.database.queue.find(ids[4]) != nil)
        await #expect(throws: Failure.self) {
            try await world.test.services.undoBulkAction(bulkAction, by: world.ann)
        }
    }

    @Test(
        "Titles of any script are approved in bulk; one that can't be published is skipped and named, the rest is not")
    func approveAround() async throws {
        let world = try await Queue.make()
        let scripts = ["हिन्दी में समाचार शीर्षक ", "ข่าวเด่นประจำวันที่", "မြန်မာသတင်းခေါင်းစဉ်", "മലയാളം വാർത്താ "]
        let titles = scripts.map { String(String(repeating: $0, count: 80).prefix(80)) }
        // Two each, so that the second slug has a suffix.
        let ids = try await world.submit(titles + titles + ["Foreign image"])
        try await world.test.client.execute("alter table curation.submission disable trigger user")
        try await world.test.client.execute(
            """
            update curation.submission set fields = fields || jsonb_build_object('body',
                '<p><img src="https://elsewhere.example/a.jpg" alt="A"></p>') where title = 'Foreign image'
            """)
        let write = world.test.services.writeEntry
        let setting: ID<Entry> = try await world.test.client.one(
            "select id from api_v1.setting where key = 'images.hosted_only'")("id")
        let newest = try #require(try await world.database.revisions.newest(of: setting))
        _ = try await write.edit(
            setting, fields: newest.content.fields.merging(["value": "true"]) { $1 }, base: newest.number,
            publishTiming: .now, by: TestDatabase.administrator)
        let bulkAction = try await world.plan(.approve, ids)
        let request = BulkActionRequest.decide(Decision.Draft(verdict: .approve, publishTiming: .now))
        let done = try await world.carryOut(bulkAction, request, by: world.ann)
        #expect(done.count(.done) == 8 && done.count(.skipped) == 1 && done.publication != nil)
        let skipped = try await world.database.bulkActions.items(of: bulkAction, results: [.skipped], limit: 9)
        #expect(skipped.map(\.title) == ["Foreign image"])
        #expect(skipped.first?.reason?.contains("another server") == true)
        #expect(try await world.states([ids[8]]) == [.pending])
        #expect(try await world.database.submissions.find(ids[8])?.entry == nil)
        #expect(try await world.one("select count(*) as n from api_v1.item") == 8)
        #expect(try await world.one("select max(char_length(slug)) as n from api_v1.item") <= 80)
        // Every one of them can be edited.
        for id in ids.prefix(8) {
            let entry = try #require(try await world.database.submissions.find(id)?.entry)
            let newest = try #require(try await world.database.revisions.newest(of: entry))
            _ = try await write.edit(
                entry, fields: newest.content.fields.merging(["summary": "Short."]) { $1 }, base: newest.number,
                by: TestDatabase.administrator)
        }
        await #expect(throws: (any Error).self) {
            try await world.test.client.execute(
                """
                insert into curation.slug (kind, slug, entry_id)
                select 'item', repeat('ก', 81), id from curation.entry limit 1
                """)
        }
        try await world.test.client.execute(
            "insert into curation.slug (kind, slug, entry_id) select 'item', repeat('ก', 80), id from curation.entry limit 1"
        )
        #expect(try await world.database.publications.verify().isEmpty)
    }

    @Test("A bulk approval is one publication; invalid submissions are skipped; the undo unpublishes them again")
    func approve() async throws {
        let world = try await Queue.make()
        let ids = try await world.submit(["Same title", "Same title", "Other", "Slow one"])
        // An invalid title.
        try await world.test.client.execute(
            "alter table curation.submission disable trigger user")
        try await world.test.client.execute(
            "update curation.submission set fields = fields - 'title' where id = \(ids[3])")
        let bulkAction = try await world.plan(.approve, ids)
        let request = BulkActionRequest.decide(Decision.Draft(verdict: .approve, publishTiming: .now))
        let done = try await world.carryOut(bulkAction, request, by: world.ann)
        #expect(done.count(.done) == 3 && done.count(.skipped) == 1)
        let publication = try #require(done.publication)
        #expect(try await world.states(ids) == [.approved, .approved, .approved, .pending])
        #expect(try await world.one("select count(*) as n from api_v1.item") == 3)
        #expect(
            try await world.one("select count(distinct publication) as n from api_v1.change where read_table = 'item'")
                == 1)
        #expect(try await world.one("select count(distinct slug) as n from api_v1.item") == 3)
        #expect(try await world.database.publications.current() == publication)
        #expect(try await world.database.publications.verify().isEmpty)
        let entry = try #require(try await world.database.submissions.find(ids[0])?.entry)
        let revision = try #require(try await world.database.revisions.newest(of: entry))
        #expect(revision.author == "contributor" && revision.note == "Approved submission" && revision.isApproved)
        let reason = try await world.database.bulkActions.items(of: bulkAction, results: [.skipped], limit: 9).first?
            .reason
        #expect(reason?.contains("/fields/title") == true)

        let undone = try await world.test.services.undoBulkAction(bulkAction, by: world.ann)
        #expect(undone.count(.undone) == 3)
        #expect(try await world.one("select count(*) as n from api_v1.item") == 0)
        #expect(try await world.one("select count(*) as n from curation.ready") == 0)
        #expect(try await world.database.publications.verify().isEmpty)

        // Approved again, each keeps its entry.
        let again = try await world.carryOut(
            try await world.plan(.approve, Array(ids.prefix(3))), request, by: world.ann)
        #expect(again.count(.done) == 3)
        #expect(try await world.database.submissions.find(ids[0])?.entry == entry)
        #expect(try await world.one("select count(*) as n from api_v1.item") == 3)
    }

    @Test("A bulk approval with a scheduled time is one release, and the undo cancels it")
    func approveScheduled() async throws {
        let world = try await Queue.make()
        let ids = try await world.submit(["One", "Two"])
        let time = try WallTime(local: "2999-01-01T10:00", zone: "UTC")
        let bulkAction = try await world.plan(.approve, ids)
        _ = try await world.carryOut(
            bulkAction, .decide(Decision.Draft(verdict: .approve, publishTiming: .at(time))), by: world.ann)
        let scheduled = try await world.database.releases.scheduled()
        #expect(scheduled.count == 1 && scheduled.first?.items == 2)
        _ = try await world.test.services.undoBulkAction(bulkAction, by: world.ann)
        #expect(try await world.database.releases.scheduled().isEmpty)
    }

    @Test("A curator's bulk approval publishes only into feeds that publish on approval")
    func curator() async throws {
        let world = try await Queue.make(.curator)
        let ids = try await world.submit(["One", "Two"])
        let bulkAction = try await world.plan(.approve, ids)
        let now = BulkActionRequest.decide(Decision.Draft(verdict: .approve, publishTiming: .now))
        let refused = try await world.carryOut(bulkAction, now, by: world.ann)
        #expect(refused.count(.skipped) == 2 && refused.count(.done) == 0)
        let later = try await world.carryOut(
            try await world.plan(.approve, ids),
            .decide(Decision.Draft(verdict: .approve, publishTiming: .approveOnly)),
            by: world.ann)
        #expect(later.count(.done) == 2)
        #expect(
            try await world.one(
                "select count(*) as n from curation.publish_approval a join curation.entry e on e.id = a.entry_id where e.submission_id is not null"
            ) == 0)
    }

    @Test("Submissions are snoozed, assigned and prioritized in bulk, and one undo restores each")
    func triage() async throws {
        let world = try await Queue.make()
        let ids = try await world.submit(["One", "Two", "Three"])
        let triage = world.test.services.triageSubmission
        try await triage.setPriority(of: ids[0], to: .urgent, by: world.ann)
        try await triage.assign(ids[0], to: .role("editor"), by: world.ann)
        for (action, request) in [
            (BulkActionKind.snooze, BulkActionRequest.snooze(.hours(4))),
            (.assign, .assign(.role("publisher"), note: "All yours.")),
            (.update, .update(priority: .low)),
        ] {
            let bulkAction = try await world.plan(action, ids)
            #expect(try await world.carryOut(bulkAction, request, by: world.ann).count(.done) == 3)
            let row = try #require(try await world.database.queue.find(ids[0]))
            switch action {
            case .snooze: #expect(row.snoozedUntil != nil)
            case .assign: #expect(row.assignedRole == .publisher)
            default: #expect(row.priority == .low)
            }
            // A submission decided in the meantime is left alone.
            if action == .update {
                _ = try await world.test.services.decideSubmission(
                    ids[2], Decision.Draft(verdict: .reject, reason: .spam), version: nil, by: world.ann)
            }
            let undone = try await world.test.services.undoBulkAction(bulkAction, by: world.ann)
            #expect(undone.count(.undone) == (action == .update ? 2 : 3))
            #expect(undone.count(.kept) == (action == .update ? 1 : 0))
            let after = try #require(try await world.database.queue.find(ids[0]))
            #expect(after.snoozedUntil == nil && after.assignedRole == .editor && after.priority == .urgent)
        }
        #expect(try await world.database.notes.about(.submission(ids[1])).map(\.text) == ["All yours."])
    }

    @Test("\"All matching\" means the submissions that matched at the time of the plan, at most 5,000")
    func matching() async throws {
        let world = try await Queue.make()
        try await world.submit(["Pizza one", "Pizza two", "Bread"])
        var filter = QueueFilter()
        filter.query = "pizza"
        let bulkAction = try await world.test.services.planBulkAction(
            .reject, .matching(filter, .oldest), by: world.ann)
        let late = try await world.submit(["Pizza three"])
        let shares = try await world.database.bulkActions.groups(of: bulkAction, for: world.ann.rowID)
        #expect(shares.map(\.count) == [2])
        #expect(try await world.carryOut(bulkAction, Self.reject, by: world.ann).count(.done) == 2)
        #expect(try await world.states(late) == [.pending])

        let refused = try await #require(throws: PostgresError.self) {
            try await world.test.client.execute(
                "update curation.bulk_action_item set position = 5001 where bulk_action_id = \(bulkAction) and position = 1"
            )
        }
        #expect(refused.constraint == "bulk_action_item_position")
        try await world.test.client.execute(
            "update curation.bulk_action_item set position = 5000 where bulk_action_id = \(bulkAction) and position = 1"
        )
        await #expect(throws: Failure.self) {
            _ = try await world.test.services.planBulkAction(.reject, .listed([]), by: world.ann)
        }
    }

    @Test("A bulk action on up to 5,000 submissions takes a few statements and one undo")
    func many() async throws {
        // The limit of a bulk action, and one more.
        let (size, rest) = TestScale.isFull ? (5000, 1) : (500, 0)
        let world = try await Queue.make()
        try await world.test.client.transaction { transaction in
            try await transaction.execute(
                "insert into ops.audit_event (actor_id, action, object_type) values (\(SystemActor.system), 'test.fill', 'queue')"
            )
            try await transaction.execute(
                """
                with made as (
                    insert into curation.submission (id, type, client_id, title, fields, received, source, request_hash)
                    select curation.uuid_v7(), 'article', \(world.portal.rowID), 'Part ' || i,
                        jsonb_build_object('title', 'Part ' || i, 'body', '<p>x</p>'), '{}', 'api', sha256(i::text::bytea)
                    from generate_series(1, \(size + rest)::integer) i returning id, type, client_id, title, received_at)
                insert into curation.queue_item (submission_id, type, client_id, title, received_at) select * from made
                """)
        }
        let all = PlanBulkAction.Selection.matching(QueueFilter(), .oldest)
        let bulkAction = try await world.test.services.planBulkAction(.approve, all, by: world.ann)
        let done = try await world.carryOut(
            bulkAction, .decide(Decision.Draft(verdict: .approve, publishTiming: .now)), by: world.ann)
        #expect(done.size == size && done.count(.done) == size)
        #expect(try await world.one("select count(*) as n from api_v1.item") == size)
        #expect(try await world.database.queue.count(QueueFilter()) == rest)
        let undone = try await world.test.services.undoBulkAction(bulkAction, by: world.ann)
        #expect(undone.count(.undone) == size)
        #expect(try await world.one("select count(*) as n from api_v1.item") == 0)
        #expect(try await world.one("select count(*) as n from curation.queue_item") == size + rest)
    }

    @Test("Plans that were never run are deleted after a day; bulk actions that ran are kept")
    func sweep() async throws {
        let world = try await Queue.make()
        let ids = try await world.submit(["One", "Two"])
        let (planned, done) = (try await world.plan(.reject, [ids[0]]), try await world.plan(.reject, [ids[1]]))
        _ = try await world.carryOut(done, Self.reject, by: world.ann)
        let fresh = try await world.plan(.reject, [ids[0]])
        try await world.test.client.execute(
            "update curation.bulk_action set created_at = now() - interval '25 hours' where id in (\(planned), \(done))"
        )
        try await world.database.work(as: Actor(kind: .system, name: "schedule")) { try await $0.bulkActions.sweep() }
        #expect(try await world.database.bulkActions.find(planned) == nil)
        #expect(try await world.database.bulkActions.find(done) != nil)
        #expect(try await world.database.bulkActions.find(fresh) != nil)
    }
}
