// Tests the home page: each number against the list that it leads to, per role, and the checklist.
import Domain
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("The home page", .databases)
struct HomePagesTests {
    /// The number and the URL of a line of "Needs attention"; nil if it isn't shown.
    private func line(_ label: String, _ page: BrowserPage) throws -> (count: String, url: String)? {
        let links = PageReader(String(page.main)).links
        guard let link = links.first(where: { $0.text.hasPrefix(label) }) else { return nil }
        return (String(try #require(link.text.split(separator: " ").last)), link.url)
    }

    private func titles(_ page: BrowserPage) -> [String] {
        page.links.filter { $0.url.hasPrefix("/queue/0") }.map(\.text)
    }

    private func reject(_ id: ID<Submission>, _ browser: Browser) async throws {
        _ = try await browser.press("Reject", on: browser.visit("/queue/\(id)"), filling: ["reason": "spam"])
    }

    @Test("Without anything to do it says so, for every role")
    func calm() async throws {
        let fixture = try await AdminFixture.make()
        for role in Role.presets {
            let page = try await fixture.browser(role, name: "Ann Example").visit("/")
            #expect(page.status == 200 && page.says("Hello, Ann"))
            #expect(page.says("Nothing is scheduled.") && page.says("Decisions, last 14 days"))
            #expect(try line("Pending for more", page) == nil && line("Failed", page) == nil)
        }
    }

    @Test("Overdue: from the target hours on, and the list behind it shows the same submissions")
    func overdue() async throws {
        let fixture = try await AdminFixture.make()
        for (title, age) in [
            ("Just due", "24 hours 1 second"), ("Not yet due", "23 hours 59 minutes"), ("New", "1 hour"),
        ] {
            let id = try await fixture.submit(title)
            _ = try await fixture.test.client.run(
                "update curation.queue_item set received_at = now() - \(age)::interval where submission_id = \(id)")
        }
        let browser = try await fixture.browser(.curator)
        let overdue = try #require(try line("Pending for more than 24 h", try await browser.visit("/")))
        #expect(overdue.count == "1")
        #expect(titles(try await browser.visit(overdue.url)) == ["Just due"])
    }

    @Test("Assigned, claimed, resubmitted and appealed submissions, and mentions, of the signed-in person only")
    func own() async throws {
        let fixture = try await AdminFixture.make()
        let ann = try await fixture.test.actor(.curator, name: "Ann", from: "192.0.2.7")
        let (one, two) = (try await fixture.submit("One"), try await fixture.submit("Two"))
        let account = try #require(ann.id)
        _ = try await fixture.test.client.run(
            "update curation.queue_item set assigned_to = \(account), reopened_by = 'appeal' where submission_id = \(one)"
        )
        _ = try await fixture.test.client.run(
            """
            update curation.queue_item set reopened_by = 'resubmit', claimed_by = \(account),
                claimed_until = now() + interval '1 hour' where submission_id = \(two)
            """)
        let browser = fixture.browser(of: ann)
        let page = try await browser.visit("/")
        for (label, title) in [
            ("Assigned to you", "One"), ("Claimed by you", "Two"), ("Appeals", "One"), ("Resubmitted", "Two"),
        ] {
            let found = try #require(try line(label, page), "\(label)")
            #expect(found.count == "1")
            #expect(titles(try await browser.visit(found.url)) == [title])
        }
        let lines = page.main.ranges(of: "<span class=\"action\">").count
        #expect(page.says("Pending submissions") && page.says("Needs attention \(lines)"), "with the pending ones")
        let other = try await fixture.browser(.curator, name: "Bob").visit("/")
        #expect(try line("Assigned to you", other) == nil && line("Claimed by you", other) == nil)
        #expect(try line("Appeals", other)?.count == "1")
    }

    @Test("Unfinished: the newest five forms with unsaved text of the signed-in person, each with its link")
    func unfinished() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .editor, name: "Ann")
        #expect(try await !browser.visit("/").says("Unfinished"))
        for number in 1...6 {
            let typed = JSONValue.array([.array(["field.title", .string("Walk \(number)")])]).canonicalText
            let saved = try await browser.post(
                "/autosaves",
                [
                    ("form", "/entries/new?type=article&n=\(number)"), ("title", "New article"), ("tab", "one"),
                    ("sequence", "1"), ("fields", typed),
                ])
            #expect(saved.status == 200)
        }
        let page = try await browser.visit("/")
        let lines = page.links.filter { $0.url.hasPrefix("/entries/new?type=article&n=") }
        #expect(lines.map { String($0.url.suffix(1)) } == ["6", "5", "4", "3", "2"])
        #expect(lines.allSatisfy { $0.text.contains("New article") && $0.text.contains("Walk \($0.url.suffix(1))") })
        #expect(try page.link("Show all unfinished") == "/autosaves")
        #expect(try await !fixture.browser(.editor, name: "Bob").visit("/").says("Walk"))
    }

    @Test("Publishing next: releases with what they contain and promotions, earliest first, with a preview of the time")
    func next() async throws {
        let fixture = try await AdminFixture.make()
        let coming = try WallTime(local: "2999-01-01T00:00", zone: "UTC")
        _ = try await fixture.article("Advent markets", .at(coming))
        let page = try await fixture.browser(.publisher, name: "Ann").visit("/")
        #expect(page.says("Publishing next 1") && page.says("Advent markets") && page.says("Articles: 1"))
        #expect(page.says("2999-01-01 00:00 UTC"))
        let preview = try #require(page.links.first { $0.text == "Preview" && $0.url.hasPrefix("/previews?") })
        #expect(preview.url.contains("local=2999-01-01T00%3A00&zone=UTC"))
        let curator = try await fixture.browser(.curator, name: "Bob").visit("/")
        #expect(curator.says("Advent markets") && !curator.links.contains { $0.url.hasPrefix("/previews?") })
        #expect(page.main.firstMatch(of: /<p class="muted">[A-Z][a-z]{2}, [A-Z][a-z]+ \d+, \d\d:\d\d UTC<\/p>/) != nil)

        guard TestPack.places.isEnabled else { return }
        let center: JSONValue = .object(["lat": .int(1), "lon": .int(2)])
        let city = try await fixture.publish("city", "Bath", ["center": center])
        let place = try await fixture.publish(
            "place", "Palace",
            [
                "city": .entry(city), "address": "1 Quay", "point": center, "image": "https://images.example/a.jpg",
                "categories": .entries([SeedEntry.unsorted]),
            ])
        func time(_ hours: Double) -> JSONValue {
            .string(InstantText.text(Date(timeIntervalSinceNow: hours * 3600), milliseconds: false))
        }
        try await fixture.publish(
            "promotion", "Pizza Fridays", ["place": .entry(place), "starts_at": time(-48), "ends_at": time(48)])
        let both = try await fixture.browser(.publisher, name: "Cleo").visit("/")
        #expect(both.says("Publishing next 2") && both.says("Ends · Promotion") && !both.says("Starts · Promotion"))
        let order = ["Pizza Fridays", "Advent markets"].compactMap { both.main.firstRange(of: $0)?.lowerBound }
        #expect(order.count == 2 && order == order.sorted())
    }

    @Test("R12: in the hour that a clock change repeats, what comes first is published next, whatever the clocks show")
    func repeatedHour() async throws {
        let fixture = try await AdminFixture.make()
        // 02:30 in summer time, then 02:10 in winter time.
        for (title, local) in [("Summer", "2099-10-25T00:30"), ("Winter", "2099-10-25T01:10")] {
            _ = try await fixture.article(title, .at(WallTime(local: local, zone: "UTC")))
        }
        let browser = try await fixture.browser(.publisher, name: "Ann")
        _ = try await browser.press("Save time zone", on: browser.visit("/account"), filling: ["zone": "Europe/Berlin"])
        let page = try await browser.visit("/")
        let shown = page.main.matches(of: /2099-10-25 02:\d0 Europe\/Berlin/).map { String($0.0) }
        #expect(shown == ["2099-10-25 02:30 Europe/Berlin", "2099-10-25 02:10 Europe/Berlin"])
    }

    @Test("Failures are shown to those who can act: tasks to publishers, mails and webhooks to administrators")
    func failures() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.test.client.run(
            "insert into ops.task (kind, state, last_error, finished_at) values ('trial', 'failed', 'no', now())")
        _ = try await fixture.test.client.run(
            """
            insert into ops.outbox_message (body, state, last_error, finished_at, key, recipient, locale, subject, dedupe)
            values ('Text', 'failed', 'no', now(), 'mail.trial', 'a@example.org', 'en', 'Trial', 'trial')
            """)
        let labels = ["Failed background tasks", "Failed mails"]
        for (role, shown) in [(Role.curator, []), (.editor, []), (.publisher, [labels[0]]), (.administrator, labels)] {
            let browser = try await fixture.browser(role)
            let page = try await browser.visit("/")
            for label in labels {
                let lines = page.links.filter { $0.text == "\(label) Retry 1" && $0.url.contains("kind=") }
                #expect(lines.count == (shown.contains(label) ? 1 : 0), "\(role.name): \(label)")
                for line in lines { #expect(try await browser.visit(line.url).status == 200) }
            }
        }
    }

    @Test("Broken streams are those of newest versions by their newest check, and can be listed")
    func streams() async throws {
        let fixture = try await AdminFixture.make()
        for (title, url) in [("Broken", "https://a.example/1.m3u8"), ("Sound", "https://a.example/2.m3u8")] {
            try await fixture.publish("video", title, ["hls_url": .string(url)], publishTiming: .draft)
        }
        let checks: [(String, [PlaylistFinding])] = [
            ("1", [.media(3), .unreachable("no response")]), ("2", [.unreachable("no response"), .media(3)]),
        ]
        for (name, findings) in checks {
            for finding in findings {
                let event = AuditEvent("video.verify", on: "entry")
                try await fixture.test.database.transaction(by: TestDatabase.administrator, event) {
                    try await $0.playlists.record(
                        finding, of: "https://a.example/\(name).m3u8", isPasted: false, by: TestDatabase.administrator)
                }
            }
        }
        let browser = try await fixture.browser(.editor)
        let broken = try #require(try line("Broken video streams", try await browser.visit("/")))
        #expect(broken.count == "1")
        let list = try await browser.visit(broken.url)
        #expect(
            list.says("Broken") && list.links.contains { $0.text == "Broken" }
                && !list.links.contains { $0.text == "Sound" })
        #expect(try line("Broken video streams", try await fixture.browser(.curator).visit("/")) == nil)
    }

    @Test("The newest mention is shown with what it says, in one line of at most 100 characters")
    func mention() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .curator, name: "Ann")
        let bob = try await fixture.test.actor(.curator, name: "Bob")
        let submission = try await fixture.submit("Nine cafés")
        // With the name, 99, 100 and 101 characters.
        for (count, end) in [(93, "!"), (94, "!"), (95, "…")] {
            let words = "L" + String(repeating: "o", count: count - 1)
            try await fixture.test.services.addNote("@Ann\n\(words)!", on: .submission(submission), by: bob)
            #expect(try await browser.visit("/").says("Bob on “Nine cafés”: @Ann \(words)\(end)"), "\(count)")
        }
    }

    @Test("Activity is in sentences, newest first; the same action of a person in a row is one")
    func activity() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .publisher, name: "Ann")
        for title in ["First", "Second", "Third"] {
            let id = try await fixture.submit(title)
            try await reject(id, browser)
        }
        let page = try await browser.visit("/")
        #expect(page.says("Ann rejected “Third” and 2 more"))
        let scoped = try await fixture.browser(.curator).visit("/")
        #expect(scoped.says("Ann rejected “Third”"))
        let audit = try await fixture.browser(.administrator).visit("/audit?action=submission.reject")
        #expect(
            audit.says("Ann rejected “Third”") && audit.says("submission.reject"), "the audit trail has the same words")
    }

    @Test("Activity says what the schedule published, among what people did; nothing else of the system")
    func scheduledActivity() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.article("Weekend list", .at(try WallTime(local: "2999-01-01T00:00", zone: "UTC")))
        let browser = try await fixture.browser(.publisher, name: "Ann")
        #expect(try await !browser.visit("/").says("Schedule published"))
        let release = try #require(try await fixture.test.database.releases.scheduled().first)
        try await fixture.makeDue(release.number)
        #expect(try await fixture.test.services.publishRelease.due().count == 1)
        try await reject(try await fixture.submit("Later"), browser)
        let page = try await browser.visit("/")
        let lines = PageReader(String(page.main)).links.filter { $0.text.contains("Schedule published the release") }
        #expect(lines.map(\.url) == ["/releases/\(release.number)"])
        #expect(lines.first?.text.contains("“\(release.title)”") == true)
        let sentences = ["Ann rejected “Later”", "Schedule published"]
        let order = sentences.compactMap { page.text.firstRange(of: $0)?.lowerBound }
        #expect(order.count == 2 && order == order.sorted())
    }

    @Test("Activity names trust and blocks, decided reports, imports, snoozes and settings, each with its page")
    func otherActivity() async throws {
        let fixture = try await AdminFixture.make()
        let (test, services) = (fixture.test, fixture.test.services)
        let ann = try await test.actor(.publisher, name: "Ann", from: "192.0.2.7")
        let submission = try await fixture.submit("A walk", contributor: "m.okafor")
        let contributor: ID<Contributor> = try await test.client.one(
            "select id from curation.contributor where name = 'm.okafor'")("id")
        let entry = try await fixture.article("Buy my book")
        let app = try await test.clientActor([.report])
        _ = try await services.receiveReport(ReportDraft(.id(entry), .spam), by: app)
        let report = try #require(
            try await test.database.reportCases.page(ReportCaseFilter(), cursor: nil, limit: 1).items.first)
        let setting: ID<Entry> = try await test.client.one(
            "select id from api_v1.setting where key = 'premium.trial_days'")("id")
        try await services.manageContributor.set(
            ContributorStatusDraft(.trusted, reason: "Good"), on: contributor, by: ann)
        try await services.manageContributor.lift(.trusted, of: contributor, by: ann)
        try await services.manageContributor.set(
            ContributorStatusDraft(.blocked, reason: "Spam"), on: contributor, by: ann)
        try await services.manageContributor.lift(.blocked, of: contributor, by: ann)
        try await services.decideReport(report.id, ReportDecisionDraft(.noAction, note: "Checked"), by: ann)
        // A file is imported in parts.
        for title in ["One", "Two"] {
            let fields: [String: JSONValue] = [
                "title": .string(title), "body": .string("<p>x</p>"),
                "categories": .array([.entry(SeedEntry.unsorted)]),
            ]
            let (draft, _) = try await fixture.write.newDraft(type: "article", fields: fields, by: ann)
            _ = try await fixture.write.importAll([draft], from: "walks.csv", publishTiming: .draft, by: ann)
        }
        try await services.triageSubmission.snooze(submission, until: .hours(4), by: ann)
        try await fixture.change(setting, "value", to: "14", .now, by: ann)

        let page = try await fixture.browser(of: ann).visit("/")
        let expected: [(sentence: String, url: String?)] = [
            ("Ann changed the setting “Free trial (days)”", "/settings#value-\(setting)"),
            ("Ann snoozed “A walk”", "/queue/\(submission)"),
            ("Ann imported entries from “walks.csv”", nil),
            ("Ann decided the reports of “Buy my book”", "/reports/\(report.id)"),
            ("Ann unblocked the contributor “m.okafor”", "/contributors/\(contributor)"),
            ("Ann blocked the contributor “m.okafor”", "/contributors/\(contributor)"),
            ("Ann stopped trusting the contributor “m.okafor”", "/contributors/\(contributor)"),
            ("Ann trusted the contributor “m.okafor”", "/contributors/\(contributor)"),
        ]
        for (sentence, url) in expected {
            #expect(page.says(sentence) && !page.says("\(sentence) and "), "\(sentence)")
            if let url { #expect(page.links.contains { $0.text.contains(sentence) && $0.url == url }, "\(sentence)") }
        }
    }

    @Test("Decisions of each day, with the median time to decision of all days and a table")
    func decisions() async throws {
        await avoidEndOfHour()
        let (fixture, browser) = try await AdminFixture.visited(by: .publisher, name: "Ann")
        for title in ["First", "Second", "Third"] {
            let id = try await fixture.submit(title)
            try await reject(id, browser)
        }
        // After 1, 2 and 3 hours and a minute.
        func move(_ change: SQL) async throws {
            try await fixture.test.writeUnchecked(change)
        }
        try await move(
            """
            update curation.submission s set received_at = d.decided_at - make_interval(hours => n.n::integer, mins => 1)
            from curation.decision d, (select id, row_number() over (order by id) as n from curation.submission) n
            where d.submission_id = s.id and n.id = s.id
            """)
        let page = try await browser.visit("/")
        #expect(page.says("3 decisions (UTC days) · median time to decision: 2 h · 95th percentile: 3 h"))
        let statistics = try await browser.visit("/queue/statistics")
        #expect(
            statistics.html.contains("Ann: median 2 h, 95th percentile 3 h"), "the same decisions have the same values")
        // The last one was decided a day earlier.
        try await move(
            """
            with late as (select id from curation.submission order by id desc limit 1),
                received as (
                    update curation.submission s set received_at = received_at - interval '1 day' from late where s.id = late.id)
            update curation.decision d set decided_at = decided_at - interval '1 day' from late where d.submission_id = late.id
            """)
        let days = try await DecisionDays().last(14, fixture.test.database)
        #expect(days.count == 14 && days.suffix(3).map(\.decisions) == [0, 1, 2])
        #expect(days.suffix(2).map { DecisionDay.wait(percentile: 50, of: [$0]) } == [3 * 3600, 3600])
    }

    @Test(
        "The median and the 95th percentile of waits over several days, at their boundaries",
        arguments: [
            ([[], []], nil, nil),
            ([[60], []], 60, 60),
            ([[120], [60]], 60, 120),
            ([[7200, 60], [120]], 120, 7200),
            // 19 of 20 are 95 %, 18 of 19 less.
            ([Array(repeating: 60, count: 19), [7200]], 60, 60),
            ([Array(repeating: 60, count: 18), [7200]], 60, 7200),
        ] as [([[Int]], Int?, Int?)])
    func percentiles(waits: [[Int]], median: Int?, percentile95: Int?) {
        let days = waits.map { DecisionDay(day: "", waits: $0.map { DecisionDay.Wait(seconds: $0, decisions: 1) }) }
        #expect(DecisionDay.wait(percentile: 50, of: days) == median)
        #expect(DecisionDay.wait(percentile: 95, of: days) == percentile95)
    }

    @Test("The checklist ticks itself from what is in the database, and ends when all is done")
    func checklist() async throws {
        let (fixture, admin) = try await AdminFixture.visited(by: .administrator)
        func done() async throws -> Int? {
            let text = try await admin.visit("/").text
            return (0...6).first { text.contains("\($0) of 6") }
        }
        #expect(try await fixture.browser(.publisher).visit("/").says("Get started") == false)
        // Two accounts, by now, and the client of the fixture.
        #expect(try await done() == 2)
        _ = try await fixture.feed()
        #expect(try await done() == 3)
        let submission = try await fixture.submit()
        #expect(try await done() == 4)
        let page = try await admin.visit("/queue/\(submission)")
        _ = try await admin.press("Approve and publish", on: page)
        #expect(try await done() == 5)
        let client = try #require(fixture.client.id)
        _ = try await fixture.test.client.run(
            "insert into ops.client_use (client_id, used_at) values (\(client), now())")
        #expect(try await done() == nil)
    }

    @Test("Administrators dismiss the checklist, for everybody; nobody else may")
    func dismiss() async throws {
        let (fixture, admin) = try await AdminFixture.visited(by: .administrator)
        let page = try await admin.visit("/")
        #expect(page.says("Get started"))
        #expect(try await fixture.browser(.publisher).post("/checklist/dismiss", []).status == 403)
        #expect(try await admin.press("Dismiss", on: page).says("Get started") == false)
        let events = try await fixture.test.client.query(
            "select from ops.audit_event where action = 'checklist.dismiss'")
        #expect(events.count == 1)
    }
}
