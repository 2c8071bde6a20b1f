// Tests the frame of all pages: what the navigation contains per role, its counts, and the environment.
import Domain
import Operations
import Platform
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("The frame of all pages", .databases)
struct NavigationTests {
    private func navigation(_ page: BrowserPage) -> String {
        let start = page.html.firstRange(of: "<nav class=\"sidebar\"")?.lowerBound ?? page.html.endIndex
        let end = page.html[start...].firstRange(of: "</nav>")?.upperBound ?? page.html.endIndex
        return String(page.html[start..<end])
    }

    private func marked(_ page: BrowserPage) -> [String] {
        navigation(page).matches(of: /href="([^"]*)" aria-current="page"/).map { String($0.1) }
    }

    @Test("Only what the person may open is linked, and the page that is open is marked once")
    func roles() async throws {
        let fixture = try await AdminFixture.make()
        let curator = navigation(try await fixture.browser(.curator).visit("/queue"))
        #expect(curator.contains("\"/queue\"") && !curator.contains("/accounts") && !curator.contains("/webhooks"))
        let browser = try await fixture.browser(.administrator)
        for url in ["/", "/queue", "/queue/statistics", "/entries", "/entries?type=article", "/releases", "/audit"] {
            let page = try await browser.visit(url)
            #expect(navigation(page).contains("/accounts") && navigation(page).contains("/webhooks"))
            #expect(marked(page) == [url], "\(url)")
        }
    }

    @Test("All pages of an entry mark the link of its type")
    func entries() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .publisher)
        let article = try await fixture.article("A walk")
        try await fixture.change(article, "slug", to: "a-longer-walk")
        let (category, feed) = (try await fixture.category("Walks"), try await fixture.feed())
        let articles = ["", "/revisions", "/history", "/history/1/2", "/restore?number=1", "/unpublish"].map {
            ("/entries/\(article)\($0)", "/entries?type=article")
        }
        let others = ["", "/revisions", "/history"].flatMap {
            [("/entries/\(category)\($0)", "/categories"), ("/entries/\(feed)\($0)", "/feeds")]
        }
        let lists = [("/entries/new?type=article", "/entries?type=article"), ("/entries?type=feed", "/entries")]
        for (url, link) in articles + others + lists {
            #expect(marked(try await browser.visit(url)) == [link], "\(url)")
        }
    }

    @Test("Rare links of a long group are folded, unless the open page is among them", .packs(.places))
    func folded() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .administrator)
        for number in 1...3 { try await fixture.article("Article \(number)", .draft) }
        let home = navigation(try await browser.visit("/"))
        let fold = try #require(home.firstRange(of: "<summary>More content</summary>")).lowerBound
        #expect(home[..<fold].hasSuffix("<details>\n          "), "it is closed")
        let end = try #require(home[fold...].firstRange(of: "</details>")).lowerBound
        #expect(home[fold..<end].contains("\"/settings\"") && !home[fold..<end].contains("type=article"))
        #expect(!home[fold..<end].contains("\"/releases\""), "other groups are whole")
        let settings = try await browser.visit("/settings")
        #expect(navigation(settings).contains("<details open>\n          <summary>More content</summary>"))
        #expect(marked(settings) == ["/settings"])
    }

    @Test("What may be created is one menu: curators suggest entries, administrators create clients, too")
    func create() async throws {
        let fixture = try await AdminFixture.make()
        let curator = try await fixture.browser(.curator).visit("/")
        #expect(try curator.link("Article") == "/entries/new?type=article")
        #expect(throws: PageForm.NoControl.self) { try curator.link("API client") }
        #expect(try await fixture.browser(.administrator).visit("/").link("API client") == "/clients#name")
    }

    @Test("Counts are those of this moment; they stop at 99")
    func counts() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .administrator)
        #expect(try await browser.visit("/").links.contains { $0.text == "Pending" })
        try await fixture.submit()
        #expect(try await browser.visit("/").links.contains { $0.text == "Pending 1" })
        let insert: (Int) async throws -> Void = { number in
            _ = try await fixture.test.client.run(
                """
                insert into ops.task (kind, state, last_error, finished_at)
                select 'trial', 'failed', 'no', now() from generate_series(1, \(number)::integer)
                """)
        }
        try await insert(99)
        #expect(navigation(try await browser.visit("/")).contains("99 failed"))
        try await insert(1)
        #expect(navigation(try await browser.visit("/")).contains("99+ failed"))
    }

    /// The lines of the notifications menu, without what the rest of the page links to.
    private func notifications(_ page: BrowserPage) throws -> [(url: String, text: String)] {
        let start = try #require(page.html.firstRange(of: "aria-label=\"Notifications: ")).upperBound
        let end = try #require(page.html[start...].firstRange(of: "</details>")).lowerBound
        return PageReader(String(page.html[start..<end])).links
    }

    private func titles(_ page: BrowserPage) -> [String] {
        PageReader(String(page.main)).links.filter { $0.url.hasPrefix("/queue/0") }.map(\.text)
    }

    @Test(
        "Notifications: what is assigned to the person or returned after their request, and appeals; each leads to its list"
    )
    func notificationsMenu() async throws {
        let fixture = try await AdminFixture.make()
        let (test, services) = (fixture.test, fixture.test.services)
        let ann = try await test.actor(.curator, name: "Ann", from: "192.0.2.7")
        let bob = try await test.actor(.curator, name: "Bob", from: "192.0.2.7")
        #expect(try notifications(try await fixture.browser(of: ann).visit("/")).isEmpty)
        func respond(_ title: String, _ draft: Decision.Draft, by actor: Actor, _ button: String) async throws {
            let id = try await fixture.submit(title)
            _ = try await services.decideSubmission(id, draft, version: nil, by: actor)
            let key = try #require(AdminFixture.statusKey).text(for: id.bytes, edition: 1)
            let visitor = fixture.stranger
            var form = try await visitor.visit("/s/\(key)").form(button)
            if button == "Send appeal" { try form.fill("text", "Please look again.") }
            #expect(try await visitor.press(button, in: form).status == 200)
        }
        let change = Decision.Draft(verdict: .requestChanges, message: "Name the cafés, please.")
        try await respond("Back to Ann", change, by: ann, "Resubmit")
        try await respond("Back to Bob", change, by: bob, "Resubmit")
        try await respond("Not fair", Decision.Draft(verdict: .reject, reason: .offTopic), by: bob, "Send appeal")
        let assigned = try await fixture.submit("For Ann")
        try await services.triageSubmission.assign(
            assigned, to: .account(ID<Account>(try #require(ann.id))), by: bob)

        let browser = fixture.browser(of: ann)
        let page = try await browser.visit("/entries")
        let lines = try notifications(page)
        #expect(lines.map(\.text) == ["Assigned to you 1", "Resubmitted after your request 1", "Appeals 1"])
        #expect(page.holds("aria-label=\"Notifications: 3\""))
        for (line, title) in zip(lines, ["For Ann", "Back to Ann", "Not fair"]) {
            #expect(titles(try await browser.visit(line.url)) == [title], "\(line.text)")
        }
        let his = try notifications(try await fixture.browser(of: bob).visit("/entries"))
        #expect(his.map(\.text) == ["Resubmitted after your request 1", "Appeals 1"])
        #expect(titles(try await fixture.browser(of: bob).visit(his[0].url)) == ["Back to Bob"])
        // The filter is in the form, too.
        #expect(try await browser.visit("/queue").holds("<option value=\"resubmit_to_me\">"))
        let reader = try await fixture.browser(try await test.role("reader", [.readQueue]))
        #expect(try notifications(try await reader.visit("/entries")).isEmpty, "who decides nothing need not act")

        try await services.triageSubmission.snooze(assigned, until: .hours(1), by: bob)
        let snoozed = try notifications(try await browser.visit("/entries"))
        #expect(snoozed.map(\.text) == ["Resubmitted after your request 1", "Appeals 1"])
    }

    @Test("Failed mails, disabled webhooks and a failing classifier are a banner on every page of administrators")
    func failures() async throws {
        let settings = [
            "VITRINE_CLASSIFIER_URL": "https://classifier.example.org/classify",
            "VITRINE_CLASSIFIER_SECRET": SigningSecret(key: [UInt8](repeating: 1, count: 32)).text,
        ]
        let fixture = try await AdminFixture.make(settings: settings)
        let client = fixture.test.client
        let administrator = try await fixture.browser(.administrator)
        let banner = "aria-label=\"Failures\""
        #expect(try await !administrator.visit("/queue").holds(banner))
        try await client.execute(
            """
            insert into ops.outbox_message (body, state, last_error, finished_at, key, recipient, locale, subject, dedupe)
            select 'Text', 'failed', 'no', now(), 'mail.trial', 'a@example.org', 'en', 'Trial', n::text
            from generate_series(1, 2) n
            """)
        let mails = try await administrator.visit("/queue")
        #expect(mails.says("Failed mails: 2.") && !mails.says("Disabled webhooks") && !mails.says("doesn't respond"))
        let id = ID<Webhook>(UUIDv7.make())
        let actor = TestDatabase.administrator
        try await fixture.test.database.transaction(by: actor, AuditEvent("webhook.create", on: "webhook")) {
            try await $0.webhooks.add(
                id: id, url: "https://hooks.example.org/", note: "", events: [.entryPublished], secret: [1], by: actor)
            _ = try await $0.webhooks.disable(id, because: "It is gone.")
        }
        try await client.execute(
            """
            insert into ops.outbox_message (webhook_id, type, body, state, attempts, last_error, finished_at)
            values (\(id), 'webhook.test', '{}', 'failed', 10, 'Status 500', now())
            """)
        try await client.execute(
            """
            update ops.classifier set failures = 5, failing_since = now(), last_error = 'no', pause_seconds = 60,
                open_until = now() + interval '1 minute'
            """)
        let pages = [
            ("Show failed mails", "/tasks"), ("Show webhooks", "/webhooks"), ("Show external classifier", "/screening"),
        ]
        for path in ["/", "/queue", "/entries", "/settings"] {
            let page = try await administrator.visit(path)
            #expect(page.says("Failed mails: 2.") && page.says("Disabled webhooks: 1.") && page.says("doesn't respond"))
            for (label, url) in pages { #expect(try page.link(label).hasPrefix(url), "\(path)") }
            #expect(try await !fixture.browser(.publisher).visit(path).holds(banner), "\(path)")
        }
        let failed = try await administrator.visit(try mails.link("Show failed mails"))
        #expect(failed.status == 200 && failed.holds("mail.trial") && !failed.holds("webhook.test"))
        // Without a classifier there is nothing to repair, whatever the breaker was.
        let without = try await AdminFixture.make(on: fixture.test).browser(.administrator).visit("/queue")
        #expect(without.holds(banner) && !without.says("doesn't respond"))
    }

    @Test("Failed background tasks are a banner on every page of people who can retry them")
    func failedTasks() async throws {
        let (fixture, publisher) = try await AdminFixture.visited(by: .publisher)
        let banner = "aria-label=\"Failures\""
        try await fixture.test.client.execute("insert into ops.task (kind) values ('trial')")
        #expect(try await !publisher.visit("/queue").holds(banner))
        try await fixture.test.client.execute(
            """
            insert into ops.task (kind, state, last_error, finished_at)
            select 'trial', 'failed', 'The moon was full.', now() from generate_series(1, 2)
            """)
        for path in ["/", "/queue", "/entries", "/tasks"] {
            let page = try await publisher.visit(path)
            #expect(page.holds(banner) && page.says("Failed background tasks: 2."), "\(path)")
            #expect(try await !fixture.browser(.editor).visit(path).holds(banner), "\(path)")
        }
        let shown = try await publisher.click("Show failed tasks", on: try await publisher.visit("/queue"))
        #expect(shown.says("The moon was full.") && shown.holds("/retry\""))
    }

    @Test("A restricted account sees counts of its types only")
    func scope() async throws {
        let fixture = try await AdminFixture.make()
        try await fixture.submit("A walk")
        try await fixture.submit("A film", type: "video")
        let browser = try await fixture.browser(.curator, name: "Ann")
        let account = try #require(try await fixture.test.database.accounts.list().first { $0.name == "Ann" })
        try await fixture.test.services.manageAccount.setScope(
            account, AccessScope(types: ["video"], groups: []), by: TestDatabase.administrator)
        let page = try await browser.visit("/queue")
        #expect(page.links.contains { $0.text == "Pending 1" })
        #expect(!navigation(page).contains("type=article") && navigation(page).contains("type=video"))
    }

    @Test("Lists have no link that an account with an access scope can't open")
    func linksInScope() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .publisher, name: "Ann")
        let links = ["/publications": AdminURL.publicationsPlan(), "/media": AdminURL.externalImages()]
        for (list, url) in links {
            #expect(try await browser.visit(list).links.contains { $0.url == url }, "\(list)")
        }
        let account = try #require(try await fixture.test.database.accounts.list().first { $0.name == "Ann" })
        try await fixture.test.services.manageAccount.setScope(
            account, AccessScope(types: ["video"], groups: []), by: TestDatabase.administrator)
        for (list, url) in links {
            #expect(try await !browser.visit(list).links.contains { $0.url == url }, "\(list)")
            #expect(try await browser.get(url).status == 403, "\(url)")
        }
    }

    @Test("Production never looks like test", arguments: ["production", "test", "development"])
    func environment(_ name: String) async throws {
        let fixture = try await AdminFixture.make(environment: name)
        for page in [try await fixture.stranger.visit("/login"), try await fixture.browser(.curator).visit("/queue")] {
            #expect(page.html.contains("<body class=\"env-\(name)") && page.says(name))
        }
        let design = try await fixture.browser(.curator).visit("/design")
        #expect(design.status == (name == "development" ? 200 : 404))
    }
}
