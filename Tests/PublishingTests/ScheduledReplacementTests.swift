// Tests that a scheduled release never replaces a newer version that was published after its schedule was confirmed.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("What a scheduled release replaces", .databases)
struct ScheduledReplacementTests {
    /// An article that is published in version 1, and a release with version 2.
    private struct Prepared: World {
        let test: TestDatabase
        let compose: ComposeRelease
        let publish: PublishRelease
        let entry: ID<Entry>
        let number: Int64
        let time: WallTime

        static func make() async throws -> Prepared {
            let test = try await TestDatabase.make()
            let compose = test.services.composeRelease
            let entry = try await test.article("First")
            let number = try await compose.create(title: "Spring", by: TestDatabase.administrator)
            try await test.edit(entry, ["title": "Second"], publishTiming: .release(number))
            return Prepared(
                test: test, compose: compose, publish: test.services.publishRelease, entry: entry,
                number: number, time: try WallTime(local: "2999-01-01T00:00", zone: "UTC"))
        }

        @discardableResult
        func schedule(replacesNewer: Bool = false) async throws -> ComposeRelease.ScheduleNotes {
            try await compose.schedule(
                number, at: time, replacesNewer: replacesNewer, by: TestDatabase.administrator)
        }

        /// Publishes one more version.
        func publishNewer(title: JSONValue = "Newer") async throws {
            try await edit(entry, ["title": title], publishTiming: .now)
        }

        /// Lets the time of the release come, and returns why it failed.
        func failure(of release: Int64? = nil) async throws -> String? {
            try await makeDue(release ?? number)
            let due = try await publish.due()
            #expect(due.count == 1)
            return due.first?.failure
        }

        /// The number of the published version.
        func live() async throws -> Int? { try await test.database.revisions.live(of: entry)?.number }

        func publication() async throws -> Int64 { try await test.database.publications.current() }
    }

    private let refusal = Failure.refused(
        code: "replaces_newer",
        message: "A newer version of 1 entry is published. Confirm that this release replaces it.")

    @Test("A newer version published after scheduling stays, and the release fails; rescheduling asks and replaces it")
    func unconfirmed() async throws {
        let prepared = try await Prepared.make()
        try await prepared.schedule()
        try await prepared.publishNewer()
        let before = try await prepared.publication()
        #expect(try await prepared.failure()?.contains("\"replaces_newer\"") == true)
        #expect(try await prepared.live() == 3)
        #expect(try await prepared.publication() == before)
        let failed = try #require(try await prepared.test.database.releases.find(number: prepared.number))
        #expect(failed.state == .failed && failed.failedEntry == prepared.entry)
        #expect(
            failed.failure
                == "Article \"Newer\" (\(prepared.entry)): A newer version was published after scheduling. "
                + "Remove the entry, or reschedule and confirm.")
        let notified: Int = try await prepared.test.client.one(
            "select count(*) as n from ops.task where kind = 'notify_failure'")("n")
        #expect(notified == 1)

        await #expect(throws: refusal) { try await prepared.schedule() }
        try await prepared.schedule(replacesNewer: true)
        #expect(try await prepared.failure() == nil)
        #expect(try await prepared.live() == 2)
        #expect(try await prepared.isVerified())
    }

    @Test("What was confirmed is replaced, exactly; another newer version is not", arguments: [false, true])
    func confirmed(isPublishedAgain: Bool) async throws {
        let prepared = try await Prepared.make()
        try await prepared.publishNewer()
        await #expect(throws: refusal) { try await prepared.schedule() }
        let notes = try await prepared.schedule(replacesNewer: true).notes
        #expect(notes == ["This release replaces newer versions of 1 entry."])
        if isPublishedAgain { try await prepared.publishNewer(title: "Newest") }
        let failure = try await prepared.failure()
        #expect((failure != nil) == isPublishedAgain)
        #expect(try await prepared.live() == (isPublishedAgain ? 4 : 2))
    }

    @Test("A confirmation ends when the release is scheduled again without one")
    func endsWithSchedule() async throws {
        let prepared = try await Prepared.make()
        let first = try await prepared.publication()
        try await prepared.publishNewer()
        let newer = try await prepared.publication()
        try await prepared.schedule(replacesNewer: true)
        let administrator = TestDatabase.administrator
        _ = try await prepared.publish.rollback(to: first, seen: nil, by: administrator)
        #expect(try await prepared.live() == 1)
        try await prepared.schedule()
        _ = try await prepared.publish.rollback(to: newer, seen: nil, by: administrator)
        #expect(try await prepared.live() == 3)
        #expect(try await prepared.failure() != nil)
        #expect(try await prepared.live() == 3)
    }

    @Test(
        "Nothing newer is published: unpublished, rolled back, or the same version",
        arguments: ["unpublished", "rolled back", "same"])
    func nothingNewer(change: String) async throws {
        let prepared = try await Prepared.make()
        try await prepared.schedule()
        let administrator = TestDatabase.administrator
        switch change {
        case "unpublished": try await prepared.unpublish(prepared.entry)
        case "rolled back":
            let before = try await prepared.publication()
            try await prepared.publishNewer()
            _ = try await prepared.publish.rollback(to: before, seen: nil, by: administrator)
        default:
            _ = try await prepared.write.publish(
                prepared.entry, number: 2, publishTiming: .now, by: administrator)
        }
        #expect(try await prepared.failure() == nil)
        #expect(try await prepared.live() == 2)
    }

    @Test("An older version published after scheduling is replaced: the release's own is based on it")
    func olderIsReplaced() async throws {
        let prepared = try await Prepared.make()
        let administrator = TestDatabase.administrator
        let other = try await prepared.compose.create(title: "Summer", by: administrator)
        try await prepared.edit(prepared.entry, ["title": "Third"], publishTiming: .release(other))
        _ = try await prepared.publish.release(prepared.number, seen: nil, by: administrator)
        #expect(try await prepared.live() == 2)
        #expect(try await prepared.compose.schedule(other, at: prepared.time, by: administrator).notes.isEmpty)
        #expect(try await prepared.failure(of: other) == nil)
        #expect(try await prepared.live() == 3)
    }

    @Test("An unpublishing asks when it is scheduled, and applies to any version at its time")
    func unpublishing() async throws {
        let prepared = try await Prepared.make()
        let administrator = TestDatabase.administrator
        let number = try await prepared.compose.create(
            title: "Expires", items: [LiveChange(entry: prepared.entry, revision: nil)], by: administrator)
        try await prepared.publishNewer()
        await #expect(throws: refusal) {
            try await prepared.compose.schedule(number, at: prepared.time, by: administrator)
        }
        try await prepared.compose.schedule(number, at: prepared.time, replacesNewer: true, by: administrator)
        try await prepared.publishNewer(title: "Newest")
        #expect(try await prepared.failure(of: number) == nil)
        #expect(try await prepared.live() == nil)
    }

    @Test("Every way to schedule a version keeps a newer one", arguments: ["create", "edit", "publish", "approve"])
    func ways(way: String) async throws {
        let test = try await TestDatabase.make()
        let time = PublishTiming.at(try WallTime(local: "2999-01-01T00:00", zone: "UTC"))
        let administrator = TestDatabase.administrator
        let entry = try await test.article("First")
        switch way {
        case "edit": try await test.edit(entry, ["title": "Second"], publishTiming: time)
        case "publish":
            try await test.edit(entry, ["title": "Second"], publishTiming: .approveOnly)
            _ = try await test.write.publish(entry, number: 2, publishTiming: time, by: administrator)
        case "approve":
            try await test.edit(entry, ["title": "Second"], publishTiming: .draft)
            _ = try await test.write.approve(entry, number: 2, publishTiming: time, by: administrator)
        default:
            try await test.edit(entry, ["title": "Second"], publishTiming: .approveOnly)
            let second = try await test.database.revisions.newest(of: entry)?.id
            _ = try await test.services.composeRelease.create(
                title: "Spring", items: [LiveChange(entry: entry, revision: second)], at: time.time,
                by: administrator)
        }
        let release = try #require(try await test.database.releases.scheduled().first)
        try await test.edit(entry, ["title": "Newer"], publishTiming: .now)
        try await test.makeDue(release.number)
        #expect(try await test.services.publishRelease.due().map { $0.failure == nil } == [false])
        #expect(try await test.database.revisions.live(of: entry)?.number == 3)
    }

    @Test("A preview shows what will happen: nothing, unless the release replaces newer versions")
    func preview() async throws {
        let prepared = try await Prepared.make()
        func changes() async throws -> Int {
            try await prepared.test.client.one(
                "select count(*) as n from curation.snapshot_at('2999-01-01T00:00Z'::timestamptz)")("n")
        }
        func schedule() async throws -> String {
            try await prepared.test.client.one(
                "select curation.schedule_until('2999-01-01T00:00Z'::timestamptz) as digest")("digest")
        }
        try await prepared.schedule()
        #expect(try await changes() > 0)
        try await prepared.publishNewer()
        #expect(try await changes() == 0)
        let before = try await schedule()
        try await prepared.schedule(replacesNewer: true)
        #expect(try await changes() > 0)
        #expect(try await schedule() != before, "an open preview is computed again")
    }

    @Test("Releases that were scheduled before the migration replace what was published at it")
    func migrated() async throws {
        let prepared = try await Prepared.make()
        try await prepared.schedule()
        try await prepared.publishNewer()
        let owner = prepared.test.superuser()
        try await owner.run(
            script: """
                begin;
                alter table curation.release_item drop column confirmed_revision;
                delete from vitrine.migration where name = 'core/confirmed_revisions';
                commit;
                """)
        let folder = TestDatabase.packageRoot + "/Config/content-types"
        try await Schema(client: owner, roles: try #require(TestDatabase.roles), packs: TestDatabase.packs).migrate(
            types: try ContentTypes(folder: folder, packs: TestDatabase.packs), version: "test")
        #expect(try await prepared.failure() == nil)
        #expect(try await prepared.live() == 2)
    }
}
