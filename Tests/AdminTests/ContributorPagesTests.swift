// Tests the pages of contributors: search, record, status, bulk actions, and the links from other pages.
@testable import Admin
import Domain
import FoundationEssentials
import HTTP
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Contributor pages", .databases)
struct ContributorPagesTests {
    private func id(_ fixture: AdminFixture, _ name: String = "user-1") async throws -> ID<Contributor> {
        try await fixture.test.client.one("select id from curation.contributor where name = \(name)")("id")
    }

    @Test("The list finds parts of names and whole email addresses, by status and page by page")
    func list() async throws {
        let (fixture, visit) = try await AdminFixture.visited(by: .curator)
        #expect(try await visit.visit("/contributors").says("No contributors yet"))
        for number in 1...30 { try await fixture.submit(contributor: "reader.\(number)") }
        try await fixture.submit(contributor: "m.okafor", email: "mo@example.org")
        let first = try await visit.visit("/contributors")
        #expect(first.status == 200 && first.says("m.okafor") && !first.says("reader.1 "))
        let second = try await visit.visit(try first.link("Next »"))
        #expect(second.says("reader.1") && !second.says("m.okafor"))
        for query in ["okafor", "OKA", "m.okafor", "Mo@example.org"] {
            let found = try await visit.visit("/contributors?q=\(query)")
            #expect(found.says("m.okafor") && !found.says("reader."), "\(query)")
        }
        for query in ["kafor", "mo@example", "!", "'", "okafor reader", "x&|:*"] {
            let none = try await visit.visit(AdminURL.contributors(query: ["q": query]))
            #expect(none.status == 200 && none.says("No matching contributors"), "\(query)")
        }
        let wrong = try await visit.visit("/contributors?cursor=x")
        #expect(wrong.status == 422)
    }

    @Test("The page shows the record and every submission with its outcome, one outcome at a time, page by page")
    func record() async throws {
        let (fixture, visit) = try await AdminFixture.visited(by: .curator)
        let curator = try await fixture.test.actor(.curator, name: "Nora")
        let feed = try await fixture.feed()
        var ids: [ID<Submission>] = []
        for number in 1...28 { ids.append(try await fixture.submit("Story \(number)", email: "user@example.org")) }
        for (id, draft) in zip(
            ids,
            [
                Decision.Draft(verdict: .approve, feeds: [feed], publishTiming: .now),
                Decision.Draft(verdict: .approve, publishTiming: .approveOnly),
                Decision.Draft(verdict: .reject, reason: .spam),
                Decision.Draft(verdict: .requestChanges, message: "More, please."),
            ])
        {
            _ = try await fixture.test.services.decideSubmission(id, draft, version: 0, by: curator)
        }
        try await fixture.test.services.addNote("Sends large photos", on: .submission(ids[9]), by: curator)
        let url = AdminURL.contributor(try await id(fixture))
        let page = try await visit.visit(url)
        #expect(page.says("67 %") && page.says("u…@example.org") && !page.says("user@example.org"))
        let notes = try await visit.click("Notes 0", on: page)
        #expect(notes.says("Sends large photos"))
        #expect(try notes.link("Submissions 28") == url)
        #expect(page.says("All (28)") && page.says("Approved (2)") && page.says("Rejected (1)"))
        #expect(page.says("Pending (24)") && page.says("Story 28") && !page.says("Story 1 "))
        let older = try await visit.visit(try page.link("Older »"))
        #expect(older.says("Story 1") && older.says("Published") && !older.says("Story 28"))
        let rejected = try await visit.visit(try page.link("Rejected (1)"))
        #expect(rejected.says("Story 3") && rejected.says("Spam") && !rejected.says("Story 4"))

        // What is pending is planned together.
        let plan = try await visit.follow(
            try await visit.send(
                "POST", AdminURL.bulkActions(query: ["contributor": try await id(fixture)]),
                [
                    ("csrf", page.form(id: "bulk-action").first { $0.0 == "csrf" }?.1 ?? ""), ("all", "1"),
                    ("action", "reject"),
                ]))
        #expect(plan.says("24 submissions"))
        let queue = try await visit.click("View pending in the queue", on: page)
        #expect(queue.says("24 matching") && queue.says("Contributor: user-1"))
        #expect(
            try await visit.visit(AdminURL.submission(ids[0])).links.contains { $0.url == url && $0.text == "user-1" })
        #expect(try await visit.visit(AdminURL.contributor(UUID())).status == 404)
    }

    @Test("An outcome names who decided and what the contributor was told; the record counts approvals after changes")
    func outcomes() async throws {
        let fixture = try await AdminFixture.make()
        let services = fixture.test.services
        let nora = try await fixture.test.actor(.curator, name: "Nora")
        let (changed, other) = (try await fixture.submit("Ferry times"), try await fixture.submit("Ferry fares"))
        for id in [changed, other] {
            _ = try await services.decideSubmission(
                id, Decision.Draft(verdict: .requestChanges, message: "Please add\nthe winter times."), version: nil,
                by: nora)
        }
        let visit = try await fixture.browser(.curator)
        let overview = AdminURL.contributor(try await id(fixture))
        let asked = try await visit.visit(overview)
        #expect(asked.main.ranges(of: "<q dir=\"auto\">Please add the winter times.</q>").count == 2)
        #expect(asked.main.ranges(of: "Decided by Nora after ").count == 2)

        // Sent again it is pending: nobody has decided it.
        let key = try #require(AdminFixture.statusKey).text(for: changed.bytes, edition: 1)
        let visitor = fixture.stranger
        let form = try await visitor.visit("/s/\(key)").form("Resubmit")
        #expect(try await visitor.press("Resubmit", in: form).status == 200)
        let sent = try await visit.visit(overview)
        #expect(sent.main.ranges(of: "Please add").count == 1 && sent.main.ranges(of: "Decided by").count == 1)
        #expect(try await !visit.visit(overview).says("Approved after changes"))

        let approval = Decision.Draft(verdict: .approve, publishTiming: .approveOnly)
        let atOnce = try await fixture.submit("A pier")
        for id in [changed, atOnce] {
            _ = try await services.decideSubmission(id, approval, version: nil, by: nora)
        }
        let record = try await visit.visit(overview)
        #expect(record.main.contains("Approved</th><td class=\"number\">2</td>"))
        #expect(record.main.contains("Approved after changes</th><td class=\"number\">1</td>"))
    }

    @Test("Each tab has a URL, is marked as the current one under the same header, and shows its own list only")
    func tabs() async throws {
        let fixture = try await AdminFixture.make()
        try await fixture.submit("Ferry times")
        let contributor = try await id(fixture)
        let ann = try await fixture.test.actor(.curator, name: "Ann")
        try await fixture.test.services.addNote("Sends large photos", on: .contributor(contributor), by: ann)
        try await fixture.test.services.manageContributor.set(
            ContributorStatusDraft(.blocked, reason: "Advertises"), on: contributor, by: ann)
        let visit = try await fixture.browser(.curator)
        let url = AdminURL.contributor(contributor)
        let tabs = [
            ("Submissions 1", url, "Ferry times"), ("Reports 0", "\(url)/reports", "No reports"),
            ("Messages 0", "\(url)/messages", "No messages"), ("Notes 1", "\(url)/notes", "Sends large photos"),
            ("Status", "\(url)/status", "Unblock"),
        ]
        for (label, here, own) in tabs {
            let page = try await visit.visit(here)
            #expect(page.status == 200 && page.holds("<h1 dir=\"auto\">user-1</h1>"), "\(label)")
            #expect(page.main.contains(">Blocked</span>") && page.says("First seen"), "\(label)")
            for (other, target, _) in tabs { #expect(try page.link(other) == target, "\(other) on \(label)") }
            #expect(page.main.contains("href=\"\(here)\" aria-current=\"page\""), "\(label)")
            for (other, target, _) in tabs where other != label {
                #expect(!page.main.contains("href=\"\(target)\" aria-current"), "\(other) on \(label)")
            }
            for (_, _, shown) in tabs where shown != "Unblock" {
                #expect(page.says(shown) == (shown == own), "\(shown) on \(label)")
            }
            #expect(page.hasButton("Unblock") == (label == "Status"), "\(label)")
        }
    }

    @Test("A contributor who has sent nothing, or nothing with the outcome, has empty lists that say so")
    func empty() async throws {
        let fixture = try await AdminFixture.make()
        try await fixture.submit("Ferry times")
        let visit = try await fixture.browser(.curator)
        let url = AdminURL.contributor(try await id(fixture))
        let none = try await visit.visit("\(url)?state=rejected")
        #expect(none.says("No submissions with this outcome.") && none.says("Rejected (0)"))
        #expect(try await visit.click("Show all submissions", on: none).says("Ferry times"))
        #expect(try await visit.visit("\(url)?state=wrong").says("Ferry times"))
        let notes = try await visit.visit("\(url)/notes")
        #expect(notes.main.ranges(of: "No notes.").count == 2)
        let status = try await visit.visit("\(url)/status")
        #expect(status.says("Neither trusted nor blocked."))
        for tab in ["", "/reports", "/messages", "/notes", "/status"] {
            #expect(try await visit.visit("\(AdminURL.contributor(UUID()))\(tab)").status == 404, "\(tab)")
        }
        for list in ["", "/reports", "/messages", "/notes"] {
            #expect(try await visit.visit("\(url)\(list)?cursor=x").status == 422, "\(list)")
        }

        // Readers who report with a name are contributors, too.
        let entry = try await fixture.article()
        _ = try await fixture.test.services.receiveReport(
            ReportDraft(.id(entry), .spam, reporter: "reader-1"), by: try await fixture.test.clientActor([.report]))
        let reader = try await visit.visit(AdminURL.contributor(try await id(fixture, "reader-1")))
        #expect(reader.says("No submissions") && !reader.holds("aria-label=\"Outcome\""))
    }

    @Test("The review page has a card with the record of the contributor and the latest five other submissions")
    func card() async throws {
        let (fixture, visit) = try await AdminFixture.visited(by: .curator)
        let curator = try await fixture.test.actor(.curator, name: "Nora")
        let alone = try await fixture.submit("The only one", contributor: "ada")
        let lone = contributorCard(try await visit.visit(AdminURL.submission(alone)))
        #expect(lone.contains("1 submission, 0 approved, last ") && !lone.contains("<ol"))

        var ids: [ID<Submission>] = []
        for number in 1...7 { ids.append(try await fixture.submit("Tale \(number)")) }
        _ = try await fixture.test.services.decideSubmission(
            ids[4], Decision.Draft(verdict: .approve, publishTiming: .approveOnly), version: 0, by: curator)
        _ = try await fixture.test.services.decideSubmission(
            ids[5], Decision.Draft(verdict: .reject, reason: .spam), version: 0, by: curator)
        let page = try await visit.visit(AdminURL.submission(ids[6]))
        let latest = contributorCard(page)
        #expect(latest.contains("7 submissions, 1 approved, last "))
        #expect(latest.split(separator: "Tale ").dropFirst().compactMap(\.first) == Array("65432"))
        #expect(latest.contains(">Approved</span>") && latest.contains(">Rejected</span>") && latest.contains("Spam"))
        let url = AdminURL.contributor(try await id(fixture))
        #expect(latest.contains("\"\(url)\""))
        // After the forms, of which the others than the first are folded.
        let order = ["id=\"approve\"", "id=\"reject-form\"", "id=\"contributor\""].map { page.html.firstRange(of: $0) }
        #expect(order.allSatisfy { $0 != nil })
        #expect(order.compactMap { $0?.lowerBound } == order.compactMap { $0?.lowerBound }.sorted())
        let oldest = contributorCard(try await visit.visit(AdminURL.submission(ids[0])))
        #expect(oldest.contains("Tale 7") && oldest.contains("Tale 3") && !oldest.contains("Tale 2"))
        #expect(aboveDecision(page).contains("><bdi>user-1</bdi></a></span>"), "neither trusted nor blocked")
        // Where the next ones come from, before one of them is opened.
        #expect(aboveDecision(page).contains("<span class=\"muted\"><bdi>portal</bdi> · Article · "))
        try await fixture.test.services.manageContributor.set(
            ContributorStatusDraft(.trusted, reason: "Writes for us"), on: try await self.id(fixture), by: curator)
        let trusted = try await visit.visit(AdminURL.submission(ids[6]))
        #expect(aboveDecision(trusted).contains("><bdi>user-1</bdi></a> <span class=\"tag ok\">Trusted</span></span>"))
    }

    /// The source of a review page up to the pane of the decision.
    private func aboveDecision(_ page: BrowserPage) -> Substring {
        page.html.prefix(upTo: page.html.firstRange(of: "id=\"decide\"")?.lowerBound ?? page.html.startIndex)
    }

    /// The source of the card of the contributor on a review page.
    private func contributorCard(_ page: BrowserPage) -> Substring {
        guard let start = page.html.firstRange(of: "aria-labelledby=\"contributor\""),
            let end = page.html[start.upperBound...].firstRange(of: "</section>")
        else { return "" }
        return page.html[start.upperBound..<end.lowerBound]
    }

    @Test(
        "A note on a contributor notifies the people it mentions; errors keep the text; the page lists it for the team")
    func notes() async throws {
        let fixture = try await AdminFixture.make()
        try await fixture.submit()
        let contributor = try await id(fixture)
        let url = AdminURL.contributorNotes(contributor)
        let ann = try await fixture.browser(.curator, name: "Ann")
        let eve = try await fixture.browser(.editor, name: "Eve")
        let page = try await ann.visit(url)
        #expect(page.html.contains("<option value=\"Eve\">") && page.says("No notes."))
        var form = try page.form("Add note")
        try form.fill("text", " ")
        let refused = try await ann.press("Add note", in: form)
        #expect(refused.status == 422 && refused.links.contains { $0.url == "#text" })
        try form.fill("text", "@Eve writes <b>well</b>")
        let added = try await ann.press("Add note", in: form)
        #expect(added.says("Note added. 1 person notified."))
        #expect(added.holds("@Eve writes &lt;b&gt;well&lt;/b&gt;") && added.says("Mentioned: Eve"))

        let mentions = try await eve.visit("/mentions")
        #expect(mentions.says("user-1") && mentions.says("Contributor") && mentions.says("writes <b>well</b>"))
        #expect(mentions.links.contains { $0.url == url })
        let notes = fixture.test.database.notes
        let account: ID<Account> = try await fixture.test.client.one(
            "select id from ops.actor where name = 'Eve'")("id")
        #expect(try await notes.unseen(by: account) == 1)
        #expect(try await eve.visit(url).says("Mentioned: Eve"))
        #expect(try await notes.unseen(by: account) == 0)
        let events = try await fixture.test.database.auditTrail.about("contributor", contributor.description)
        #expect(events.first?.action == "note.create" && events.first?.actor == "Ann")
        #expect(try await ann.post(AdminURL.contributorNotes(UUID()), [("text", "x")]).status == 404)
    }

    @Test("All notes on a contributor can be read, 50 on a page, the newest first")
    func notePages() async throws {
        let fixture = try await AdminFixture.make()
        try await fixture.submit()
        let contributor = try await id(fixture)
        let ann = try await fixture.test.actor(.curator, name: "Ann")
        for number in 1...50 {
            _ = try await fixture.test.services.addNote("Note \(number).", on: .contributor(contributor), by: ann)
        }
        let browser = try await fixture.browser(.curator, name: "Eve")
        let url = AdminURL.contributorNotes(contributor)
        let all = try await browser.visit(url)
        #expect(all.says("Note 1.") && all.says("Note 50.") && !all.links.contains { $0.text == "Older notes »" })
        _ = try await fixture.test.services.addNote("Note 51.", on: .contributor(contributor), by: ann)
        let newest = try await browser.visit(url)
        #expect(newest.says("Note 51.") && newest.says("Note 2.") && !newest.says("Note 1."))
        #expect(!newest.links.contains { $0.text == "« Latest notes" })
        let older = try await browser.click("Older notes »", on: newest)
        #expect(older.says("Note 1.") && !older.says("Note 2."))
        #expect(!older.links.contains { $0.text == "Older notes »" })
        #expect(try older.link("« Latest notes") == url)
    }

    @Test("The latest 20 notes on their submissions are listed; of more, the page says where they are")
    func submissionNotes() async throws {
        let fixture = try await AdminFixture.make()
        let submission = try await fixture.submit()
        let ann = try await fixture.test.actor(.curator, name: "Ann")
        for number in 1...20 {
            _ = try await fixture.test.services.addNote("Note \(number).", on: .submission(submission), by: ann)
        }
        let browser = try await fixture.browser(.curator, name: "Eve")
        let url = AdminURL.contributorNotes(try await id(fixture))
        let all = try await browser.visit(url)
        #expect(all.says("Note 1.") && !all.says("Only the latest notes are shown."))
        _ = try await fixture.test.services.addNote("Note 21.", on: .submission(submission), by: ann)
        let latest = try await browser.visit(url)
        #expect(latest.says("Note 21.") && !latest.says("Note 1."))
        #expect(latest.says("Only the latest notes are shown. The pages of the submissions have all."))
    }

    @Test("S15: who can't see what a contributor sent can't read, write or be mentioned in notes on them")
    func notesInScope() async throws {
        let fixture = try await AdminFixture.make()
        try await fixture.submit()
        let contributor = try await id(fixture)
        let outside = try await fixture.test.actor(.curator, name: "Otto")
        let inside = try await fixture.test.actor(.curator, name: "Ida")
        func restrict(_ actor: Actor, _ type: String) async throws {
            let id = ID<Account>(try #require(actor.id))
            let account = try #require(try await fixture.test.database.accounts.find(id))
            try await fixture.test.services.manageAccount.setScope(
                account, AccessScope(types: [type], groups: []), by: TestDatabase.administrator)
        }
        try await restrict(outside, "video")
        try await restrict(inside, "article")
        let url = AdminURL.contributor(contributor)
        let browser = fixture.browser(of: outside)
        for path in [url, "\(url)/status", "\(url)/reports", "\(url)/messages", "\(url)/notes"] {
            #expect(try await browser.get(path).status == 404, "\(path)")
        }
        #expect(try await browser.post(AdminURL.contributorNotes(contributor), [("text", "Hello")]).status == 404)
        let written = try await fixture.test.services.addNote(
            "@Otto and @Ida", on: .contributor(contributor), by: try await fixture.test.actor(.editor, name: "Eve"))
        #expect(written.notified == 1 && written.unknown == ["@Otto"])
        #expect(try await fixture.browser(of: inside).visit("/mentions").says("@Otto and @Ida"))

        // The database refuses both, whatever the program does.
        func attempt(by actor: Actor, mentioning: [ID<Account>] = []) async throws -> String {
            let event = AuditEvent("note.create", on: "contributor", contributor.description)
            do {
                try await fixture.test.database.transaction(by: actor, event) { transaction in
                    try await transaction.notes.add(
                        "x", .note, on: [.contributor(contributor)], mentioning: mentioning, by: actor)
                }
                return "done"
            } catch Failure.forbidden {
                return "forbidden"
            } catch Failure.invalid(let errors) {
                return errors.items.map(\.code).joined()
            }
        }
        #expect(try await attempt(by: outside) == "forbidden")
        #expect(try await attempt(by: inside, mentioning: [ID(try #require(outside.id))]) == "mention")
        #expect(try await attempt(by: inside) == "done")
    }

    @Test("The page lists reports about what was published, and has the bar of bulk actions while something is pending")
    func reports() async throws {
        let (fixture, visit) = try await AdminFixture.visited(by: .curator)
        let feed = try await fixture.feed()
        let submission = try await fixture.submit("Buy my book")
        try await fixture.submit("Ferry times", contributor: "ada")
        let contributor = try await id(fixture)
        let (sent, url) = (AdminURL.contributor(contributor), AdminURL.contributorReports(contributor))
        let pending = try await visit.visit(sent)
        #expect(pending.holds("class=\"bulk-bar\"") && pending.holds("data-select-page"))
        #expect(try await visit.click("Reports 0", on: pending).says("No reports"))
        _ = try await fixture.test.services.decideSubmission(
            submission, Decision.Draft(verdict: .approve, feeds: [feed], publishTiming: .now), version: 0,
            by: try await fixture.test.actor(.publisher))
        let entry = try #require(try await fixture.test.database.submissions.find(submission)?.entry)
        let app = try await fixture.test.clientActor([.report])
        let report = try await fixture.test.services.receiveReport(ReportDraft(.id(entry), .spam), by: app)
        #expect(try await !visit.visit(sent).holds("bulk-bar"))
        let page = try await visit.visit(url)
        #expect(page.says("Reports 1") && page.says("1 report") && page.says("Open"))
        let reportCase = try #require(try await fixture.test.database.reports.find(report.id)).reportCase
        #expect(page.links.contains { $0.url == AdminURL.report(reportCase) && $0.text == "Buy my book" })
        try await fixture.test.services.decideReport(
            reportCase, ReportDecisionDraft(.noAction, note: "A fine book"),
            by: try await fixture.test.actor(.curator, name: "Nora"))
        #expect(try await visit.visit(url).says("No action"))
        // A later report opens another case; they are listed page by page.
        _ = try await fixture.test.services.receiveReport(ReportDraft(.id(entry), .inaccurate), by: app)
        let cases = fixture.test.database.reportCases
        let newest = try await cases.about(contributor, cursor: nil, limit: 1)
        let next: String = try #require(newest.next)
        let oldest = try await cases.about(contributor, cursor: next, limit: 1)
        #expect(newest.items.first?.isOpen == true && oldest.items.map(\.id) == [reportCase] && oldest.next == nil)
        #expect(try await visit.visit(url).says("Reports 2"))
        let other = try await visit.visit(AdminURL.contributorReports(try await id(fixture, "ada")))
        #expect(other.says("Reports 0") && !other.says("Buy my book"))
    }

    @Test("Blocking asks for a reason, keeps what was typed, can be changed and lifted, and is in the history")
    func status() async throws {
        let fixture = try await AdminFixture.make()
        try await fixture.submit()
        let visit = try await fixture.browser(.curator)
        let contributor = try await id(fixture)
        let list = try await visit.visit(AdminURL.contributor(contributor))
        let url = try list.link("Block…")
        #expect(url == AdminURL.contributorStatus(contributor, query: ["open": "blocked"]) + "#blocked")
        let page = try await visit.visit(AdminURL.contributorStatus(contributor, query: ["open": "blocked"]))
        #expect(page.holds("id=\"blocked\" open>") && !page.holds("id=\"trusted\" open>"))
        #expect(try list.link("Trust…").hasSuffix("?open=trusted#trusted"))
        var form = try page.form("Block contributor")
        try form.fill("local", "2020-01-01T10:00")
        try form.fill("zone", "Europe/London")
        let noReason = try await visit.press("Block contributor", in: form)
        #expect(noReason.status == 422 && noReason.says("Enter a reason."))
        form = try noReason.form("Block contributor")
        #expect(form.value("local") == "2020-01-01T10:00", "nothing typed is lost")
        try form.fill("reason", "Advertises")
        try form.fill("until", "at")
        let past = try await visit.press("Block contributor", in: form)
        #expect(past.status == 422 && past.says("This time has passed") && past.html.contains("Advertises"))
        #expect(past.isTimeMarked("blocked-local") && !past.isTimeMarked("trusted-local"))
        form = try past.form("Block contributor")
        try form.fill("until", "168")
        let blocked = try await visit.follow(try await visit.press("Block contributor", in: form))
        #expect(blocked.says("user-1 is blocked.") && blocked.says("Advertises") && blocked.hasButton("Unblock"))
        await #expect(throws: Failure.self) { try await fixture.submit() }
        #expect(try await visit.visit("/contributors?status=blocked").says("user-1"))

        form = try blocked.form("Save changes")
        #expect(form.value("reason") == "Advertises" && form.value("until") == "at")
        try form.fill("until", "")
        let changed = try await visit.follow(try await visit.press("Save changes", in: form))
        #expect(changed.says("No end."))
        let free = try await visit.follow(try await visit.press("Unblock", on: changed))
        #expect(free.says("no longer blocked") && !free.hasButton("Unblock"))
        try await fixture.submit()
        #expect(free.says("unblocked the contributor “user-1”") && free.says(" blocked the contributor “user-1”"))
        // Twice is a conflict, not an error.
        #expect(try await visit.press("Unblock", on: changed).status == 409)
        #expect(!free.says("Export data"), "for administrators")
    }

    @Test("A blocked name is refused by a submission form, and nothing that was typed is lost; it can't be trusted")
    func form() async throws {
        let fixture = try await AdminFixture.make()
        var definition = FormDefinition(name: "stories", type: "article", title: "Your stories")
        definition.isOn = true
        _ = try await fixture.test.services.manageSubmissionForm.create(definition, by: TestDatabase.administrator)
        let form = try #require(try await fixture.test.database.submissionForms.find("stories"))
        func send(_ title: String) async throws -> BrowserPage {
            let pass = FormPass(
                form.id, key: try #require(AdminFixture.statusKey), openedAt: Date(timeIntervalSinceNow: -60))
            return try await fixture.stranger.send(
                "POST", "/submit/stories",
                [
                    ("csrf", pass.text), ("website", ""), ("contributor", "Carl"), ("contributor_email", ""),
                    ("field.title", title), ("field.body", "<p>By the harbor.</p>"),
                ],
                headers: ["Sec-Fetch-Site": "cross-site"])
        }
        #expect(try await send("One").status == 201)
        let visit = try await fixture.browser(.administrator)
        let page = try await visit.visit(AdminURL.contributorStatus(try await id(fixture, "Carl")))
        #expect(page.says("Anyone can enter this name") && !page.hasButton("Trust contributor"))
        _ = try await visit.press("Block contributor", on: page, filling: ["reason": "Advertises"])
        let refused = try await send("Two")
        #expect(refused.status == 403 && refused.says("This contributor is blocked. Nothing was stored."))
        #expect(refused.html.contains("By the harbor.") && refused.html.contains("value=\"Two\""))
    }

    @Test("The export has 1,000 submissions at most, and is refused rather than cut; the review page counts as many")
    func longExport() async throws {
        let fixture = try await AdminFixture.make()
        let submission = try await fixture.submit("Story")
        let visit = try await fixture.browser(.administrator)
        let contributor = try await id(fixture)
        func copy(_ count: Int) async throws {
            try await fixture.test.client.transaction { transaction in
                // Copies have no audit events, so the checks of the triggers are left out.
                try await transaction.execute("set local session_replication_role = replica")
                try await transaction.execute(
                    """
                    insert into curation.submission
                    select (jsonb_populate_record(null::curation.submission, to_jsonb(s)
                        || jsonb_build_object('id', gen_random_uuid(), 'idempotency_key', gen_random_uuid()))).*
                    from (select * from curation.submission limit 1) s cross join generate_series(1, \(count))
                    """)
            }
        }
        func record() async throws -> Substring {
            contributorCard(try await visit.visit(AdminURL.submission(submission)))
        }
        try await copy(998)
        #expect(try await record().contains("999 submissions, 0 approved, last "))
        try await copy(1)
        #expect(try await record().contains("Latest 1,000 submissions: 0 approved, last "))
        let full = try await visit.visit(AdminURL.contributorExport(contributor))
        #expect(full.status == 200 && full.html.split(separator: "\n").count == 1000)
        try await copy(1)
        let refused = try await visit.visit(AdminURL.contributorExport(contributor))
        #expect(refused.status == 409 && refused.says("vitrine contributor export \(contributor)"))
    }

    @Test("Erasing asks first, names what stays, and is refused while something is pending")
    func erase() async throws {
        let fixture = try await AdminFixture.make()
        let submission = try await fixture.submit("Private words")
        let visit = try await fixture.browser(.administrator)
        let contributor = try await id(fixture)
        let export = try await visit.visit(AdminURL.contributorExport(contributor))
        #expect(
            export.headers["Content-Type"] == "application/jsonl; charset=utf-8"
                && export.html.contains("Private words"))
        let refused = try await visit.visit(AdminURL.contributorErase(contributor))
        #expect(refused.says("1 pending or held") && !refused.hasButton("Erase data"))
        #expect(try await visit.post(AdminURL.contributorErase(contributor), []).status == 422)
        _ = try await fixture.test.services.decideSubmission(
            submission, Decision.Draft(verdict: .reject, reason: .spam), version: 0, by: TestDatabase.administrator)
        let ask = try await visit.visit(AdminURL.contributorErase(contributor))
        #expect(ask.says("This can't be undone."))
        let erased = try await visit.follow(try await visit.press("Erase data", on: ask))
        #expect(erased.says("Erased the contributor's data in 1 submission.") && !erased.says("user-1"))
        let page = try await visit.visit(AdminURL.submission(submission))
        #expect(page.status == 200 && !page.html.contains("Private words") && !page.html.contains("user-1"))
        #expect(page.says("The data of the contributor was erased, so this can't be decided again."))
        #expect(!page.hasButton("Undo decision"))
        #expect(try await visit.post(AdminURL.submissionUndo(submission), [("version", "1")]).status == 422)
    }
}
