// Tests that a change of its contents opens a scheduled release, and that somebody says so.
import Domain
import Operations
import Store
import TestSupport
import Testing

@Suite("Scheduled releases that change", .databases)
struct ReopenedReleaseTests {
    /// A release with the second version of an article, scheduled by a publisher.
    private struct Prepared: World {
        let test: TestDatabase
        let compose: ComposeRelease
        let publisher: Actor
        let entry: ID<Entry>
        let number: Int64
        let time: WallTime

        static func make() async throws -> Prepared {
            let test = try await TestDatabase.make()
            let compose = test.services.composeRelease
            let publisher = try await test.actor(.publisher)
            let entry = try await test.article("First")
            let number = try await compose.create(title: "Spring", by: publisher)
            try await test.edit(entry, ["title": "Second"], publishTiming: .release(number))
            let prepared = Prepared(
                test: test, compose: compose, publisher: publisher, entry: entry, number: number,
                time: try WallTime(local: "2999-12-05T09:00", zone: "Europe/London"))
            try await prepared.schedule()
            return prepared
        }

        func schedule() async throws { try await compose.schedule(number, at: time, by: publisher) }

        func release() async throws -> ReleaseRow {
            try #require(try await test.database.releases.find(number: number))
        }

        func newest() async throws -> LiveChange {
            LiveChange(entry: entry, revision: try await test.database.revisions.newest(of: entry)?.id)
        }

        /// The messages of a request that does this.
        func messages(_ body: () async throws -> Void) async throws -> [String] {
            let reopened = ReopenedReleases()
            try await ReopenedReleases.$current.withValue(reopened) { try await body() }
            return reopened.messages
        }

        func events() async throws -> [String] {
            try await test.client.query(
                """
                select action from ops.audit_event
                where object_type = 'release' and object_id = \(String(number)) order by id
                """
            ).map { try $0("action") }
        }
    }

    private static let message =
        "Release 1 was scheduled for 2999-12-05 09:00 Europe/London. It is open again: check and schedule it."

    @Test(
        "Every change of its contents opens a scheduled release, which says so",
        arguments: ["add", "unpublish", "version", "edit", "waiting", "remove", "move"])
    func opens(change: String) async throws {
        let prepared = try await Prepared.make()
        let other = try await prepared.article("Other", .approveOnly)
        if change == "version" {
            try await prepared.edit(prepared.entry, ["title": "Third"], publishTiming: .approveOnly)
        }
        let unpublishing = LiveChange(entry: other, revision: nil)
        let newest = try await prepared.newest()
        let messages = try await prepared.messages {
            let (compose, number, publisher) = (prepared.compose, prepared.number, prepared.publisher)
            switch change {
            case "add": try await compose.add([unpublishing], to: number, by: publisher)
            case "unpublish":
                try await compose.add([LiveChange(entry: prepared.entry, revision: nil)], to: number, by: publisher)
            case "version": try await compose.add([newest], to: number, by: publisher)
            case "edit":
                try await prepared.edit(
                    prepared.entry, ["title": "Third"], publishTiming: .release(number), by: publisher)
            case "waiting": _ = try await compose.addWaiting(to: number, by: publisher)
            case "remove": try await compose.remove(prepared.entry, from: number, by: publisher)
            default:
                _ = try await compose.move([prepared.entry], from: number, to: .new(title: "Later"), by: publisher)
            }
        }
        #expect(messages == [Self.message])
        let release = try await prepared.release()
        #expect(release.state == .open && release.localTime == nil && release.dueAt == nil)
        #expect(release.reopenedFrom == "2999-12-05 09:00 Europe/London")
        #expect(try await prepared.events().last == "release.reopen")
        #expect(try await prepared.test.database.releases.scheduled().isEmpty)
        #expect(try await prepared.test.services.publishRelease.due().isEmpty)
        let asked: Int = try await prepared.test.client.one(
            """
            select count(*) as n from curation.release
            where reopened_local is not null and scheduled_by = \(prepared.publisher.rowID)
            """)("n")
        #expect(asked == 1)
    }

    @Test("What changes nothing leaves a release scheduled: the same version, an approval, a change that is refused")
    func stays() async throws {
        let prepared = try await Prepared.make()
        let (compose, number, publisher) = (prepared.compose, prepared.number, prepared.publisher)
        let other = try await prepared.article("Other", .draft)
        let messages = try await prepared.messages {
            try await compose.add([prepared.newest()], to: number, by: publisher)
            _ = try await compose.addWaiting(to: number, by: publisher)
            await #expect(throws: Failure.missing("entry")) {
                try await compose.remove(other, from: number, by: publisher)
            }
            await #expect(throws: Failure.self) {
                _ = try await compose.move([prepared.entry], from: number, to: .release(number), by: publisher)
            }
            _ = try await prepared.write.approve(other, number: 1, publishTiming: .approveOnly, by: publisher)
        }
        #expect(messages.isEmpty)
        let release = try await prepared.release()
        #expect(release.state == .scheduled && release.reopenedFrom == nil)
        #expect(try await !prepared.events().contains("release.reopen"))
    }

    @Test("A change whose transaction failed leaves a release scheduled, and says nothing")
    func rolledBack() async throws {
        let prepared = try await Prepared.make()
        let (database, publisher, entry) = (prepared.test.database, prepared.publisher, prepared.entry)
        let release = try await prepared.release().id
        let messages = try await prepared.messages {
            await #expect(throws: Failure.missing("entry")) {
                try await database.transaction(by: publisher, AuditEvent("release.add", on: "release", "1")) {
                    try await $0.add([LiveChange(entry: entry, revision: nil)], to: release)
                    throw Failure.missing("entry")
                }
            }
        }
        #expect(messages.isEmpty)
        #expect(try await prepared.release().state == .scheduled)
    }

    @Test("A change that was taken back doesn't schedule the release; scheduling it ends the message")
    func takenBack() async throws {
        let prepared = try await Prepared.make()
        let (compose, number, publisher) = (prepared.compose, prepared.number, prepared.publisher)
        let other = LiveChange(entry: try await prepared.article("Other"), revision: nil)
        try await compose.add([other], to: number, by: publisher)
        let messages = try await prepared.messages {
            try await compose.remove(other.entry, from: number, by: publisher)
        }
        #expect(messages.isEmpty, "it is open already")
        #expect(try await prepared.release().state == .open)
        try await prepared.schedule()
        let release = try await prepared.release()
        #expect(release.state == .scheduled && release.reopenedFrom == nil)
    }

    @Test(
        "An undone approval opens the release that somebody scheduled, if a publisher undoes it",
        arguments: [Role.curator, .publisher])
    func undone(role: Role) async throws {
        let prepared = try await Prepared.make()
        let database = prepared.test.database
        let client = try await prepared.test.clientActor()
        let person = try await prepared.test.actor(role, name: "Dee")
        let submission = try await prepared.submit(by: client)
        let draft = Decision.Draft(verdict: .approve, publishTiming: .approveOnly)
        let outcome = try await prepared.test.services.decideSubmission(submission, draft, version: 0, by: person)
        let entry = try #require(outcome.change?.entry)
        let newest = try await database.revisions.newest(of: entry)
        try await prepared.compose.add(
            [LiveChange(entry: entry, revision: newest?.id)], to: prepared.number, by: prepared.publisher)
        try await prepared.schedule()
        let messages = try await prepared.messages {
            try await prepared.test.services.undoDecision(submission, version: 1, by: person)
        }
        let release = try await prepared.release()
        #expect(release.items == 1)
        #expect((release.state == .open) == person.may(.publish), "nobody unschedules what they could not schedule")
        #expect(messages == (person.may(.publish) ? [Self.message] : []))
    }
}
