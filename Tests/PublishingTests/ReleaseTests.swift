// Tests releases: atomic, exactly as planned, with conflicts reported; and rollbacks to any publication.
import Domain
import Operations
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Releases and rollbacks", .databases)
struct ReleaseTests {
    private struct Shelf: World {
        let test: TestDatabase
        let compose: ComposeRelease
        let publish: PublishRelease

        static func make() async throws -> Shelf {
            let test = try await TestDatabase.make()
            return Shelf(
                test: test, compose: test.services.composeRelease,
                publish: test.services.publishRelease)
        }

        /// Writes a new version with another title, approved or not: what a release would show.
        func retitle(_ id: ID<Entry>, _ title: String, _ publishTiming: PublishTiming = .approveOnly) async throws
            -> LiveChange
        {
            try await edit(id, ["title": .string(title)], publishTiming: publishTiming)
            return LiveChange(entry: id, revision: try await test.database.revisions.newest(of: id)?.id)
        }

        func titles() async throws -> [String] {
            try await test.client.query("select title from api_v1.item order by title").map { try $0("title") }
        }

        func id(of number: Int64) async throws -> ID<Release> {
            guard let release = try await test.database.releases.find(number: number) else {
                throw Failure.missing("release")
            }
            return release.id
        }
    }

    private let anyone = TestDatabase.administrator

    @Test("A release publishes and unpublishes all its entries in one publication")
    func together() async throws {
        let shelf = try await Shelf.make()
        let (kept, gone) = (try await shelf.article("Kept"), try await shelf.article("Gone"))
        let new = try await shelf.article("New", .approveOnly)
        let changes = [
            try await shelf.retitle(kept, "Edited"), LiveChange(entry: gone, revision: nil),
            LiveChange(entry: new, revision: try await shelf.test.database.revisions.newest(of: new)?.id),
        ]
        let number = try await shelf.compose.create(title: "All", items: changes, by: anyone)
        #expect(try await shelf.titles() == ["Gone", "Kept"])
        let plan = try await shelf.publish.plan(.release(try await shelf.id(of: number)))
        let publication = try await shelf.publish.release(number, seen: plan.digest, by: anyone)
        #expect(try await shelf.titles() == ["Edited", "New"])
        let row = try await shelf.test.database.releases.find(number: number)
        #expect(row?.state == .published && row?.publication == publication && publication != nil)
        let written: [Int] = try await shelf.test.client.one(
            "select array[inserted, updated, deleted] as rows from curation.publication where number = \(publication ?? 0)"
        )("rows")
        #expect(written == [plan.inserted, plan.updated, plan.deleted])
        await #expect(throws: (any Error).self) { try await shelf.publish.release(number, seen: nil, by: anyone) }
        #expect(try await shelf.test.database.publications.verify().isEmpty)
    }

    @Test("Only the plan that was seen is published: a changed plan is refused, and nothing changes")
    func moved() async throws {
        let shelf = try await Shelf.make()
        let id = try await shelf.article("First")
        let number = try await shelf.compose.create(
            title: "Second", items: [try await shelf.retitle(id, "Second")], by: anyone)
        let release = try await shelf.id(of: number)
        let seen = try await shelf.publish.plan(.release(release)).digest
        // Another publication that leaves these rows alone does not matter.
        _ = try await shelf.article("Elsewhere")
        #expect(try await shelf.publish.plan(.release(release)).digest == seen)
        // One that is about them does: the title before is another.
        _ = try await shelf.retitle(id, "Between", .now)
        let before = try await shelf.test.database.publications.current()
        do {
            _ = try await shelf.publish.release(number, seen: seen, by: anyone)
            Issue.record("it was published")
        } catch Failure.conflict(let code, _) {
            #expect(code == "plan_changed")
        }
        #expect(try await shelf.test.database.publications.current() == before)
        #expect(try await shelf.test.database.releases.find(number: number)?.state == .open)
        let again = try await shelf.publish.plan(.release(release)).digest
        #expect(again != seen)
        #expect(try await shelf.publish.release(number, seen: again, by: anyone) == before + 1)
    }

    @Test("R24: an unapproved version blocks its release")
    func unapproved() async throws {
        let shelf = try await Shelf.make()
        let id = try await shelf.article("First")
        let number = try await shelf.compose.create(
            title: "Edit", items: [try await shelf.retitle(id, "Draft", .draft)], by: anyone)
        let release = try await shelf.id(of: number)
        #expect(try await shelf.test.database.releaseItems.checks(of: release).unapproved == 1)
        await #expect(throws: Failure.self) { try await shelf.publish.release(number, seen: nil, by: anyone) }
        await #expect(throws: Failure.self) { try await shelf.publish.plan(.release(release)) }
        #expect(try await shelf.titles() == ["First"])
        _ = try await shelf.write.approve(id, number: 2, by: anyone)
        #expect(try await shelf.test.database.releaseItems.checks(of: release).unapproved == 0)
        #expect(try await shelf.publish.release(number, seen: nil, by: anyone) != nil)
        #expect(try await shelf.titles() == ["Draft"])
    }

    @Test("Two releases of one entry, and a changed published version, are reported")
    func contested() async throws {
        let shelf = try await Shelf.make()
        let id = try await shelf.article("First")
        let one = try await shelf.compose.create(
            title: "One", items: [try await shelf.retitle(id, "From one")], by: anyone)
        #expect(try await shelf.test.database.releaseItems.checks(of: shelf.id(of: one)).contested == 0)
        let two = try await shelf.compose.create(
            title: "Two", items: [try await shelf.retitle(id, "From two")], by: anyone)
        let item = try await shelf.test.database.releaseItems.find(id, in: shelf.id(of: one))
        #expect(item?.others == [two] && item?.isOutdated == true && item?.hasMoved == false)
        _ = try await shelf.publish.release(two, seen: nil, by: anyone)
        let after = try await shelf.test.database.releaseItems.find(id, in: shelf.id(of: one))
        #expect(after?.others == [] && after?.hasMoved == true)
        #expect(after?.base == 1 && after?.live == 3 && after?.revision == 2)
    }

    @Test("An entry has several scheduled versions, each published at its time, in order")
    func futures() async throws {
        let shelf = try await Shelf.make()
        let id = try await shelf.article("Now")
        for (title, time) in [("Second", "2020-01-02T00:00"), ("Third", "2020-01-03T00:00")] {
            let number = try await shelf.compose.create(
                title: title, items: [try await shelf.retitle(id, title)], by: anyone)
            try await shelf.makeDue(number, at: time)
        }
        let expires = try await shelf.compose.create(
            title: "expires", items: [LiveChange(entry: id, revision: nil)], by: anyone)
        try await shelf.makeDue(expires, at: "2020-01-04T00:00")
        #expect(try await shelf.publish.due(limit: 1).count == 1)
        #expect(try await shelf.titles() == ["Second"])
        #expect(try await shelf.publish.due(limit: 1).count == 1)
        #expect(try await shelf.titles() == ["Third"])
        #expect(try await shelf.publish.due(limit: 5).count == 1)
        #expect(try await shelf.titles() == [])
        #expect(try await shelf.publish.due().isEmpty)
    }

    @Test("R19: a scheduled release that violates a rule fails with a readable reason")
    func reason() async throws {
        let shelf = try await Shelf.make()
        let id = try await shelf.article("First")
        let draft = try await shelf.compose.create(
            title: "Draft", items: [try await shelf.retitle(id, "Draft", .draft)], by: anyone)
        let bare = try await shelf.compose.create(
            title: "Bare", items: [LiveChange(entry: SeedEntry.unsorted, revision: nil)], by: anyone)
        for number in [draft, bare] { try await shelf.makeDue(number) }
        #expect(try await shelf.publish.due().count == 2)
        #expect(
            try await shelf.test.database.releases.find(number: draft)?.failure
                == "Article \"Draft\" (\(id)): Only approved revisions can be published.")
        let failed = try #require(try await shelf.test.database.releases.find(number: bare))
        #expect(failed.failedEntry == id)
        #expect(failed.failure?.hasPrefix("Article \"Draft\" (\(id)): Categories: every published item needs") == true)
        #expect(try await shelf.titles() == ["First"])
    }

    @Test("A failed release is fixed, then rescheduled or published; an edit opens it again")
    func retry() async throws {
        let shelf = try await Shelf.make()
        let id = try await shelf.article("First")
        let draft = try await shelf.retitle(id, "Second", .draft)
        var numbers: [Int64] = []
        for title in ["again", "now", "edited", "canceled"] {
            numbers.append(try await shelf.compose.create(title: title, items: [draft], by: anyone))
        }
        for number in numbers { try await shelf.makeDue(number) }
        #expect(try await shelf.publish.due().allSatisfy { $0.failure != nil })
        func state(_ number: Int64) async throws -> ReleaseState? {
            let release = try await shelf.test.database.releases.find(number: number)
            #expect((release?.failure != nil) == (release?.state == .failed))
            return release?.state
        }
        #expect(try await state(numbers[0]) == .failed)
        _ = try await shelf.write.approve(id, number: 2, by: anyone)
        let coming = try WallTime(local: "2999-01-01T00:00", zone: "UTC")
        try await shelf.compose.schedule(numbers[0], at: coming, was: "2020-01-01 00:00 UTC", by: anyone)
        #expect(try await state(numbers[0]) == .scheduled)
        try await shelf.makeDue(numbers[0])
        #expect(try await shelf.publish.due().map { $0.failure == nil } == [true])
        #expect(try await shelf.titles() == ["Second"])
        _ = try await shelf.publish.release(numbers[1], seen: nil, by: anyone)
        #expect(try await state(numbers[1]) == .published)
        try await shelf.compose.remove(id, from: numbers[2], by: try await shelf.test.actor(.editor))
        #expect(try await state(numbers[2]) == .open)
        try await shelf.compose.cancel(numbers[3], by: anyone)
        #expect(try await state(numbers[3]) == .canceled)
    }

    @Test("R22: an editor can't change a scheduled release by any way, but an open one")
    func scheduledIsClosed() async throws {
        let shelf = try await Shelf.make()
        let (kept, gone) = (try await shelf.article("Kept"), try await shelf.article("Gone"))
        let editor = try await shelf.test.actor(.editor)
        let time = try WallTime(local: "2999-01-01T00:00", zone: "UTC")
        let edit = try await shelf.retitle(kept, "Edited")
        let number = try await shelf.compose.create(title: "Spring", items: [edit], at: time, by: anyone)
        let unpublish = LiveChange(entry: gone, revision: nil)
        let refusal = Failure.forbidden(
            "Release \(number) is scheduled, so only a publisher can change it. Use another release, or ask a publisher to "
                + "unschedule it.")
        await #expect(throws: refusal) { try await shelf.compose.add([unpublish], to: number, by: editor) }
        await #expect(throws: refusal) { try await shelf.compose.remove(kept, from: number, by: editor) }
        await #expect(throws: refusal) { _ = try await shelf.compose.addWaiting(to: number, by: editor) }
        await #expect(throws: refusal) {
            _ = try await shelf.test.services.archiveCategory(
                try await shelf.category("Other"), .release(number), by: editor)
        }
        #expect(try await shelf.test.database.releases.find(number: number)?.items == 1)
        try await shelf.compose.add([unpublish], to: number, by: try await shelf.test.actor(.publisher))
        try await shelf.compose.schedule(number, at: nil, by: anyone)
        try await shelf.compose.remove(gone, from: number, by: editor)
        #expect(try await shelf.test.database.releases.find(number: number)?.items == 1)
    }

    @Test("Empty, finished and unknown releases are refused; an editor can create but not publish one")
    func refused() async throws {
        let shelf = try await Shelf.make()
        let editor = try await shelf.test.actor(.editor)
        let number = try await shelf.compose.create(title: " Empty ", by: editor)
        #expect(try await shelf.test.database.releases.find(number: number)?.title == "Empty")
        await #expect(
            throws: Failure.refused(code: "release_empty", message: "Release \(number) is empty.")
        ) {
            try await shelf.publish.release(number, seen: nil, by: anyone)
        }
        await #expect(throws: Failure.forbidden("You may not publish releases.")) {
            try await shelf.publish.release(number, seen: nil, by: editor)
        }
        await #expect(throws: Failure.missing("release")) { try await shelf.publish.release(99, seen: nil, by: anyone) }
        await #expect(throws: Failure.self) { try await shelf.compose.create(title: " ", by: editor) }
        await #expect(throws: Failure.self) {
            try await shelf.compose.create(title: String(repeating: "x", count: 301), by: editor)
        }
        try await shelf.compose.cancel(number, by: anyone)
        await #expect(throws: Failure.self) { try await shelf.compose.add([], to: number, by: editor) }
        await #expect(throws: Failure.self) { try await shelf.compose.cancel(number, by: anyone) }
    }

    /// The rows of every table that readers see, but the log, what is gone, and old addresses: those only grow.
    private func image(_ test: TestDatabase) async throws -> [String] {
        var rows: [String] = []
        for table in TestDatabase.packs.projectedTables where table != "tombstone" && table != "redirect" {
            rows += try await test.client.query("select t::text as row from api_v1.\(raw: table) t order by 1").map {
                "\(table) \(try $0("row") as String)"
            }
        }
        return rows
    }

    @Test("R23: after any actions, rolling back makes the read tables what they were, row for row", arguments: [5, 23])
    func back(seed: UInt64) async throws {
        let test = try await TestDatabase.make()
        var editor = RandomEditor(test: test, seed: seed)
        var images: [Int64: [String]] = [:]
        for _ in 1...25 {
            try await editor.action()
            images[try await test.database.publications.current()] = try await image(test)
        }
        let publish = test.services.publishRelease
        // Zigzag: each way back is itself something to go back over.
        var random = SeededGenerator(seed: seed)
        for number in images.keys.sorted().filter({ $0 > 0 }).shuffled(using: &random).prefix(8) {
            let plan = try await publish.plan(.rollback(to: number))
            let publication = try await publish.rollback(to: number, seen: plan.digest, by: TestDatabase.administrator)
            #expect(try await image(test) == images[number], "back to \(number)")
            #expect((publication == nil) == (plan.total == 0))
            #expect(try await test.database.publications.verify().isEmpty)
        }
        await #expect(throws: Failure.missing("publication")) {
            try await publish.rollback(to: 9999, seen: nil, by: TestDatabase.administrator)
        }
    }
}
