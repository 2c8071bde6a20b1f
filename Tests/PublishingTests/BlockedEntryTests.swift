// Tests entries that a rule blocks: plans name them, and they never hold up others outside their release.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Blocked entries", .databases)
struct BlockedEntryTests {
    private struct Blocked: World {
        let test: TestDatabase
        let publish: PublishRelease

        static func make() async throws -> Blocked {
            let test = try await TestDatabase.make()
            return Blocked(test: test, publish: test.services.publishRelease)
        }

        func text(_ key: String, _ timing: PublishTiming) async throws -> ID<Entry> {
            try await write.create(
                type: "text",
                fields: [
                    "title": .string(key), "key": .string(key), "section": "app", "format": "plain",
                    "values": .array([.object(["locale": "en", "value": "Hello"])]),
                ], publishTiming: timing, by: TestDatabase.administrator
            ).entry
        }

        func change(_ id: ID<Entry>) async throws -> LiveChange {
            LiveChange(entry: id, revision: try await test.database.revisions.newest(of: id)?.id)
        }

        func titles() async throws -> [String] {
            try await test.client.query("select title from api_v1.item order by title").map { try $0("title") }
        }
    }

    @Test("A8: an entry without a published category doesn't hold up the others, and is named with its category")
    func rest() async throws {
        let world = try await Blocked.make()
        let draft = try await world.category("Drafted", .draft)
        let blocked = try await world.article("Blocked", .approveOnly, in: [draft])
        for title in ["One", "Two"] { try await world.article(title, .approveOnly, in: [SeedEntry.unsorted]) }
        let waiting = try await world.publish.plan()
        #expect(waiting.all.count == 3 && waiting.changes.count == 2)
        #expect(waiting.blocked.map(\.entry) == [blocked])
        let message = """
            Article "Blocked" (\(blocked)): Categories: every published item needs at least one published category. Choose \
            another category for it. Not published: Drafted (\(draft)).
            """
        #expect(waiting.blocked.map(\.message) == [message])
        let done = try await world.publish.waiting(by: TestDatabase.administrator)
        #expect(done.entries == 2 && done.publication != nil && done.blocked.map(\.message) == [message])
        #expect(try await world.titles() == ["One", "Two"])
        let again = try await world.publish.waiting(by: TestDatabase.administrator)
        #expect(again.entries == 0 && again.publication == nil && again.blocked.count == 1)
        // Published together with its category, it passes.
        _ = try await world.write.approve(draft, number: 1, by: TestDatabase.administrator)
        #expect(try await world.publish.plan().blocked.isEmpty)
        #expect(try await world.publish.waiting(by: TestDatabase.administrator).entries == 2)
        #expect(try await world.titles() == ["Blocked", "One", "Two"])
        #expect(try await world.test.database.publications.verify().isEmpty)
    }

    @Test("A release is published as a whole: its plan names every blocked entry, and publishing names the first")
    func release() async throws {
        let world = try await Blocked.make()
        let draft = try await world.category("Drafted", .draft)
        let (one, two) = (
            try await world.article("One", .approveOnly, in: [draft]),
            try await world.article("Two", .approveOnly, in: [draft])
        )
        let fine = try await world.article("Fine", .approveOnly, in: [SeedEntry.unsorted])
        let compose = world.test.services.composeRelease
        let number = try await compose.create(
            title: "All",
            items: [try await world.change(one), try await world.change(two), try await world.change(fine)],
            by: TestDatabase.administrator)
        let release = try #require(try await world.test.database.releases.find(number: number))
        let plan = try await world.publish.check(.release(release.id))
        #expect(Set(plan.blocked.compactMap(\.entry)) == [one, two])
        #expect(plan.blocked.allSatisfy { $0.code == "rule" && $0.message.contains("Drafted (\(draft))") })
        do {
            _ = try await world.publish.release(number, seen: nil, by: TestDatabase.administrator)
            Issue.record("it was published")
        } catch Failure.refused(_, let message) {
            #expect(message.contains("Article \"") && message.contains("Categories: every published item"))
        }
        #expect(try await world.titles().isEmpty)
    }

    @Test("A plan refuses what publishing refuses, such as a key that two texts share, and the rest is published")
    func uniqueKey() async throws {
        let world = try await Blocked.make()
        _ = try await world.text("hello.title", .now)
        let second = try await world.text("hello.title", .approveOnly)
        try await world.article("Fine", .approveOnly, in: [SeedEntry.unsorted])
        let change = try await world.change(second)
        await #expect(throws: Failure.self) { _ = try await world.publish.plan(.listed([change])) }
        let waiting = try await world.publish.plan()
        #expect(waiting.blocked.map(\.entry) == [second] && waiting.changes.count == 1)
        #expect(waiting.blocked.first?.code == "taken")
        #expect(waiting.blocked.first?.message.contains("(hello.title, en)") == true)
        let done = try await world.publish.waiting(by: TestDatabase.administrator)
        #expect(done.entries == 1 && done.blocked.map(\.entry) == [second])
        #expect(try await world.titles() == ["Fine"])
    }

    @Test("A8: entries that are refused whatever else is published are found with one plan, however many they are")
    func refusedAlone() async throws {
        let world = try await Blocked.make()
        for title in ["One", "Two", "Three"] {
            try await world.article(title, .approveOnly, in: [SeedEntry.unsorted])
        }
        // Videos with a stream that was found to be no playlist.
        try await world.test.writeUnchecked(
            "update curation.entry set type = 'video' where id in (select entry_id from curation.ready)",
            """
            update curation.revision set content = content || '{"hls_url": "https://example.org/a.m3u8"}'
            where id in (select revision_id from curation.ready)
            """,
            """
            insert into curation.playlist_check (stream_url, source, outcome, detail, checked_by)
            values ('https://example.org/a.m3u8', 'fetched', 'malformed', 'no header.', \(SystemActor.system)::uuid)
            """)
        let fine = try await world.article("Fine", .approveOnly, in: [SeedEntry.unsorted])
        try await world.test.client.transaction { transaction in
            try await transaction.execute("set local track_functions = 'all'")
            let row = try await transaction.one(
                """
                select l.entries = array[\(fine)::uuid] as is_rest, (
                    select string_agg(concat_ws(' ', b ->> 'title', b ->> 'rule'), ', ' order by b ->> 'title')
                    from jsonb_array_elements(l.blocked) b) as blocked
                from (select array_agg(entry_id) as entries, array_agg(revision_id) as revisions from curation.ready) w
                cross join lateral curation.leave_out_blocked(w.entries, w.revisions) l
                """)
            #expect(try row("is_rest") as Bool)
            #expect(
                try row("blocked") as String
                    == "One live_video_playlist, Three live_video_playlist, Two live_video_playlist")
            let plans: Int = try await transaction.one(
                "select max(calls) as n from pg_stat_xact_user_functions where funcname = 'plan'")("n")
            #expect(plans == 1)
        }
    }

    @Test("Nothing can be assigned to an archived category, but an entry keeps the one it has")
    func archived() async throws {
        let world = try await Blocked.make()
        let gone = try await world.category("Gone")
        let kept = try await world.article("Kept", in: [gone, SeedEntry.unsorted])
        _ = try await world.test.services.archiveCategory(gone, by: TestDatabase.administrator)
        let message = "The category \"Gone\" (\(gone)) is archived; choose another category."
        await #expect(throws: Failure.invalid(FieldErrors("/fields/categories", "archived", message))) {
            try await world.article("New", .approveOnly, in: [gone, SeedEntry.unsorted])
        }
        let newest = try #require(try await world.test.database.revisions.newest(of: kept))
        var fields = newest.content.fields
        fields["body"] = "<p>Edited.</p>"
        _ = try await world.write.edit(
            kept, fields: fields, base: 1, publishTiming: .now, by: TestDatabase.administrator)
        fields["categories"] = .array([.string(SeedEntry.unsorted.description)])
        _ = try await world.write.edit(
            kept, fields: fields, base: 2, publishTiming: .now, by: TestDatabase.administrator)
        fields["categories"] = newest.content.fields["categories"]
        await #expect(throws: Failure.self) {
            try await world.write.edit(kept, fields: fields, base: 3, by: TestDatabase.administrator)
        }
        // Published again, it can be used again.
        _ = try await world.write.publish(gone, number: 1, publishTiming: .now, by: TestDatabase.administrator)
        try await world.article("New", .approveOnly, in: [gone])
    }
}
