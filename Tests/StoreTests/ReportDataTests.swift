// Tests what happens to the data of reporters: notification, erasure of emails, export and erasure.
import Domain
import FoundationEssentials
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Data of reporters", .databases)
struct ReportDataTests {
    private func publishTexts(_ site: ReportWorld) async throws {
        for (key, text) in [
            ("mail.report_decided.subject", "About {title}"),
            ("mail.report_decided", "{name}: {title}. {outcome}"), ("mail.report_no_action", "Nothing wrong."),
        ] {
            _ = try await site.create(
                "text",
                [
                    "title": .string(key), "key": .string(key), "section": "mail", "format": "plain",
                    "placeholders": .array(
                        TextRule.placeholders(in: text).map {
                            .object(["name": .string($0), "required": .bool(false)])
                        }
                    ),
                    "values": .array([.object(["locale": "en", "value": .string(text)])]),
                ])
        }
    }

    private func notify(_ site: ReportWorld, after minutes: Int = 0) async throws {
        _ = try await site.test.database.work(as: Actor(kind: .system, name: "schedule")) {
            try await NotifyContributors.write(afterMinutes: minutes, site.test.rules.types, $0)
        }
    }

    private func mails(_ site: ReportWorld) async throws -> [String] {
        try await site.owner.query(
            "select recipient || ': ' || body as mail from ops.outbox_message where webhook_id is null order by recipient"
        ).map { try $0("mail") }
    }

    @Test("Reporters with an email are notified once, after the undo window; then their emails are erased")
    func notification() async throws {
        let site = try await ReportWorld.make()
        try await publishTexts(site)
        let entry = try await site.article()
        try await site.report(entry, by: "Ada", email: "ada@example.org")
        try await site.report(entry, by: "Bea")
        let asked = try await site.report(entry, email: "anon@example.org")
        try await site.decide(try await site.open(entry).id, .noAction)
        try await notify(site, after: 10)
        #expect(try await mails(site).isEmpty)
        #expect(try await site.test.database.reports.find(asked.id)?.email == "anon@example.org")
        for _ in 0..<2 { try await notify(site) }
        #expect(
            try await mails(site) == [
                "ada@example.org: Ada: A walk. Nothing wrong.", "anon@example.org: : A walk. Nothing wrong.",
            ])
        let emails: Int = try await site.owner.one(
            "select count(*) as n from curation.report where reporter_email is not null")("n")
        #expect(emails == 0)
        let events: Int = try await site.owner.one(
            "select count(*) as n from ops.audit_event where action = 'report.erase'")("n")
        #expect(events == 1)
    }

    @Test("The email of a report that nobody decides is erased after 180 days, not before")
    func oldEmails() async throws {
        let site = try await ReportWorld.make()
        let entry = try await site.article()
        let report = try await site.report(entry, email: "ada@example.org")
        func age(_ interval: String) async throws -> [ID<Report>] {
            try await site.test.writeUnchecked(
                "update curation.report set received_at = now() - \(interval)::interval where id = \(report.id)")
            return try await site.test.database.reports.oldEmails(days: NotifyContributors.emailDays)
        }
        #expect(try await age("179 days 23 hours").isEmpty)
        #expect(try await age("180 days 1 minute") == [report.id])
        try await site.test.database.work(as: Actor(kind: .system, name: "schedule")) { transaction in
            try await NotifyContributors.eraseEmails(of: [report.id], transaction)
        }
        #expect(try await site.test.database.reports.find(report.id)?.email == nil)
    }

    @Test("Webhooks hear of a decision once, without note and reporters")
    func webhook() async throws {
        let site = try await ReportWorld.make()
        let entry = try await site.article()
        for name in ["Ada", "Bea"] { try await site.report(entry, by: name) }
        try await site.test.writeUnchecked(
            """
            insert into ops.webhook (url, events, secret, created_by)
            values ('https://a.example', '{report.decided}', decode('00', 'hex'), \(site.publisher.rowID))
            """)
        let id = try await site.open(entry).id
        try await site.decide(id, .noAction, note: "Secret note")
        let bodies: [JSONValue] = try await site.owner.query(
            "select body::jsonb as body from ops.outbox_message where type = 'report.decided'"
        ).map { try $0("body") }
        let data = try #require(bodies.first?["data"])
        #expect(bodies.count == 1 && data["report_case"]?.stringValue == id.description)
        #expect(
            data["entry"]?.stringValue == entry.description && data["outcome"] == "no_action"
                && data["reports"] == .int(2))
        #expect(!data.canonicalText.contains("Secret") && !data.canonicalText.contains("Ada"))
    }

    @Test("A reporter's data is exported and erased like a contributor's; the report still counts")
    func erasure() async throws {
        let site = try await ReportWorld.make()
        try await publishTexts(site)
        let entry = try await site.article()
        let first = try await site.report(entry, text: "My street", by: "Ada", email: "ada@example.org", key: "k")
        try await site.report(entry, by: "Bea", email: "bea@example.org")
        let id: ID<Contributor> = try await site.owner.one(
            "select id from curation.contributor where name = 'Ada'")("id")
        let manage = site.test.services.manageContributor
        var documents: [String] = []
        try await manage.export(id, by: TestDatabase.administrator) { lines in
            documents += lines
            return true
        }
        #expect(documents.count == 1 && documents[0].contains("My street") && documents[0].contains("ada@example.org"))
        try await site.decide(try await site.open(entry).id, .noAction)
        try await notify(site)
        #expect(try await mails(site).count == 2)
        _ = try await manage.erase(id, by: TestDatabase.administrator)
        #expect(try await mails(site).count == 1)
        let erased = try #require(try await site.test.database.reports.find(first.id))
        #expect(erased.isErased && erased.reporter == nil && erased.text.isEmpty && erased.email == nil)
        #expect(try await site.cases(decided: true).first?.reports == 2)
        let left: Int = try await site.owner.one(
            "select count(*) as n from curation.report r where to_jsonb(r)::text ~ 'Ada|ada@|My street'")("n")
        #expect(left == 0)
    }
}
