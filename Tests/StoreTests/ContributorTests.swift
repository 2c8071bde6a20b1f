// Tests contributors below the interfaces: blocks and trust at their boundaries, held submissions, export and erasure.
import Domain
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Contributors", .databases)
struct ContributorTests {
    private struct Site {
        let test: TestDatabase
        let portal: Actor
        let curator: Actor
        let blocked: Settings.Intake.Blocked
        let owner: PostgresClient

        static func make(_ blocked: Settings.Intake.Blocked = .refuse) async throws -> Site {
            let test = try await TestDatabase.make()
            return Site(
                test: test, portal: try await test.clientActor(), curator: try await test.actor(.curator),
                blocked: blocked,
                owner: test.superuser())
        }

        var services: Services {
            get throws { try test.services(["VITRINE_INTAKE_BLOCKED": blocked.rawValue]) }
        }

        @discardableResult
        func submit(
            _ title: String = "Ten cafés", by name: String = "Mo", email: String? = nil, key: String? = nil
        ) async throws -> SubmissionReceipt {
            try await services.receiveSubmission(
                SubmissionDraft(
                    type: "article", contributor: name, contributorEmail: email,
                    fields: ["title": .string(title), "body": "<p>Hello</p>"], idempotencyKey: key), by: portal)
        }

        /// The code with which a submission is refused; nil if it is stored.
        func refusal(by name: String = "Mo", key: String? = nil) async throws -> String? {
            do {
                try await submit(by: name, key: key)
                return nil
            } catch Failure.refused(let code, _) {
                return code
            }
        }

        func contributor(_ name: String = "Mo") async throws -> ID<Contributor> {
            try await owner.one("select id from curation.contributor where name = \(name)")("id")
        }

        func block(_ name: String = "Mo", until: SnoozeTime? = nil) async throws {
            try await services.manageContributor.set(
                ContributorStatusDraft(.blocked, reason: "Advertises", until: until), on: contributor(name), by: curator
            )
        }

        func lift(_ name: String = "Mo") async throws {
            try await services.manageContributor.lift(.blocked, of: contributor(name), by: curator)
        }

        func queue(_ change: (inout QueueFilter) -> Void = { _ in }) async throws -> [ID<Submission>] {
            var filter = QueueFilter()
            change(&filter)
            return try await test.database.queue.page(filter, cursor: nil, limit: 50).items.map(\.id)
        }

        func count(_ table: String, _ condition: SQL = "true") async throws -> Int {
            try await owner.one("select count(*) as n from \(raw: table) where \(condition)")("n")
        }
    }

    @Test("Every named sender is a contributor of its source, once; anonymous submissions have none")
    func contributors() async throws {
        let site = try await Site.make()
        for _ in 0..<3 { try await site.submit() }
        try await site.submit(by: "Ada")
        let other = try await site.test.clientActor()
        _ = try await site.test.services.receiveSubmission(
            SubmissionDraft(type: "article", contributor: "Mo", fields: ["title": "Other", "body": "<p>x</p>"]),
            by: other)
        _ = try await site.test.receiveAnonymous(
            SubmissionDraft(type: "article", fields: ["title": "Nobody's", "body": "<p>x</p>"]), by: other)
        #expect(try await site.count("curation.contributor") == 3)
        // The daemon can't add one, and changes none without an audit event.
        await #expect(throws: (any Error).self) {
            try await site.test.client.execute(
                """
                insert into curation.contributor (client_id, name, first_seen_at)
                select client_id, 'X', now() from curation.contributor
                """)
        }
        let page = try await site.test.database.reputations.page("mo", nil, cursor: nil, limit: 1, countLimit: 2)
        #expect(page.items.map(\.contributor.name) == ["Mo"] && page.next != nil)
        let rest = try await site.test.database.reputations.page("mo", nil, cursor: page.next, limit: 1, countLimit: 2)
        #expect(rest.items.map(\.submissions) == [3] && rest.next == nil)
    }

    @Test("A blocked contributor is refused with a code, whatever the time of the block: no end, later, now, earlier")
    func boundary() async throws {
        let site = try await Site.make()
        try await site.submit(by: "Ada")
        try await site.submit(key: "k-1")
        #expect(try await site.refusal() == nil)
        try await site.block()
        #expect(try await site.refusal() == BlockedContributor.code)
        #expect(try await site.refusal(by: "Ada") == nil, "others are not concerned")
        // What was stored before the block is known after it, by its key.
        #expect(try await site.submit(key: "k-1").isNew == false)
        #expect(try await site.refusal(key: "k-2") == BlockedContributor.code)
        let (count, audited) = (
            try await site.count("curation.submission"),
            try await site.count("ops.audit_event", "action = 'submission.create'")
        )
        #expect(count == 4 && audited == 4, "a refused one leaves nothing")

        // The function compares with the time of its transaction.
        func blocked(_ end: SQL) async throws -> Bool {
            try await site.owner.transaction { transaction in
                try await transaction.execute("set local session_replication_role = replica")
                try await transaction.execute(
                    "update curation.contributor set status_at = '2020-01-01', status_until = \(end) where name = 'Mo'")
                return try await transaction.one(
                    """
                    select curation.blocked_until(client_id, name) is not null as is_blocked
                    from curation.contributor where name = 'Mo'
                    """)("is_blocked")
            }
        }
        #expect(try await blocked("now() + interval '1 microsecond'"))
        #expect(try await !blocked("now()"))
        #expect(try await !blocked("now() - interval '1 microsecond'"))
        #expect(try await site.refusal() == nil, "it has ended without anybody's action")
        #expect(try await site.test.database.reputations.find(site.contributor())?.status == nil)
        #expect(try await blocked("null"))
        try await site.lift()
        #expect(try await site.refusal() == nil)
        await #expect(throws: Failure.self) { try await site.lift() }
    }

    @Test("Submissions that arrive together are refused and stored one by one")
    func together() async throws {
        let site = try await Site.make()
        for name in ["Mo", "Ada"] { try await site.submit(by: name) }
        try await site.block()
        let codes = try await concurrently(0..<60) { number in
            try await site.refusal(by: number.isMultiple(of: 2) ? "Mo" : number % 3 == 0 ? "Ada" : "N\(number)")
        }
        #expect(codes.count { $0 == BlockedContributor.code } == 30)
        #expect(try await site.count("curation.submission") == 32)
        #expect(try await site.count("curation.contributor") == 22)
    }

    @Test("Held submissions are outside the queue until the block is lifted, changed or has ended")
    func held() async throws {
        let site = try await Site.make(.hold)
        let before = try await site.submit().id
        try await site.block(until: .hours(1))
        let held = try await site.submit().id
        #expect(try await site.queue() == [before], "what was pending stays in the queue")
        #expect(try await site.queue { $0.isHeld = true } == [held])
        #expect(try await site.queue { $0.isSnoozed = true }.isEmpty)
        #expect(try await site.test.database.queue.find(held)?.isHeld == true)
        let id = try await site.contributor()
        let listed = try await site.test.database.reputations.submissions(of: id, isHeld: true, cursor: nil, limit: 9)
        #expect(listed.items.map(\.id) == [held])
        let record = try await site.test.database.reputations.record(of: id)
        #expect(record.held == 1 && record.count(.pending) == 2)

        // A block without end takes them along; lifting it returns them.
        try await site.block()
        #expect(try await site.count("curation.queue_item", "snoozed_until = 'infinity'") == 1)
        try await site.lift()
        #expect(Set(try await site.queue()) == [before, held])
        #expect(try await site.queue { $0.isHeld = true }.isEmpty)

        // At the end of a block they return by themselves, and a later block doesn't take them again.
        try await site.block(until: .hours(1))
        let second = try await site.submit().id
        #expect(try await !site.queue().contains(second))
        try await site.test.writeUnchecked(
            "update curation.contributor set status_at = now() - interval '2 hours', status_until = now()",
            "update curation.queue_item set snoozed_until = now() where is_held")
        #expect(try await site.queue().contains(second))
        try await site.block()
        #expect(try await site.queue().contains(second))

        // A reviewer may return one to the queue, and an undone bulk action holds it again.
        let third = try await site.submit().id
        let plan = try await site.services.planBulkAction(.snooze, .listed([third]), by: site.curator)
        _ = try await site.services.runBulkAction(plan, .snooze(.hours(4)), by: site.curator)
        #expect(try await site.queue { $0.isSnoozed = true } == [third])
        _ = try await site.services.undoBulkAction(plan, by: site.curator)
        #expect(try await site.queue { $0.isHeld = true } == [third])
        try await site.services.triageSubmission.snooze(third, until: nil, by: site.curator)
        #expect(try await site.queue().contains(third))
        try await site.lift()
        #expect(try await site.queue().contains(third))
    }

    @Test("A block that is lifted while submissions arrive leaves nothing held")
    func liftedMeanwhile() async throws {
        let site = try await Site.make(.hold)
        try await site.submit()
        for round in 1...5 {
            try await site.block()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask { _ = try await site.submit("Round \(round), \(number)") }
                    if number == 20 { group.addTask { try await site.lift() } }
                }
                try await group.waitForAll()
            }
            #expect(try await site.count("curation.queue_item", "is_held or snoozed_until is not null") == 0)
        }
        #expect(try await site.count("curation.queue_item") == 201)
    }

    @Test(
        "Resubmissions and appeals of blocked contributors are refused or held, too",
        arguments: Settings.Intake.Blocked.allCases)
    func reopened(blocked: Settings.Intake.Blocked) async throws {
        let site = try await Site.make(blocked)
        let services = try site.services
        let key = try #require(SecretBox(key: [UInt8](repeating: 9, count: 32))?.linkKey("status"))
        func tracked(_ id: ID<Submission>) async throws -> TrackedSubmission {
            guard
                case .found(let tracked) = try await services.trackSubmission(key).open(
                    key.text(for: id.bytes, edition: 1), from: "192.0.2.1")
            else { throw Failure.missing("link") }
            return tracked
        }
        let (returned, rejected) = (try await site.submit("Returned").id, try await site.submit("Rejected").id)
        for (id, draft) in [
            (returned, Decision.Draft(verdict: .requestChanges, message: "More, please.")),
            (rejected, Decision.Draft(verdict: .reject, reason: .offTopic)),
        ] {
            _ = try await services.decideSubmission(id, draft, version: 0, by: site.curator)
        }
        try await site.block()
        func send() async throws -> [String?] {
            var codes: [String?] = []
            for action in 0..<2 {
                do {
                    if action == 0 {
                        try await services.resubmitSubmission(
                            tracked(returned), ["title": "More", "body": "<p>More</p>"], from: "192.0.2.1")
                    } else {
                        try await services.appealRejection(tracked(rejected), "Please look again.", from: "192.0.2.1")
                    }
                    codes.append(nil)
                } catch Failure.refused(let code, _) {
                    codes.append(code)
                }
            }
            return codes
        }
        let codes = try await send()
        #expect(codes == (blocked == .refuse ? [BlockedContributor.code, BlockedContributor.code] : [nil, nil]))
        #expect(try await site.queue().isEmpty)
        #expect(Set(try await site.queue { $0.isHeld = true }) == (blocked == .hold ? [returned, rejected] : []))
        try await site.lift()
        if blocked == .refuse { #expect(try await send() == [nil, nil]) }
        #expect(Set(try await site.queue()) == [returned, rejected])
    }

    @Test(
        "Trust by the team counts for screening until it ends; a name from a form can't be trusted; a reason is required"
    )
    func trust() async throws {
        let site = try await Site.make()
        let id = try await site.submit().id
        let manage = try site.services.manageContributor
        let contributor = try await site.contributor()
        func trust(_ reason: String, _ until: SnoozeTime? = nil) async throws -> [String] {
            do {
                try await manage.set(
                    ContributorStatusDraft(.trusted, reason: reason, until: until), on: contributor, by: site.curator)
                return []
            } catch Failure.invalid(let errors) {
                return errors.items.map(\.pointer)
            }
        }
        #expect(try await trust(" ") == ["/reason"])
        #expect(try await trust(String(repeating: "a", count: 501)) == ["/reason"])
        #expect(try await trust("Colleague", .hours(0)) == ["/until"])
        #expect(try await trust("Colleague", .hours(24)).isEmpty)
        let clock = Actor(kind: .system, name: "schedule")
        while try await site.test.database.work(as: clock, { try await ScreenSubmissions.screen(site.test.rules, $0) })
        {}
        #expect(try await site.test.database.screenings.find(id)?.trust == 2)
        let key = ContributorKey(client: site.portal.rowID, contributor: "Mo")
        #expect(try await site.test.database.reputations.statuses(of: [key]) == [key: .trusted])

        let actions = try await site.test.database.auditTrail.about("contributor", contributor.description)
        #expect(actions.map(\.action) == ["contributor.trust"])

        // The database refuses it for a submission form, whatever the program does.
        try await site.test.writeUnchecked("update ops.actor set kind = 'form' where id = \(site.portal.rowID)")
        let refusal = Failure.refused(
            code: "rule", message: "Anyone can enter this name in a submission form, so it can't be trusted.")
        await #expect(throws: refusal) {
            let event = AuditEvent("contributor.trust", on: "contributor", contributor.description)
            try await site.test.database.transaction(by: site.curator, event) { transaction in
                _ = try await transaction.reputations.setStatus(
                    contributor, .trusted, reason: "x", until: nil, by: site.curator)
            }
        }
    }

    @Test("S15: a restricted account sees only its part of a contributor, and changes no status")
    func scope() async throws {
        let site = try await Site.make()
        try await site.submit("Article")
        try await site.submit(by: "Ada")
        let (mo, ada) = (try await site.contributor(), try await site.contributor("Ada"))
        try await site.owner.execute("update curation.submission set type = 'video' where contributor = 'Ada'")
        let videos = AccessScope(types: ["video"], groups: [])
        try await AccessScope.$current.withValue(videos) {
            let page = try await site.test.database.reputations.page(nil, nil, cursor: nil, limit: 9, countLimit: 9)
            #expect(page.items.map(\.contributor.id) == [ada])
            #expect(try await site.test.database.reputations.find(mo) == nil)
            #expect(try await site.test.database.reputations.record(of: mo).count == 0)
            #expect(try await site.test.database.reputations.submissions(of: mo, cursor: nil, limit: 9).items.isEmpty)
        }
        try await site.test.writeUnchecked("update ops.account set types = '{video}' where id = \(site.curator.rowID)")
        await #expect(throws: Failure.self) { try await site.block("Ada") }
    }

    @Test("An export has everything; an erasure leaves nothing that identifies the contributor, and can't be undone")
    func erasure() async throws {
        let site = try await Site.make()
        let services = try site.services
        let administrator = try await site.test.actor(.administrator)
        let approved = try await site.submit("Walks", email: "mo@example.org", key: "private-1").id
        let rejected = try await site.submit("Private words", email: "mo@example.org").id
        try await services.addNote("Their phone is unlisted", on: .submission(rejected), by: site.curator)
        let id = try await site.contributor()
        let ann = try await site.test.actor(.editor, name: "Ann")
        let mentioning = try await services.addNote(
            "@Ann, their address is unlisted, too", on: .contributor(id), by: site.curator)
        #expect(mentioning.notified == 1)
        let other = try await site.submit("Of another", by: "Ada").id
        let kept = try #require(try await site.test.database.reputations.find(of: other)).id
        try await services.addNote("Writes well", on: .contributor(kept), by: site.curator)
        var lines: [String] = []
        try await services.manageContributor.export(id, batch: 1, by: administrator) { documents in
            lines += documents
            return true
        }
        #expect(
            lines.count == 2 && lines.allSatisfy { $0.contains("mo@example.org") } && lines[0].contains("Private words")
        )

        let pending = Failure.refused(
            code: "rule", message: "Submissions of this contributor are pending. Decide them first; nothing was erased."
        )
        await #expect(throws: pending) { try await services.manageContributor.erase(id, by: administrator) }
        _ = try await services.decideSubmission(
            approved, Decision.Draft(verdict: .approve, publishTiming: .approveOnly), version: 0, by: site.curator)
        _ = try await services.decideSubmission(
            rejected, Decision.Draft(verdict: .reject, reason: .spam), version: 0, by: site.curator)
        await #expect(throws: Failure.self) { try await services.manageContributor.erase(id, by: site.curator) }
        #expect(try await services.manageContributor.erase(id, by: administrator) == 2)
        let left: [String] = try await site.owner.query(
            """
            select s::text as row from curation.submission s union all select n::text from curation.note n
            union all select m::text from ops.outbox_message m union all select c::text from curation.contributor c
            union all select y::text from curation.similarity y
            union all select x.terms::text || x.domains::text from curation.submission_search x where x.terms <> ''
            """
        ).map { try $0("row") }
        // Both submissions and the words of the title that stays; another contributor, with a submission and a note.
        #expect(left.count == 6, "\(left)")
        #expect(try await site.test.database.notes.about(.contributor(id)).isEmpty)
        #expect(try await site.test.database.notes.about(.contributor(kept)).map(\.text) == ["Writes well"])
        #expect(try await site.test.database.notes.unseen(by: ID(try #require(ann.id))) == 0)
        for word in ["Mo", "mo@example.org", "Private words", "unlisted", "private-1"] {
            #expect(!left.joined().contains(word), "\(word)")
        }
        #expect(try await site.count("curation.entry", "submission_id = \(approved)") == 1)
        #expect(try await site.test.database.submissions.find(approved)?.title == "Walks")
        // The erased notes have audit events, which say that something was written.
        #expect(try await site.test.database.auditTrail.verify().unpaired == [])
        #expect(try await site.test.database.contributors.find(rejected, days: 365) == nil, "its status link is closed")
        await #expect(throws: Failure.self) {
            try await site.test.services.undoDecision(
                rejected, version: 1, by: site.curator)
        }
    }
}
