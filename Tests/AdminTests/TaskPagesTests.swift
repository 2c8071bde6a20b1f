// Tests the page of background tasks: all kinds, filters, paging, retrying, and who sees and retries what.
import Domain
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Background task pages", .databases)
struct TaskPagesTests {
    /// A failed task, mail and delivery and a superseded outcome, and their ids by kind.
    private func fill(_ site: AdminFixture) async throws -> [String: String] {
        let client = site.test.client
        let webhook = try await site.webhook()
        var ids: [String: String] = [:]
        func add(_ kind: String, _ statement: SQL) async throws {
            let id: ID<Entry> = try await client.one(statement)("id")
            ids[kind] = id.description
        }
        try await add(
            "task",
            """
            insert into ops.task (kind, state, attempts, last_error, finished_at)
            values ('prune', 'failed', 5, 'The <moon> was full.', now()) returning id
            """)
        try await add(
            "mail",
            """
            insert into ops.outbox_message (key, recipient, locale, subject, body, dedupe, state, attempts, last_error, finished_at)
            values ('mail.test', 'ann@example.org', 'en', 'Hello <Ann>', 'Hello.', 'one', 'failed', 1, 'No such user.', now())
            returning id
            """)
        try await add(
            "webhook_delivery",
            """
            insert into ops.outbox_message (webhook_id, type, body, state, attempts, last_error, finished_at)
            values (\(webhook), 'webhook.test', '{}', 'failed', 10, 'Status 500', now()) returning id
            """)
        try await add(
            "outcome",
            """
            insert into ops.outcome (decision_id, submission_id, decided_at, state, finished_at)
            select id, id, now(), 'superseded', now() from (select curation.uuid_v7() as id) i returning decision_id as id
            """)
        return ids
    }

    @Test("An empty list says so")
    func empty() async throws {
        let page = try await AdminFixture.make().browser(.administrator).get("/tasks")
        #expect(page.holds("<h1>Background tasks</h1>") && page.holds("No background tasks."))
        #expect(page.holds("Webhook delivery</th>") && !page.holds("Retry all"))
    }

    @Test("All kinds are one list, with state, attempts and last error, and link to pages that show more")
    func kinds() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let ids = try await fill(site)
        let page = try await visit.get("/tasks")
        #expect(page.holds("<code>prune</code>") && page.holds("The &lt;moon&gt; was full."))
        #expect(page.holds("Hello &lt;Ann&gt;") && page.holds("ann@example.org") && page.holds("No such user."))
        #expect(page.holds("/deliveries/\(ids["webhook_delivery"] ?? "")\"") && page.holds("Status 500"))
        #expect(!page.says("Superseded"), "what a later action replaced needs nobody")
        let all = try await visit.get("/tasks?state=all")
        #expect(all.says("Superseded") && all.holds("<code>prune</code>"))
        #expect(all.holds("/tasks/\(ids["mail"] ?? "")/retry") && !all.holds("/tasks/\(ids["outcome"] ?? "")/retry"))
        let delivery = try await visit.get(page.links.first { $0.url.contains("/deliveries/") }?.url ?? "")
        #expect(delivery.status == 200 && delivery.holds("Replay delivery"))
    }

    @Test("An outcome is the decision in words")
    func outcome() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        _ = try await site.test.services.decideSubmission(
            try await site.submit("Ferry times"), Decision.Draft(verdict: .requestChanges, message: "Add the winter."),
            version: nil, by: TestDatabase.administrator)
        let page = try await visit.get("/tasks?kind=outcome")
        #expect(page.says("Outcome: Changes requested") && page.says("Ferry times"))
        #expect(!page.holds("request_changes"))
    }

    @Test("Filters by kind and state; another value is an error")
    func filters() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        _ = try await fill(site)
        let mails = try await visit.get("/tasks?kind=mail")
        #expect(mails.holds("mail.test") && !mails.holds("<code>prune</code>") && mails.holds("Mail isn't configured"))
        let failed = try await visit.get("/tasks?state=failed&kind=")
        #expect(failed.holds("mail.test") && failed.holds("<code>prune</code>") && !failed.holds("Superseded"))
        let canceled = try await visit.get("/tasks?state=canceled")
        #expect(canceled.holds("Superseded") && !canceled.holds("mail.test"))
        #expect(try await visit.get("/tasks?state=waiting&kind=mail").holds("No matching background tasks."))
        try await site.test.client.execute("update ops.task set state = 'done'")
        #expect(try await !visit.get("/tasks").holds("<code>prune</code>"), "done tasks would hide everything else")
        #expect(try await visit.get("/tasks?state=done").holds("<code>prune</code>"))
        #expect(try await visit.get("/tasks?state=all&kind=task").holds("<code>prune</code>"))
        #expect(try await visit.get("/tasks?kind=job").status == 422)
        #expect(try await visit.get("/tasks?state=lost").status == 422)
        #expect(try await visit.get("/tasks?cursor=x").status == 422)
    }

    @Test("A page has fifty; the fifty-first is on the next page, with the same filter")
    func paging() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .curator)
        func add(_ count: Int) async throws {
            try await site.test.client.execute(
                "insert into ops.task (kind) select 'prune' from generate_series(1, \(count)::integer)")
        }
        try await add(50)
        #expect(try await !visit.get("/tasks?state=waiting").holds(">Older</a>"))
        try await add(1)
        let first = try await visit.get("/tasks?state=waiting")
        #expect(first.html.components(of: "<code>prune</code>") == 50)
        let next = try #require(first.links.first { $0.url.contains("cursor=") }?.url)
        #expect(next.contains("state=waiting"))
        let second = try await visit.get(next)
        #expect(second.html.components(of: "<code>prune</code>") == 1)
        #expect(second.holds(">Newest</a>") && !second.holds(">Older</a>"))
    }

    @Test("R19: one is retried, or all failed ones of a kind, each with an audit event; once")
    func retry() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let ids = try await fill(site)
        for kind in ["task", "mail", "webhook_delivery"] {
            let id = try #require(ids[kind])
            let page = try await visit.get("/tasks?kind=\(kind)")
            let again = try await visit.follow(try await visit.fill(page, "/tasks/\(id)/retry", []))
            #expect(again.holds(" queued again."), "\(kind)")
            #expect(try await visit.post("/tasks/\(id)/retry", []).status == 409)
            let actions = try await site.test.database.auditTrail.about(kind, id).map(\.action)
            #expect(actions == ["\(kind).retry"])
        }
        #expect(try await visit.post("/tasks/\(ids["outcome"] ?? "")/retry", []).status == 409)
        try await site.test.client.execute(
            "update ops.outbox_message set state = 'failed', finished_at = now() where key is not null")
        let page = try await visit.get("/tasks")
        let all = try await visit.follow(try await visit.fill(page, "/tasks/retry", [("kind", "mail")]))
        #expect(all.holds("Background tasks queued again: 1.") && !all.holds("Retry all"))
        #expect(try await visit.post("/tasks/retry", []).status == 422)
    }

    @Test("S15: mails, deliveries and outcomes are for administrators, as are their retries")
    func permissions() async throws {
        let site = try await AdminFixture.make()
        let ids = try await fill(site)
        let curator = try await site.browser(.curator, name: "Carl")
        let page = try await curator.get("/tasks")
        #expect(page.holds("<code>prune</code>") && !page.holds("/retry\""))
        for hidden in ["ann@example.org", "webhook.test", "Superseded", "Webhook delivery"] {
            #expect(!page.holds(hidden), "\(hidden)")
        }
        #expect(try await curator.get("/tasks?kind=mail").status == 422)
        let publisher = try await site.browser(.publisher, name: "Pat")
        for kind in ["mail", "webhook_delivery", "outcome"] {
            #expect(try await publisher.post("/tasks/\(ids[kind] ?? "")/retry", []).status == 403)
            #expect(try await publisher.post("/tasks/retry", [("kind", kind)]).status == 403)
        }
        #expect(try await publisher.post("/tasks/\(ids["task"] ?? "")/retry", []).status == 303)
    }
}

extension AdminFixture {
    fileprivate func webhook() async throws -> ID<Webhook> {
        let id = ID<Webhook>(UUIDv7.make())
        try await test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("webhook.create", on: "webhook", id.description)
        ) {
            try await $0.webhooks.add(
                id: id, url: "https://hooks.example.org/", note: "", events: [.entryPublished], secret: [1],
                by: TestDatabase.administrator)
        }
        return id
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
