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

    @Test("S47: a page with 64 KiB of text is written away from the event loop, a shorter one at once")
    func pages() async throws {
        let context = try await AdminFixture.make().context
        func isUnwritten(_ bytes: Int) throws -> Bool {
            // The language and the id of the input count, too.
            let input = RejectedInput(0, "", String(repeating: "a", count: bytes - 11))
            let page = FailurePage(
                heading: "", messages: [], requestID: "", inputs: [input], isCut: false, unsaved: nil, isForStaff: true)
            let response = try context.page("admin/failure", page, status: 422)
            #expect(response.status == 422)
            if case .unwritten = response.body { return true }
            return false
        }
        #expect(try !isUnwritten(65_535))
        #expect(try isUnwritten(65_536))
    }

    @Test("A refused form with a long text, in marks that are escaped, comes back whole")
    func refused() async throws {
        let (_, visit) = try await AdminFixture.visited(by: .publisher)
        let text = String(repeating: "a & \"b\" < 'c'\n", count: 6000)
        let open = try await visit.get("/entries/new?type=article")
        let refused = try await visit.fill(
            open, "/entries", [("field.title", ""), ("field.summary", text), ("action", "draft")])
        #expect(refused.status == 422)
        #expect(refused.form(to: "/entries").first { $0.0 == "field.summary" }?.1 == text)
    }
}
