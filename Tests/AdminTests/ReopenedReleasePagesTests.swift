// Tests that the pages say that a change has opened a scheduled release: to its author and to the scheduler.
import Domain
import Operations
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Pages of reopened releases", .databases)
struct ReopenedReleasePagesTests {
    private static let time = [("action", "at"), ("local", "2999-12-05T09:00"), ("zone", "Europe/London")]
    private static let message =
        "Release 1 was scheduled for 2999-12-05 09:00 Europe/London. It is open again: check and schedule it."

    /// Release 1, scheduled by Pat, publishes the second version of the entry.
    private func scheduled(_ site: AdminFixture) async throws -> (entry: ID<Entry>, pat: Browser) {
        let entry = try await site.article("A walk")
        let number = try await site.test.services.composeRelease.create(
            title: "Spring", by: TestDatabase.administrator)
        try await site.edit(entry, ["title": "A long walk"], publishTiming: .release(number))
        let pat = try await site.browser(.publisher, name: "Pat")
        #expect(try await pat.post("/releases/1/schedule", Self.time).status == 303)
        return (entry, pat)
    }

    @Test("A removed entry: the message, the pages of releases, and the notifications of who scheduled it")
    func removed() async throws {
        let site = try await AdminFixture.make()
        let (entry, pat) = try await scheduled(site)
        #expect(try await pat.get("/releases/1").says("A change opens this release again, without its time."))
        let eve = try await site.browser(.publisher, name: "Eve")
        let page = try await eve.follow(try await eve.post("/releases/1/items/\(entry)/delete", []))
        #expect(page.says("Removed from this release. The entry is unchanged. \(Self.message)"))
        let later = try await eve.get("/releases/1")
        #expect(later.says("changed after it was scheduled for 2999-12-05 09:00 Europe/London"))
        #expect(!later.says("A change opens this release again"))
        #expect(try await eve.get("/releases").says("It was scheduled for 2999-12-05 09:00 Europe/London."))
        #expect(try await pat.get("/").says("Reopened releases"))
        #expect(try await !eve.get("/").says("Reopened releases"), "she scheduled nothing")
        #expect(try await eve.get("/").says("Eve reopened the scheduled release “Spring” by a change"))
        _ = try await pat.post("/entries/\(entry)/release", [("release", "1"), ("action", "publish")])
        #expect(try await pat.post("/releases/1/schedule", Self.time).status == 303)
        #expect(try await !pat.get("/").says("Reopened releases"))
        #expect(try await !pat.get("/releases/1").says("changed after it was scheduled"))
    }

    @Test("Adding from the page of an entry says what it opened, once")
    func edited() async throws {
        let site = try await AdminFixture.make()
        let (entry, pat) = try await scheduled(site)
        let added = try await pat.follow(
            try await pat.post("/entries/\(entry)/release", [("release", "1"), ("action", "unpublish")]))
        #expect(added.says(Self.message))
        // It is open, so that nothing is said about a further change.
        let again = try await pat.follow(
            try await pat.post("/entries/\(entry)/release", [("release", "1"), ("action", "publish")]))
        #expect(again.says("added to release 1") && !again.says("It is open again"))
    }

    @Test("An editor can't change what is scheduled, which its page says")
    func editor() async throws {
        let site = try await AdminFixture.make()
        let (entry, _) = try await scheduled(site)
        let editor = try await site.browser(.editor)
        let page = try await editor.get("/releases/1")
        #expect(page.says("Only someone who may publish can change a scheduled release."))
        #expect(try await editor.post("/releases/1/items/\(entry)/delete", []).status == 403)
        #expect(try await site.test.database.releases.find(number: 1)?.state == .scheduled)
    }
}
