// Tests what pages show of the external classifier: its answers beside our score, and its status.
import Domain
import Operations
import Platform
import Store
import TestSupport
import Testing

@Suite("External classifier on pages", .databases)
struct ClassifierPagesTests {
    private static let settings = [
        "VITRINE_CLASSIFIER_URL": "https://classifier.example.org/classify",
        "VITRINE_CLASSIFIER_SECRET": SigningSecret(key: [UInt8](repeating: 1, count: 32)).text,
        "VITRINE_CLASSIFIER_PER_HOUR": "600",
    ]
    private static let limits = ClassifierLimits(
        perHour: 600, perDay: 5000, cacheSeconds: 0, timeoutMilliseconds: 2000)

    private func screened(_ fixture: AdminFixture) async throws -> ID<Submission> {
        let id = try await fixture.submit()
        _ = try await fixture.test.database.work(as: Actor(kind: .system, name: "schedule")) {
            try await ScreenSubmissions.screen(fixture.test.rules, isClassified: true, $0)
        }
        return id
    }

    private func claim(_ fixture: AdminFixture) async throws -> ClaimedClassification {
        let store = fixture.test.database.classifications
        let claimed = try #require(try await store.claim(Self.limits))
        #expect(try await store.admit(claimed, hash: [UInt8](repeating: 1, count: 32), Self.limits) == .call)
        return claimed
    }

    @Test("The review page shows no answer yet, then score, reasons and service beside the risk; markup is escaped")
    func review() async throws {
        let fixture = try await AdminFixture.make(settings: Self.settings)
        let id = try await screened(fixture)
        let browser = try await fixture.browser(.curator)
        let waiting = try await browser.visit("/queue/\(id)")
        #expect(waiting.says("External classifier") && waiting.says("No answer yet") && waiting.says("Risk:"))
        _ = try await fixture.test.database.classifications.record(
            claim(fixture),
            ClassifierResponse(score: 82, reasons: ["<script>alert(1)</script>"], name: "acme", version: "<b>3</b>"),
            milliseconds: 5)
        let page = try await browser.visit("/queue/\(id)")
        #expect(page.says("External classifier: 82") && page.says("<script>alert(1)</script>"))
        #expect(page.says("acme <b>3</b>, answered") && !page.says("No answer yet"))
        #expect(page.html.contains("&lt;script&gt;alert(1)") && !page.html.contains("<script>alert(1)"))
        let list = try await browser.visit("/queue")
        #expect(list.says("External 82"), "as text, not only for a pointer")
    }

    @Test("A failed or skipped question is quietly not available; without a classifier there is no trace of one")
    func absent() async throws {
        let fixture = try await AdminFixture.make(settings: Self.settings)
        let id = try await screened(fixture)
        let browser = try await fixture.browser(.curator)
        _ = try await fixture.test.database.classifications.fail(
            claim(fixture), "It broke.", retryAfter: nil, pause: 0, Self.limits)
        let page = try await browser.visit("/queue/\(id)")
        #expect(page.says("Not available") && !page.says("It broke."))
        let without = try await AdminFixture.make()
        let other = try await screened(without)
        let curator = try await without.browser(.curator)
        #expect(!(try await curator.visit("/queue/\(other)").says("External classifier")))
    }

    @Test("People who may change screening see the status: budget, failures and breaker; others don't")
    func status() async throws {
        let fixture = try await AdminFixture.make(settings: Self.settings)
        let publisher = try await fixture.browser(.publisher)
        let fresh = try await publisher.visit("/screening")
        #expect(fresh.says("classifier.example.org") && fresh.says("0 of 600, 600 left") && fresh.says("On"))
        #expect(!(try await fixture.browser(.curator).visit("/screening").says("External classifier")))
        await avoidEndOfHour()
        _ = try await screened(fixture)
        _ = try await fixture.test.database.classifications.fail(
            claim(fixture), "It <broke>.", retryAfter: 5, pause: 60, Self.limits)
        let page = try await publisher.visit("/screening")
        #expect(page.says("1 of 600, 599 left") && page.says("It <broke>.") && page.says("Paused after failures"))
        #expect(!page.text.contains("whsec_"))
        let text = try await AdminFixture.make().browser(.publisher).visit("/screening")
        #expect(text.says("External classifier Off") && !text.says("Calls today"))
    }
}
