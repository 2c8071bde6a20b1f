// Tests bulk actions on entries: plans, results, skipped entries, undo, limits and the audit trail.
import Domain
import FoundationEssentials
import Operations
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Bulk actions on entries", .databases)
struct EntryBulkActionTests {
    private struct Desk: World {
        let test: TestDatabase
        let ann: Actor

        var database: Database { test.database }
        var services: Services { test.services }

        static func make(_ role: Role = .publisher) async throws -> Desk {
            let test = try await TestDatabase.make()
            return Desk(test: test, ann: try await test.actor(role, name: "Ann"))
        }

        func plan(_ action: BulkActionKind, _ ids: [ID<Entry>]) async throws -> ID<BulkAction> {
            try await services.planEntryBulkAction(action, .listed(ids), by: ann)
        }

        @discardableResult
        func run(_ id: ID<BulkAction>, _ request: EntryBulkActionRequest) async throws -> BulkActionRow {
            try await services.runEntryBulkAction(id, request, by: ann)
        }

        @discardableResult
        func undo(_ id: ID<BulkAction>) async throws -> BulkActionRow {
            try await services.undoEntryBulkAction(id, by: ann)
        }

        func state(_ id: ID<Entry>) async throws -> [Int?] {
            let entry = try #require(try await database.entries.find(id))
            return [entry.newest, entry.approved, entry.live]
        }

        func reasons(_ id: ID<BulkAction>, _ result: BulkActionItemRow.Result? = .skipped) async throws -> [UUID:
            String]
        {
            let items = try await database.bulkActions.items(of: id, results: [result].compactMap(\.self), limit: 99)
            return Dictionary(items.compactMap { item in item.reason.map { (item.id, $0) } }) { first, _ in first }
        }

        func categories(_ id: ID<Entry>) async throws -> [ID<Entry>] {
            CategoryChange.categories(in: try #require(try await database.revisions.newest(of: id)).content.fields)
        }

        func one(_ statement: SQL) async throws -> Int { try await test.client.one(statement)("n") }

        /// Articles need two approvals from now on.
        func requireTwoApprovals() async throws {
            try await test.writeUnchecked(
                "update curation.content_type set required_approvals = 2 where name = 'article'")
        }
    }

    @Test(
        "Drafts are approved in bulk; approved, changed and half-approved ones have a reason or remark; undo withdraws")
    func approve() async throws {
        let desk = try await Desk.make()
        let ids = [
            try await desk.article("One", .draft), try await desk.article("Two", .draft),
            try await desk.article("Published"), try await desk.article("Three"),
        ]
        // Version 2 waits to be published, version 3 is a draft.
        try await desk.edit(ids[3], ["summary": "Two."], publishTiming: .approveOnly)
        try await desk.edit(ids[3], ["summary": "Three."], publishTiming: .draft)
        let plan = try await desk.plan(.approve, ids)
        #expect(try await desk.reasons(plan) == [ids[2].uuid: "approved"], "known before it runs")
        #expect(try await desk.state(ids[0]) == [1, nil, nil], "a plan changes nothing")
        try await desk.edit(ids[1], ["summary": "Changed."], publishTiming: .draft)

        let done = try await desk.run(plan, .approve)
        #expect(done.count(.done) == 2 && done.count(.skipped) == 2)
        #expect(try await desk.reasons(plan) == [ids[2].uuid: "approved", ids[1].uuid: "changed"])
        #expect(try await desk.state(ids[0]) == [1, 1, nil])
        #expect(try await desk.state(ids[1]) == [2, nil, nil])
        #expect(try await desk.state(ids[3]) == [3, 3, 1])
        let events = try await desk.one(
            """
            select count(*) as n from ops.audit_event
            where action = 'entry.approve' and detail ->> 'bulk_action' = \(plan.description)
            """)
        #expect(events == 2)
        #expect(
            try await desk.database.auditTrail.about("bulk_action", plan.description).map(\.action)
                == ["bulk_action.approve"])
        await #expect(throws: Failure.self) { try await desk.run(plan, .approve) }

        let undone = try await desk.undo(plan)
        #expect(undone.count(.undone) == 2 && undone.count(.kept) == 0)
        #expect(try await desk.state(ids[0]) == [1, nil, nil])
        #expect(try await desk.state(ids[3]) == [3, 2, 1])
        let ready = try await desk.database.publications.ready()
        #expect(ready.map(\.entry) == [ids[3]], "version 2 waits again")
        #expect(
            try await desk.one("select count(*) as n from curation.approval where actor_id = \(desk.ann.rowID)") == 0)
        await #expect(throws: Failure.self) { try await desk.undo(plan) }
    }

    @Test("Where two people must approve, the bulk action counts as one approval and says so")
    func approvals() async throws {
        let desk = try await Desk.make()
        try await desk.requireTwoApprovals()
        let ids = [try await desk.article("One", .draft), try await desk.article("Two", .draft)]
        let bob = try await desk.test.actor(.editor, name: "Bob")
        _ = try await desk.write.approve(ids[1], number: 1, by: bob)
        let plan = try await desk.plan(.approve, ids)
        #expect(try await desk.reasons(plan, nil) == [ids[0].uuid: "needs_approvals"], "the plan knows")
        let done = try await desk.run(plan, .approve)
        #expect(done.count(.done) == 2)
        #expect(try await desk.state(ids[0]) == [1, nil, nil])
        #expect(try await desk.state(ids[1]) == [1, 1, nil])
        let again = try await desk.plan(.approve, [ids[0]])
        #expect(try await desk.reasons(again) == [ids[0].uuid: "already_approved"])
        // The approval of another person stays.
        #expect(try await desk.undo(plan).count(.undone) == 2)
        #expect(try await desk.state(ids[1]) == [1, nil, nil])
        #expect(try await desk.one("select count(*) as n from curation.approval where actor_id = \(bob.rowID)") == 1)
    }

    @Test(
        "Approved versions are published in one publication; what a rule blocks is skipped; undo restores what was published"
    )
    func publish() async throws {
        let desk = try await Desk.make()
        let ids = [
            try await desk.article("New", .approveOnly), try await desk.article("Edited"),
            try await desk.article("Draft", .draft), try await desk.article("Published"),
        ]
        try await desk.edit(ids[1], ["summary": "Newer."], publishTiming: .approveOnly)
        let hidden = try await desk.category("Hidden", .approveOnly)
        let blocked = try await desk.article("Blocked", .approveOnly, in: [hidden])
        let plan = try await desk.plan(.publish, ids + [blocked])
        var reasons = try await desk.reasons(plan)
        #expect(reasons.removeValue(forKey: blocked.uuid)?.contains("published category") == true)
        #expect(reasons == [ids[2].uuid: "unapproved", ids[3].uuid: "published"])
        let done = try await desk.run(plan, .publish)
        #expect(done.count(.done) == 2 && done.count(.skipped) == 3 && done.publication != nil)
        #expect(try await desk.state(ids[0]) == [1, 1, 1])
        #expect(try await desk.state(ids[1]) == [2, 2, 2])
        #expect(try await desk.rows("item") == 3)
        let undone = try await desk.undo(plan)
        #expect(undone.count(.undone) == 2)
        #expect(try await desk.state(ids[0]) == [1, 1, nil])
        #expect(try await desk.state(ids[1]) == [2, 2, 1])
        let ready = try await desk.database.publications.ready()
        #expect(Set(ready.map(\.entry)) == [ids[0], ids[1], hidden, blocked], "they wait again")
        #expect(try await desk.isVerified())
    }

    @Test("Entries are unpublished in bulk and published again by the undo, except those edited since")
    func unpublish() async throws {
        let desk = try await Desk.make()
        let ids = [
            try await desk.article("One"), try await desk.article("Two"), try await desk.article("Three", .draft),
        ]
        let group = SeedEntry.topicGroup
        let plan = try await desk.plan(.unpublish, ids + [group])
        #expect(try await desk.reasons(plan)[ids[2].uuid] == "not_published")
        #expect(try await desk.reasons(plan)[group.uuid]?.isEmpty == false, "category groups can't be unpublished")
        #expect(try await desk.run(plan, .unpublish).count(.done) == 2)
        #expect(try await desk.rows("item") == 0)
        try await desk.edit(ids[1], ["summary": "Meanwhile."], publishTiming: .draft)
        let undone = try await desk.undo(plan)
        #expect(undone.count(.undone) == 1 && undone.count(.kept) == 1)
        #expect(try await desk.reasons(plan, .kept) == [ids[1].uuid: "changed"])
        #expect(try await desk.state(ids[0]) == [1, 1, 1])
        #expect(try await desk.state(ids[1]) == [2, 1, nil])
    }

    @Test("Categories are added and removed in bulk, and the undo removes exactly what was added")
    func categorize() async throws {
        let desk = try await Desk.make()
        let (walks, films) = (try await desk.category("Walks"), try await desk.category("Films"))
        let ids = [
            try await desk.article("Published"), try await desk.article("Has it", in: [walks, films]),
            try await desk.article("Draft", .draft, in: [films]),
        ]
        let plan = try await desk.plan(.update, ids + [walks])
        #expect(try await desk.reasons(plan) == [walks.uuid: "without_categories"])
        let change = CategoryChange(added: [walks], removed: [SeedEntry.unsorted])
        let preview = try await desk.services.runEntryBulkAction.preview(change, of: ids)
        #expect(try preview[ids[0]]?.get() == [walks])
        #expect(throws: EntryBulkProblem.self) { try preview[ids[1]]?.get() }
        let done = try await desk.run(plan, .update(change, .now))
        #expect(done.count(.done) == 2 && done.count(.skipped) == 2 && done.publication != nil)
        #expect(try await desk.reasons(plan)[ids[1].uuid] == "unchanged")
        #expect(try await desk.reasons(plan, .done) == [ids[2].uuid: "draft"])
        #expect(try await desk.categories(ids[0]) == [walks])
        #expect(try await desk.state(ids[0]) == [2, 2, 2])
        #expect(try await desk.categories(ids[2]) == [films, walks])
        #expect(try await desk.state(ids[2]) == [2, nil, nil])

        try await desk.edit(ids[2], ["summary": "Meanwhile."], publishTiming: .draft)
        let undone = try await desk.undo(plan)
        #expect(undone.count(.undone) == 1 && undone.count(.kept) == 1)
        #expect(try await desk.reasons(plan, .kept) == [ids[2].uuid: "changed"])
        #expect(try await desk.categories(ids[0]) == [SeedEntry.unsorted])
        #expect(try await desk.state(ids[0]) == [3, 3, 3])
        #expect(try await desk.isVerified())
    }

    @Test("A change of categories is checked: none chosen, both ways, archived, and who may publish")
    func categoryChange() async throws {
        let desk = try await Desk.make(.curator)
        let walks = try await desk.category("Walks")
        let old = try await desk.category("Old")
        let id = try await desk.article()
        try await desk.unpublish(old)
        let plan = try await desk.plan(.update, [id])
        for change in [
            CategoryChange(added: [], removed: []), CategoryChange(added: [walks], removed: [walks]),
        ] {
            await #expect(throws: Failure.self) { try await desk.run(plan, .update(change, .draft)) }
        }
        let added = CategoryChange(added: [walks], removed: [])
        await #expect(throws: Failure.self) { try await desk.run(plan, .update(added, .now)) }
        let archived = try await desk.run(plan, .update(CategoryChange(added: [old], removed: []), .draft))
        #expect(archived.count(.skipped) == 1)
        #expect(try await desk.reasons(plan)[id.uuid]?.contains("archived") == true)
        let draft = try await desk.plan(.update, [id])
        #expect(try await desk.run(draft, .update(added, .draft)).count(.done) == 1)
        #expect(try await desk.state(id) == [2, 1, 1])
        #expect(try await desk.undo(draft).count(.undone) == 1)
        #expect(try await desk.state(id) == [3, 1, 1])
        #expect(try await desk.categories(id) == [SeedEntry.unsorted])
    }

    @Test("Entries are added to a new release or another one; the undo removes them and restores what they replaced")
    func release() async throws {
        let desk = try await Desk.make(.editor)
        let ids = [
            try await desk.article("One", .draft), try await desk.article("Two", .approveOnly),
            try await desk.article("Published"),
        ]
        let first = try await desk.plan(.add, ids)
        #expect(try await desk.reasons(first) == [ids[2].uuid: "published"])
        await #expect(throws: Failure.self) { try await desk.run(first, .add(release: nil, title: " ")) }
        await #expect(throws: Failure.self) { try await desk.run(first, .add(release: 99, title: "")) }
        let number = try #require(try await desk.run(first, .add(release: nil, title: "Friday")).release)
        let release = try #require(try await desk.database.releases.find(number: number))
        #expect(release.title == "Friday" && release.items == 2)

        try await desk.edit(ids[0], ["summary": "Newer."], publishTiming: .draft)
        let second = try await desk.plan(.add, [ids[0], ids[1]])
        let done = try await desk.run(second, .add(release: number, title: ""))
        #expect(done.count(.done) == 1)
        #expect(try await desk.reasons(second) == [ids[1].uuid: "in_release"])
        #expect(try await desk.database.releaseItems.find(ids[0], in: release.id)?.revision == 2)
        #expect(try await desk.undo(second).count(.undone) == 1)
        #expect(try await desk.database.releaseItems.find(ids[0], in: release.id)?.revision == 1)
        #expect(try await desk.undo(first).count(.undone) == 2)
        #expect(try await desk.database.releases.find(number: number)?.items == 0)

        // A release that is published already keeps what it published.
        let third = try await desk.plan(.add, [ids[1]])
        try await desk.run(third, .add(release: number, title: ""))
        _ = try await desk.test.services.publishRelease.release(
            number, seen: nil, by: TestDatabase.administrator)
        let kept = try await desk.undo(third)
        #expect(kept.count(.kept) == 1)
        #expect(try await desk.reasons(third, .kept) == [ids[1].uuid: "released"])
    }

    @Test("Roles may do with many entries what they may do with one; plans belong to who made them")
    func permissions() async throws {
        let desk = try await Desk.make()
        let id = try await desk.article("One", .draft)
        let allowed: [Role: [BulkActionKind]] = [
            .curator: [.update], .editor: [.approve, .update, .add],
            .publisher: [.approve, .publish, .unpublish, .update, .add],
        ]
        for (role, actions) in allowed {
            let actor = try await desk.test.actor(role, name: "Person \(role.name)")
            for action in BulkActionKind.Object.entry.actions {
                let plan = try? await desk.services.planEntryBulkAction(action, .listed([id]), by: actor)
                #expect((plan != nil) == actions.contains(action), "\(role) \(action)")
            }
        }
        let plan = try await desk.plan(.approve, [id])
        let bob = try await desk.test.actor(.publisher, name: "Bob")
        await #expect(throws: Failure.self) { try await desk.services.runEntryBulkAction(plan, .approve, by: bob) }
        await #expect(throws: Failure.self) { try await desk.run(plan, .publish) }
        await #expect(throws: Failure.self) { try await desk.plan(.approve, []) }
        await #expect(throws: Failure.self) { try await desk.plan(.snooze, [id]) }
        let long = String(repeating: "%F0%9F%98%80", count: 200)
        let found = try await desk.services.planEntryBulkAction(
            .approve, .listed([id]), query: "q=\(long)", by: desk.ann)
        #expect(try await desk.database.bulkActions.find(found)?.query.isEmpty == true, "it only leads back")
        // Services for submissions refuse it, and those for entries refuse submissions.
        await #expect(throws: Failure.self) { try await desk.services.undoBulkAction(plan, by: desk.ann) }
        let queued = try await desk.submit("Sent", by: try await desk.test.clientActor())
        let other = try await desk.services.planBulkAction(.snooze, .listed([queued]), by: desk.ann)
        await #expect(throws: Failure.self) { try await desk.run(other, .approve) }
    }

    @Test("Entries outside the access scope are refused, and one whose published version is outside is skipped")
    func scope() async throws {
        let desk = try await Desk.make()
        let second = ID<Entry>("00000000-0000-7000-8000-000000000012") ?? SeedEntry.topicGroup
        let films = try await desk.publish("category", "Films", ["group": .entry(second)])
        let walks = try await desk.category("Walks")
        let ids = [
            try await desk.article("Walk", .draft, in: [walks]), try await desk.article("Film", in: [films]),
            try await desk.article("Moved", in: [films]),
        ]
        try await desk.edit(ids[2], ["categories": .entries([walks])], publishTiming: .draft)
        try await desk.test.writeUnchecked(
            """
            update ops.account set groups = array[\(SeedEntry.topicGroup)]::uuid[] where id = \(desk.ann.rowID)
            """)
        let scope = AccessScope(types: [], groups: [SeedEntry.topicGroup])
        let ann = Actor(
            kind: .account, id: desk.ann.id, name: "Ann", role: desk.ann.role, scope: scope,
            credential: desk.ann.credential)
        try await AccessScope.$current.withValue(scope) {
            let plan = desk.services.planEntryBulkAction
            await #expect(throws: Failure.self) { try await plan(.approve, .listed([ids[1]]), by: ann) }
            let all = try await plan(.approve, .matching(EntryFilter()), by: ann)
            let items = try await desk.database.bulkActions.items(of: all, limit: 99).map(\.id)
            #expect(items.contains(ids[0].uuid) && !items.contains(ids[1].uuid))
            let moved = try await plan(.approve, .listed([ids[0], ids[2]]), by: ann)
            let done = try await desk.services.runEntryBulkAction(moved, .approve, by: ann)
            #expect(done.count(.done) == 1)
            #expect(try await desk.reasons(moved)[ids[2].uuid]?.contains("outside the access scope") == true)
        }
    }

    @Test("A bulk action takes 5,000 entries and no more; all that match are taken up to the limit")
    func limit() async throws {
        let desk = try await Desk.make()
        let ids: [ID<Entry>] = try await desk.test.client.transaction { transaction in
            try await transaction.execute("set local session_replication_role = replica")
            try await transaction.execute(
                """
                insert into curation.entry (type, kind, created_by)
                select 'article', 'item', \(desk.ann.rowID) from generate_series(1, 5001)
                """)
            try await transaction.execute(
                """
                insert into curation.revision (entry_id, number, content, preview, content_hash, author_id)
                select e.id, 1, jsonb_build_object('title', 'Many', 'slug', 'many-' || e.id, 'body', '<p>Many.</p>',
                    'categories', jsonb_build_array(\(SeedEntry.unsorted.description)::text)), '{}', sha256(''), \(desk.ann.rowID)
                from curation.entry e where e.type = 'article'
                """)
            try await transaction.execute(
                """
                insert into curation.slug (kind, slug, entry_id)
                select 'item', 'many-' || e.id, e.id from curation.entry e where e.type = 'article'
                """)
            try await transaction.execute(
                """
                insert into curation.reference (revision_id, field, position, target_entry_id, counted)
                select r.id, 'categories', 1, \(SeedEntry.unsorted), true
                from curation.revision r join curation.entry e on e.id = r.entry_id where e.type = 'article'
                """)
            return try await transaction.query("select id from curation.entry where type = 'article' order by id").map {
                try $0("id")
            }
        }
        #expect(ids.count == 5001)
        let refusal = try await #require(throws: Failure.self) { try await desk.plan(.approve, ids) }
        #expect(refusal.sentence.contains("at most 5,000"))
        guard TestScale.isFull else { return }
        let plan = try await desk.plan(.approve, Array(ids.dropLast()))
        #expect(try await desk.run(plan, .approve).count(.done) == 5000)
        var filter = EntryFilter()
        filter.type = "article"
        let all = try await desk.services.planEntryBulkAction(.publish, .matching(filter), by: desk.ann)
        #expect(try await desk.database.bulkActions.find(all)?.size == 5000)
        #expect(try await desk.run(all, .publish).count(.done) == 4999, "the newest is not approved")
        #expect(try await desk.rows("item") == 4999)
        let walks = try await desk.category("Walks")
        let change = CategoryChange(added: [walks], removed: [])
        let update = try await desk.plan(.update, Array(ids.dropLast()))
        #expect(try await desk.run(update, .update(change, .now)).count(.done) == 5000)
        #expect(try await desk.undo(update).count(.undone) == 5000)
        #expect(try await desk.undo(all).count(.undone) == 0, "edited since")
        #expect(try await desk.isVerified())
    }
}
