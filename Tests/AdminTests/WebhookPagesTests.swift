// Tests the webhook pages: creation, secret shown once, pause, rotation, test, replay, deletion.
import Domain
import FoundationEssentials
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Webhook pages", .databases)
struct WebhookPagesTests {
    private func added(_ site: AdminFixture, _ visit: Browser) async throws -> (id: ID<Webhook>, secret: String) {
        let page = try await visit.post(
            "/webhooks",
            [
                ("url", "https://hooks.example.org/vitrine"), ("events", "entry.published"),
                ("events", "entry.unpublished"), ("note", "Ask <Ann>"),
            ])
        #expect(page.status == 200)
        let start = try #require(page.html.firstRange(of: "<code>whsec_"))
        let rest = page.html[start.lowerBound...].dropFirst("<code>".count)
        let webhook = try #require(try await site.test.database.webhooks.list().last)
        #expect(page.holds("/webhooks/\(webhook.id)"))
        return (webhook.id, String(rest.prefix { $0 != "<" }))
    }

    @Test("S41: a webhook is created; its secret is shown once and nowhere else")
    func add() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        #expect(try await visit.get("/webhooks").holds("No webhooks yet."))
        let (id, secret) = try await added(site, visit)
        let list = try await visit.get("/webhooks")
        #expect(list.holds("https://hooks.example.org/vitrine") && list.holds("Ask &lt;Ann&gt;"))
        #expect(list.holds("<span class=\"tag ok\">Active</span>"))
        let page = try await visit.get("/webhooks/\(id)")
        #expect(page.holds("Entry published") && page.holds("Entry unpublished"))
        #expect(!page.holds("Entry updated") && page.holds("No deliveries yet."))
        #expect(!list.holds(secret) && !page.holds(secret) && secret.count > 40)
    }

    @Test("S33: an invalid webhook is shown again as typed, with every message")
    func refused() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let page = try await visit.post("/webhooks", [("url", "https://127.0.0.1/x"), ("note", "mine")])
        #expect(page.status == 422 && page.holds("127.0.0.1 isn't a public internet address"))
        #expect(page.holds("Choose at least one event."))
        #expect(page.holds("value=\"https://127.0.0.1/x\"") && page.holds("value=\"mine\""))
        #expect(page.holds("href=\"#url\"") && page.holds("href=\"#events\"") && page.holds("id=\"events\""))
        for url in [
            "http://hooks.example.org/", "https://a:b@hooks.example.org/", "https://hooks.example.org:22/", "x",
        ] {
            #expect(try await visit.post("/webhooks", [("url", url), ("events", "entry.updated")]).status == 422)
        }
        #expect(try await site.test.database.webhooks.list().isEmpty)
    }

    @Test("Pausing, resuming and rotating confirm their effect")
    func actions() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let (id, secret) = try await added(site, visit)
        let paused = try await visit.follow(try await visit.post("/webhooks/\(id)/pause", []))
        #expect(paused.holds("Webhook paused.") && paused.holds("<span class=\"tag wait\">Paused</span>"))
        #expect(try await visit.post("/webhooks/\(id)/pause", []).status == 409)
        #expect(try await visit.post("/webhooks/\(id)/test", []).status == 409)
        let resumed = try await visit.follow(try await visit.post("/webhooks/\(id)/resume", []))
        #expect(resumed.holds("Webhook resumed.") && resumed.holds("<span class=\"tag ok\">Active</span>"))
        let rotated = try await visit.post("/webhooks/\(id)/rotate", [])
        #expect(rotated.holds("<code>whsec_") && !rotated.holds(secret) && rotated.holds("For 24 hours"))
        #expect(try await visit.get("/webhooks/\(id)").holds("also signed with the old secret"))
        let removed = try await visit.follow(try await visit.post("/webhooks/\(id)/delete", []))
        #expect(removed.holds(" deleted.") && removed.holds("No webhooks yet."))
        #expect(try await visit.get("/webhooks/\(id)").status == 404)
    }

    @Test("The log shows every delivery with its attempts and responses; deliveries are replayed")
    func log() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let (id, _) = try await added(site, visit)
        let entry = try await site.article("A walk")
        let messages = site.test.database.webhookDeliveries
        let claimed = try await site.test.database.outbox.claim(.webhook(id), limit: 1).messages
        let attempt = WebhookAttempt(
            startedAt: Date(), durationMilliseconds: 12, status: 500, response: "<b>no</b>", error: nil,
            isDelivered: false)
        try await site.test.database.outbox.finish(
            claimed[0], SendAttempt(.later("Status 500"), response: attempt), retryAfter: 300)
        let page = try await visit.get("/webhooks/\(id)")
        #expect(page.holds("entry.published") && page.holds("/entries/\(entry)") && page.holds("next attempt <time"))
        let list = try await visit.get("/webhooks")
        #expect(list.holds("<span class=\"tag bad\">Status 500</span>"))
        for shown in [page, list] {
            #expect(shown.holds("<span class=\"tag bad\">Failing</span>") && !shown.holds(">Active</span>"))
        }
        let address = "/webhooks/\(id)/deliveries/\(claimed[0].id)"
        let delivery = try await visit.get(address)
        #expect(delivery.holds("&lt;b&gt;no&lt;/b&gt;") && delivery.holds("12 ms") && delivery.holds("a-walk"))
        let other = try await added(site, visit).id
        #expect(
            try await visit.get("/webhooks/\(other)/deliveries/\(claimed[0].id)").status == 404)
        let again = try await visit.follow(try await visit.post("\(address)/replay", []))
        #expect(again.holds("Delivery queued again"))
        #expect(try await messages.find(ID(claimed[0].id.uuid))?.attempts == 0)
        let since = try await visit.follow(try await visit.post("/webhooks/\(id)/replay", [("since", "1")]))
        #expect(since.holds("Deliveries queued: "))
        let wrong = try await visit.post("/webhooks/\(id)/replay", [("since", "soon")])
        #expect(wrong.status == 422 && wrong.holds("value=\"soon\"") && wrong.holds("href=\"#since\""))
        #expect(try await visit.post("/webhooks/\(id)/replay", [("since", "0")]).status == 422)
    }

    @Test("A disabled webhook shows the reason and the missed publications")
    func disabled() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let (id, _) = try await added(site, visit)
        try await site.test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("webhook.disable", on: "webhook")
        ) { _ = try await $0.webhooks.disable(id, because: "It is gone.") }
        let page = try await visit.get("/webhooks/\(id)")
        #expect(page.holds("<span class=\"tag bad\">Disabled</span>") && page.holds("It is gone."))
        #expect(page.holds("It missed publications from 2 on."))
        let resumed = try await visit.follow(try await visit.post("/webhooks/\(id)/resume", []))
        #expect(resumed.holds("It missed publications from 2 on. Replay them below."))
        #expect(resumed.holds("value=\"2\""))
    }

    @Test("Only administrators see the webhooks in the navigation")
    func navigation() async throws {
        let site = try await AdminFixture.make()
        #expect(try await site.browser(.publisher).get("/feeds").holds("href=\"/webhooks\"") == false)
        #expect(try await site.browser(.administrator).get("/feeds").holds("href=\"/webhooks\""))
    }
}
