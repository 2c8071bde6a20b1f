// Tests that long forms, and pages that show them again, don't keep others from the event loop.
import Domain
import HTTP
import Platform
import Store
import TestBasics
import TestSupport
import Testing

@testable import Admin

@Suite("Long forms", .databases)
struct LongFormTests {
    @Test("S47: a long form that creates something waits for its turn to be hashed, and is carried out once")
    func turns() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .publisher)
        let open = try await visit.get("/entries/new?type=article")
        let words = String(repeating: "harbour ", count: 10_000)
        func send(_ body: String) async throws -> BrowserPage {
            try await visit.fill(
                open, "/entries",
                [
                    ("field.title", "Ten cafés"), ("field.body", body),
                    ("field.categories", SeedEntry.unsorted.description), ("action", "draft"),
                ])
        }
        func count() async throws -> Int {
            try await site.test.client.one(
                "select count(*)::int as n from ops.audit_event where action = 'entry.create'")("n")
        }
        let before = try await count()
        let held = await HeldTurn(in: Quotas.checksums)
        let opener = Task {
            await until("the form waits") { Quotas.checksums.waitingCount > 0 }
            try await held.end()
        }
        let first = try await send(words)
        try await opener.value
        #expect(first.status == 303)
        #expect(try await send(words).location == first.location)
        #expect(try await count() == before + 1)
        // As long as the first, and different at the end only.
        #expect(try await send(String(words.dropLast()) + "!").location != first.location)
    }
}
