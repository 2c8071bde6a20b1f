// Tests that the preview of a date equals what readers see, or saw, on that date.
import Domain
import Operations
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Previews of other dates", .databases)
struct PreviewTests {
    /// Every row that readers see, by table and key, but what is gone: that names the publication, which a preview is not.
    private func rows(_ test: TestDatabase) async throws -> [String: String] {
        try await test.readSnapshot().filter { !$0.key.hasPrefix("tombstone ") }
    }

    /// The rows as they are now with the image of an instant laid over them.
    private func image(_ test: TestDatabase, at instant: String) async throws -> [String: String] {
        var found = try await rows(test)
        for row in try await test.client.query(
            """
            select read_table, key, content::text as row from curation.snapshot_at(\(instant)::timestamptz)
            where read_table <> 'tombstone'
            """)
        {
            found["\(try row("read_table") as String) \(try row("key") as String)"] = try row("row") as String?
        }
        return found
    }

    @Test("For random schedules the preview of a future date equals what is published then", arguments: [2, 9, 31])
    func future(seed: UInt64) async throws {
        let test = try await TestDatabase.make()
        var editor = RandomEditor(test: test, seed: seed)
        for _ in 1...8 { try await editor.action() }
        let compose = test.services.composeRelease
        for hour in 1...8 {
            var changes: [LiveChange] = []
            for _ in 0..<3 {
                if let change = try await editor.change(), !changes.contains(where: { $0.entry == change.entry }) {
                    changes.append(change)
                }
            }
            _ = try await compose.create(
                title: "hour \(hour)", items: changes, at: try WallTime(local: "2099-01-01T0\(hour):00", zone: "UTC"),
                by: TestDatabase.administrator)
        }
        // The first hour is due itself: a preview includes what is published at its date.
        var previews: [Int: [String: String]] = [:]
        for hour in [0, 3, 4, 8] { previews[hour] = try await image(test, at: "2099-01-01T0\(hour):00Z") }
        #expect(previews[0] == (try await rows(test)))
        #expect(try await test.database.publications.verify().isEmpty, "a preview leaves nothing behind")
        for hour in 1...8 {
            // The time comes: this release is due, the later ones are not.
            try await test.makeDue(try #require(try await test.database.releases.scheduled().first).number)
            #expect(try await test.services.publishRelease.due().count == 1)
            if let preview = previews[hour] { #expect(preview == (try await rows(test)), "hour \(hour)") }
        }
    }

    @Test("The preview of a past date equals what was published then", arguments: [4, 17])
    func past(seed: UInt64) async throws {
        let test = try await TestDatabase.make()
        var editor = RandomEditor(test: test, seed: seed)
        var seen: [(instant: String, rows: [String: String])] = []
        for _ in 1...12 {
            try await editor.action()
            let now: String = try await test.client.one("select clock_timestamp()::text as now")("now")
            // Old addresses only ever come to be; what was none then may be one now.
            seen.append((now, try await rows(test).filter { !$0.key.hasPrefix("redirect ") }))
        }
        for (instant, rows) in seen {
            let image = try await image(test, at: instant).filter { !$0.key.hasPrefix("redirect ") }
            #expect(image == rows, "at \(instant)")
        }
    }

    @Test("A link opens its preview until it expires or is revoked, and follows the schedule")
    func link() async throws {
        let test = try await TestDatabase.make()
        let previews = test.services.managePreview
        let administrator = TestDatabase.administrator
        let time = try WallTime(local: "2099-01-01T00:00", zone: "Europe/London")
        let (id, token) = try await previews.create(title: "New Year", at: time, days: 7, by: administrator)
        let opened = try await previews.open(token)
        #expect(opened?.id == id && opened?.isFuture == true)
        let editor = RandomEditor(test: test, seed: 1)
        let made = try await editor.write.create(
            type: "category",
            fields: ["title": "Coming", "group": .string(SeedEntry.topicGroup.description), "position": .int(1)],
            publishTiming: .now, by: administrator)
        let change = try await editor.article(in: made.entry)
        _ = try await test.services.composeRelease.create(
            title: "later", items: [change], at: time, by: administrator)
        #expect(try await test.database.previews.snapshot(of: id).changes(limit: 10).isEmpty)
        _ = try await previews.open(token)
        #expect(try await test.database.previews.snapshot(of: id).changes(limit: 10).map(\.kind) == ["new", "new"])
        #expect(try await previews.open(.make()) == nil)
        try await previews.revoke(id, by: administrator)
        #expect(try await previews.open(token) == nil)
        await #expect(throws: Failure.self) { try await previews.revoke(id, by: administrator) }
        for days in [0, 91] {
            await #expect(throws: Failure.self) {
                try await previews.create(title: "x", at: time, days: days, by: administrator)
            }
        }
        let curator = try await test.actor(.curator)
        await #expect(throws: Failure.self) { try await previews.create(title: "x", at: time, days: 1, by: curator) }
        let (short, other) = try await previews.create(title: "x", at: time, days: 90, by: administrator)
        try await test.writeUnchecked(
            """
            update curation.preview set created_at = now() - interval '2 days', expires_at = clock_timestamp()
            where id = \(short)
            """)
        #expect(try await previews.open(other) == nil)
        // What is over keeps no image; a month later it is gone.
        func sweep() async throws {
            try await test.database.transaction(by: administrator, AuditEvent("preview.remove", on: "preview")) {
                transaction in
                if try await transaction.previews.sweep() > 0 { try await transaction.previews.removeOld() }
            }
        }
        try await sweep()
        let kept: Int = try await test.client.one("select count(*) as n from curation.preview_row")("n")
        #expect(kept == 0)
        #expect(try await test.database.previews.find(short) != nil)
        try await test.writeUnchecked(
            """
            update curation.preview set created_at = now() - interval '60 days',
                expires_at = now() - interval '30 days 1 second' where id = \(short)
            """,
            """
            update curation.preview set expires_at = now() + interval '1 day', revoked_at = now() - interval '29 days'
            where id = \(id)
            """)
        try await sweep()
        #expect(try await test.database.previews.find(short) == nil)
        #expect(try await test.database.previews.find(id) != nil)
    }
}
