// Tests writing, restoring, approving, publishing and unpublishing entries without pages.
import Domain
import FoundationEssentials
import Operations
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Writing entries", .databases)
struct WriteEntryTests {
    private func article(
        _ test: TestDatabase, _ title: String = "A walk", publishTiming: PublishTiming = .now
    ) async throws -> ChangeOutcome {
        try await test.write.create(
            type: "article",
            fields: [
                "title": .string(title), "body": "<p>Slowly.</p>",
                "categories": .array(["00000000-0000-7000-8000-000000000013"]),
            ], publishTiming: publishTiming, by: TestDatabase.administrator)
    }

    @Test("B2: a content type can require a change note, which no person can leave out; the program's own notes count")
    func requiredNote() async throws {
        let test = try await TestDatabase.make()
        let rules = try TestDatabase.rulesWithRequiredNote()
        #expect(rules.types["article"]?.requiresNote == true && rules.types["video"]?.requiresNote == false)
        let write = try test.services(content: rules).writeEntry
        let fields: [String: JSONValue] = [
            "title": "A walk", "body": "<p>Slowly.</p>",
            "categories": .array([.string(SeedEntry.unsorted.description)]),
        ]
        let missing = FieldErrors(
            "/note", "required", "Enter a note that describes the change. Entries of the type Article require one.")
        for note in ["", "  "] {
            await #expect(throws: Failure.invalid(missing)) {
                try await write.create(type: "article", fields: fields, note: note, by: TestDatabase.administrator)
            }
        }
        let id = try await write.create(
            type: "article", fields: fields, note: "First draft", publishTiming: .now, by: TestDatabase.administrator
        ).entry
        let edited = fields.merging(["title": "A run"]) { $1 }
        await #expect(throws: Failure.invalid(missing)) {
            try await write.edit(id, fields: edited, base: 1, by: TestDatabase.administrator)
        }
        _ = try await write.edit(id, fields: edited, base: 1, note: "Faster", by: TestDatabase.administrator)
        _ = try await write.restore(id, number: 1, base: 2, by: TestDatabase.administrator)
        let notes = try await test.database.revisions.history(of: id).map(\.note)
        #expect(notes == ["Version 1 restored", "Faster", "First draft"])
    }

    @Test("A3: writing an entry says what was removed from its fields; writing it again as stored, nothing")
    func warnings() async throws {
        let test = try await TestDatabase.make()
        let action = test.write
        var fields: [String: JSONValue] = [
            "title": "A\u{1}B", "body": "<p style=x>a<script>b</script></p>",
            "categories": .array(["00000000-0000-7000-8000-000000000013"]),
        ]
        let created = try await action.create(type: "article", fields: fields, by: TestDatabase.administrator)
        #expect(created.warnings.items.map(\.pointer) == ["/fields/title", "/fields/body"])
        #expect(created.warnings.messages(at: "/fields/body") == ["Text: Removed: style, <script>."])
        let id = created.entry
        fields = try #require(try await test.database.revisions.newest(of: id)).content.fields
        fields["title"] = "C"
        let edited = try await action.edit(id, fields: fields, base: 1, by: TestDatabase.administrator)
        #expect(edited.warnings.isEmpty)
    }

    @Test("Restoring an old version and publishing it is one action")
    func restoreNow() async throws {
        let test = try await TestDatabase.make()
        let publisher = try await test.actor(.publisher)
        let action = test.write
        let id = try await article(test).entry
        var fields = try #require(try await test.database.revisions.newest(of: id)).content.fields
        fields["title"] = "A run"
        _ = try await action.edit(id, fields: fields, base: 1, publishTiming: .now, by: publisher)
        let outcome = try await action.restore(id, number: 1, base: 2, publishTiming: .now, by: publisher)
        #expect(outcome.revision == 3 && outcome.publication != nil)
        let live = try await test.database.revisions.live(of: id)
        #expect(live?.number == 3)
        #expect(live?.content == (try await test.database.revisions.find(id, number: 1)?.content))
        #expect(live?.note == "Version 1 restored")
    }

    @Test("R18: publishing now waits for the publication lock before taking any other lock")
    func lockOrder() async throws {
        let test = try await TestDatabase.make()
        let owner = test.superuser()
        let id = try await article(test).entry
        let fields = try #require(try await test.database.revisions.newest(of: id)?.content.fields)
        let action = test.write
        let event = AuditEvent("test.hold", on: "test")
        let edit = try await test.database.transaction(by: TestDatabase.administrator, event) { transaction in
            _ = try await transaction.publications.lock()
            let edit = Task {
                try await action.edit(
                    id, fields: fields.merging(["title": "A run"]) { $1 }, base: 1, publishTiming: .now,
                    by: TestDatabase.administrator)
            }
            var held: [String] = []
            try await until("the lock is waited for") {
                held = try await owner.query(
                    """
                    select l.relation::regclass::text || ' ' || l.mode as lock from pg_locks l
                    where l.relation is not null and l.mode like 'Row%' and l.relation::regclass::text like 'curation.%'
                      and l.pid in (select w.pid from pg_locks w where not w.granted)
                    """
                ).map { try $0("lock") }
                return try await owner.one(
                    """
                    select exists (select from pg_locks w join pg_stat_activity a on a.pid = w.pid
                        where not w.granted and a.datname = current_database()) as waits
                    """)("waits")
            }
            #expect(!held.contains { $0.hasPrefix("curation.ready") || $0.hasPrefix("curation.revision") }, "\(held)")
            return edit
        }
        #expect(try await edit.value.publication != nil)
    }

    @Test("The approved version is published despite a newer draft; the draft is not")
    func publishBelowDraft() async throws {
        let test = try await TestDatabase.make()
        let publisher = try await test.actor(.publisher)
        let curator = try await test.actor(.curator)
        let action = test.write
        let id = try await article(test, publishTiming: .approveOnly).entry
        var fields = try #require(try await test.database.revisions.newest(of: id)).content.fields
        fields["title"] = "A draft"
        _ = try await action.edit(id, fields: fields, base: 1, by: curator)
        await #expect(throws: Failure.self) {
            try await action.publish(id, number: 2, publishTiming: .now, by: publisher)
        }
        let outcome = try await action.publish(id, number: 1, publishTiming: .now, by: publisher)
        #expect(outcome.publication != nil)
        let entry = try await test.database.entries.find(id)
        #expect(entry?.live == 1 && entry?.newest == 2 && entry?.approved == 1)
    }

    @Test("An entry in a scheduled release can be unpublished after the release is canceled")
    func scheduled() async throws {
        let test = try await TestDatabase.make()
        let publisher = try await test.actor(.publisher)
        let action = test.write
        let id = try await article(test).entry
        let time = try WallTime(local: "2099-01-01T00:00", zone: "UTC")
        let outcome = try await action.unpublish(id, publishTiming: .at(time), by: publisher)
        guard let release = outcome.release else {
            Issue.record("there is no release")
            return
        }
        try await test.services.composeRelease.cancel(release, by: publisher)
        #expect(try await action.unpublish(id, by: publisher).publication != nil)
        #expect(try await test.database.entries.find(id)?.live == nil)
    }

    @Test("S15: publishing, unpublishing and retrying tasks require a publisher", arguments: [Role.curator, .editor])
    func roles(role: Role) async throws {
        let test = try await TestDatabase.make()
        let actor = try await test.actor(role)
        let action = test.write
        let id = try await article(test).entry
        await #expect(throws: Failure.forbidden("You may not publish.")) {
            try await action.publish(id, number: 1, publishTiming: .now, by: actor)
        }
        await #expect(throws: Failure.forbidden("You may not unpublish entries.")) {
            try await action.unpublish(id, by: actor)
        }
        await #expect(throws: Failure.forbidden("You may not retry tasks.")) {
            try await test.services.retryTask(UUID(), by: actor)
        }
    }

    @Test("A failed task can be retried once")
    func retry() async throws {
        let test = try await TestDatabase.make()
        let publisher = try await test.actor(.publisher)
        let tasks = test.database.tasks
        try await tasks.add(kind: "prune", payload: .object([:]), maxAttempts: 1)
        guard let task = try await tasks.claim() else {
            Issue.record("there is no task")
            return
        }
        let action = test.services.retryTask
        await #expect(throws: Failure.self) { try await action(task.id, by: publisher) }
        _ = try await tasks.fail(task.id, error: "no luck")
        #expect(try await test.database.backgroundTasks.find(task.id)?.state == .failed)
        #expect(try await action(task.id, by: publisher).name == "prune")
        let waiting = try await test.database.backgroundTasks.find(task.id)
        #expect(waiting?.state == .waiting && waiting?.attempts == 0)
        await #expect(throws: Failure.missing("task")) { try await action(UUID(), by: publisher) }
    }

    @Test("A reference to an entry of another type, or to none, is refused at the field")
    func wrongReferences() async throws {
        let test = try await TestDatabase.make()
        let id = try await article(test).entry
        let wrong = Failure.invalid(
            FieldErrors(
                "/fields/feeds/0", "reference", "Feeds: Choose an entry of the type feed, not article."))
        let feeds: JSONValue = .array([.string(id.description)])
        await #expect(throws: wrong) { _ = try await test.publish("article", "New", ["feeds": feeds]) }
        await #expect(throws: wrong) { try await test.edit(id, ["feeds": feeds]) }
        let nothing = "0197c0de-0000-7000-8000-000000000000"
        let unknown = Failure.invalid(
            FieldErrors("/fields/source_category", "reference", "There is no entry with the ID \(nothing)."))
        await #expect(throws: unknown) {
            _ = try await test.publish("feed", "News", ["source_category": .string(nothing)])
        }
        #expect(try await test.rows("item", "title") == ["A walk"])
        let feed = try await test.publish("feed", "News")
        try await test.edit(id, ["feeds": .array([.string(feed.description)])])
        #expect(try await test.rows("feed_item") == 1)
    }
}
