// Tests the messages on the page of a contributor: the mails as they were sent, and what became of them.
import Domain
import FoundationEssentials
import HTTP
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Contributor messages", .databases)
struct ContributorMessagesTests {
    private func url(_ fixture: AdminFixture, _ name: String = "user-1") async throws -> String {
        let id: ID<Contributor> = try await fixture.test.client.one(
            "select id from curation.contributor where name = \(name)")("id")
        return AdminURL.contributorMessages(id)
    }

    /// A mail to a contributor; without a state it waits.
    private func mail(
        _ fixture: AdminFixture, _ subject: String, about submission: ID<Submission>?, state: String = "waiting",
        error: String? = nil, body: String = "Dear reader", locale: String = "en",
        dedupe: String = UUIDv7.make().uuidString
    ) async throws {
        let link: String? = body.contains("\u{1A}") ? "status" : nil
        _ = try await fixture.test.client.execute(
            """
            insert into ops.outbox_message (key, recipient, submission_id, locale, subject, body, link, dedupe, state,
                last_error, finished_at)
            values ('mail.outcome_rejected', 'user@example.org', \(submission)::uuid, \(locale), \(subject), \(body),
                \(link)::text, \(dedupe), \(state), \(error)::text,
                case when \(state) = 'waiting' then null::timestamptz else now() end)
            """)
    }

    @Test("A message is shown as it was sent, with its state; its address is masked, and its link is left out")
    func shown() async throws {
        let fixture = try await AdminFixture.make()
        let submission = try await fixture.submit()
        try await mail(
            fixture, "Über <b>Cafés</b>", about: submission, state: "sent",
            body: "Liebe Leserin,\nsiehe \u{1A}", locale: "de")
        try await mail(
            fixture, "Second", about: submission, state: "failed", error: "550 no mailbox user@example.org")
        try await mail(fixture, "Third", about: submission)
        let page = try await fixture.browser(.curator).visit(try await url(fixture))
        #expect(page.says("Messages 3") && page.says("Über <b>Cafés</b>"))
        #expect(page.main.contains("<h2 lang=\"de\" dir=\"auto\">Über &lt;b&gt;Cafés&lt;/b&gt;</h2>"))
        #expect(page.main.contains("lang=\"de\" dir=\"auto\">Liebe Leserin,\nsiehe [link to the status page]</p>"))
        #expect(!page.main.contains("\u{1A}"))
        #expect(page.says("Sent") && page.says("Failed") && page.says("Waiting") && page.says("Next attempt"))
        #expect(page.says("550 no mailbox u…@example.org") && !page.html.contains("user@example.org"))
        let order = ["Third", "Second", "Über"].compactMap { page.main.firstRange(of: $0)?.lowerBound }
        #expect(order.count == 3 && order == order.sorted(), "newest first")
        #expect(page.links.contains { $0.url == AdminURL.submission(submission) })
        #expect(!page.links.contains { $0.text == "Show failed mails" }, "for administrators")
        let administrator = try await fixture.browser(.administrator).visit(try await url(fixture))
        #expect(
            try administrator.link("Show failed mails")
                == AdminURL.tasks(query: ["kind": "mail", "state": "failed"]))
    }

    @Test("Messages are listed page by page; those to others and to the team are not listed")
    func pages() async throws {
        let fixture = try await AdminFixture.make()
        let submission = try await fixture.submit()
        let other = try await fixture.submit("Another", contributor: "ada")
        for number in 1...21 { try await mail(fixture, "Mail \(number).", about: submission, state: "sent") }
        try await mail(fixture, "To Ada", about: other)
        let account = try await fixture.account("team@example.org")
        _ = try await fixture.test.client.execute(
            """
            update ops.outbox_message set account_id = \(account), submission_id = \(submission)
            where subject = 'To Ada'
            """)
        let visit = try await fixture.browser(.curator)
        let first = try await visit.visit(try await url(fixture))
        #expect(first.says("Messages 21") && first.says("Mail 21.") && first.says("Mail 2.") && !first.says("Mail 1."))
        #expect(!first.says("To Ada"))
        let second = try await visit.click("Older »", on: first)
        #expect(second.says("Mail 1.") && !second.says("Mail 2."))
        #expect(!second.links.contains { $0.text == "Older »" })
        #expect(try second.link("« First page") == first.url)
        #expect(try await visit.visit(try await url(fixture, "ada")).says("No messages"))
    }

    @Test("S15: messages about submissions and reports outside the access scope are not listed")
    func scope() async throws {
        let fixture = try await AdminFixture.make()
        let article = try await fixture.submit()
        let video = try await fixture.submit("A film", type: "video")
        try await mail(fixture, "About the article", about: article)
        try await mail(fixture, "About the film", about: video)
        let reported = try await fixture.article()
        let reporter = try await fixture.test.clientActor([.report])
        let report = try await fixture.test.services.receiveReport(
            ReportDraft(.id(reported), .spam, reporter: "reader-1"), by: reporter)
        try await mail(fixture, "Your report", about: nil, dedupe: "outcome:\(report.id)")
        let visit = try await fixture.browser(.curator)
        #expect(try await visit.visit(try await url(fixture)).says("Messages 2"))
        #expect(try await visit.visit(try await url(fixture, "reader-1")).says("Your report"))

        let actor = try await fixture.test.actor(.curator, name: "Ida")
        let id = try #require(actor.id)
        let account = try #require(try await fixture.test.database.accounts.find(ID(id)))
        try await fixture.test.services.manageAccount.setScope(
            account, AccessScope(types: ["article"], groups: []), by: TestDatabase.administrator)
        let restricted = fixture.browser(of: actor)
        let page = try await restricted.visit(try await url(fixture))
        #expect(page.says("Messages 1") && page.says("About the article") && !page.says("About the film"))
        #expect(try await restricted.visit(try await url(fixture, "reader-1")).status == 404)
    }

    @Test("Erasing a contributor erases the messages to them")
    func erased() async throws {
        let fixture = try await AdminFixture.make()
        let submission = try await fixture.submit()
        try await mail(fixture, "Private words", about: submission, state: "sent")
        _ = try await fixture.test.services.decideSubmission(
            submission, Decision.Draft(verdict: .reject, reason: .spam), version: 0, by: TestDatabase.administrator)
        let visit = try await fixture.browser(.administrator)
        let messages = try await url(fixture)
        #expect(try await visit.visit(messages).says("Private words"))
        let contributor: ID<Contributor> = try await fixture.test.client.one(
            "select id from curation.contributor")("id")
        _ = try await visit.press("Erase data", on: try await visit.visit(AdminURL.contributorErase(contributor)))
        #expect(try await visit.visit(messages).status == 404)
        let left: Int64 = try await fixture.test.client.one("select count(*) as n from ops.outbox_message")("n")
        #expect(left == 0)
    }
}
