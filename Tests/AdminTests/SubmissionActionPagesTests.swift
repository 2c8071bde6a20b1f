// Tests the queue's actions: duplicates, snoozing, assigning, notes, claims, saved views, counts and statistics.
import Domain
import FoundationEssentials
import HTTP
import Operations
import Store
import TestSupport
import Testing

@Suite("Submission actions in the browser", .databases)
struct SubmissionActionPagesTests {
    @Test("The original of a duplicate is found by title or given by URL; the history links to it")
    func duplicate() async throws {
        let fixture = try await AdminFixture.make()
        let original = try await fixture.submit("Ten cafés by the water")
        let id = try await fixture.submit("Cafés, ten of them")
        let other = try await fixture.submit("Cafés, once more")
        let browser = try await fixture.browser(.curator)
        let nothing = try await browser.press("Mark as duplicate", on: try await browser.visit("/queue/\(id)"))
        #expect(nothing.status == 422 && nothing.links.contains { $0.url == "#original" })

        var form = try nothing.form("Mark as duplicate")
        try form.fill("original_q", "water")
        let found = try await browser.press("Search", in: form)
        #expect(found.status == 200 && found.says("Ten cafés by the water"))
        #expect(try await fixture.state(id) == .pending)
        let done = try await browser.press("Mark as duplicate", on: found, ticking: ["original": original.description])
        #expect(done.says("Marked “Cafés, ten of them” as a duplicate."))
        let seen = try await browser.visit("/queue/\(id)")
        #expect(try seen.link("Ten cafés by the water") == "/queue/\(original)")

        var none = try await browser.visit("/queue/\(other)").form("Mark as duplicate")
        try none.fill("original_q", "zeppelin")
        #expect(try await browser.press("Search", in: none).says("No titles match."))
        try none.fill("original_url", "https://vitrine.example.org/entries/nothing")
        let wrong = try await browser.press("Mark as duplicate", in: none)
        #expect(wrong.status == 422 && wrong.says("No submission or entry has this ID or URL."))
        #expect(try wrong.form("Mark as duplicate").value("original_url")?.hasSuffix("nothing") == true)
        try none.fill("original_url", "https://vitrine.example.org/queue/\(original)?type=article")
        #expect(try await browser.press("Mark as duplicate", in: none).says("Marked “Cafés, once more”"))
        #expect(try await fixture.state(other) == .duplicate)
    }

    @Test("Snoozing leads to the next submission, with an undo; an invalid time is rejected at its field")
    func snooze() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit("First")
        let next = try await fixture.submit("Second")
        let browser = try await fixture.browser(.curator)
        var form = try await browser.visit("/queue/\(id)").form("Snooze")
        try form.fill("until", "at")
        try form.fill("local", "2001-01-01T10:00")
        try form.fill("text", "Not yet.")
        let wrong = try await browser.press("Snooze", in: form)
        #expect(wrong.status == 422 && wrong.links.contains { $0.url == "#snooze-local" })
        #expect(wrong.isTimeMarked("snooze-local") && !wrong.isTimeMarked("snooze-zone"))
        var again = try wrong.form("Snooze")
        #expect(again.value("text") == "Not yet." && again.value("until") == "at")
        try again.fill("until", "24")
        let done = try await browser.press("Snooze", in: again)
        #expect(done.url == "/queue/\(next)" && done.says("Snoozed “First” for 1 d."))
        #expect(try await browser.visit("/queue").links.filter { $0.text == "First" }.isEmpty)
        #expect(try await browser.visit("/queue?snoozed=1").says("First"))
        let back = try await browser.press("Undo", on: done)
        #expect(back.url == "/queue/\(id)" && back.says("Submission unsnoozed.") && back.says("Not yet."))
    }

    @Test("A submission is assigned to a role, and a mentioned teammate finds it in their mentions")
    func assign() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.submit("First")
        let ann = try await fixture.browser(.curator, name: "Ann")
        let eve = try await fixture.browser(.editor, name: "Eve")
        let page = try await ann.visit("/queue/\(id)")
        var form = try page.form("Assign")
        try form.fill("assignee", "role:editor")
        try form.fill("text", "@Eve, may we?")
        #expect(try await ann.press("Assign", in: form).says("Assigned “First”."))
        #expect(try await ann.visit("/queue").says("Assigned to editors"))
        let list = try await eve.visit("/queue")
        #expect(list.says("Mentions 1"))
        #expect(list.links.contains { $0.url == "/mentions" })
        let mentions = try await eve.visit("/mentions")
        #expect(mentions.says("First") && mentions.says("@Eve, may we?") && mentions.says("New"))
        #expect(try await eve.visit("/queue?mentions=1").says("First"))
        let seen = try await eve.visit("/queue/\(id)")
        #expect(seen.says("@Eve, may we?") && seen.says("Mentioned: Eve"))
        #expect(!(try await eve.visit("/queue").says("Mentions (")))

        var note = try seen.form("Add note")
        try note.fill("text", " ")
        let refused = try await eve.press("Add note", in: note)
        #expect(refused.status == 422 && refused.links.contains { $0.url == "#note-text" })
        try note.fill("text", "We may. @Ann")
        #expect(try await eve.press("Add note", in: note).says("Note added. 1 person notified."))

        var priority = try await eve.visit("/queue/\(id)").form("Set priority")
        try priority.fill("priority", "urgent")
        #expect(try await eve.press("Set priority", in: priority).says("Priority set to urgent."))
        #expect(try await ann.visit("/queue?priority=urgent&sort=priority").says("Urgent"))
    }

    @Test("If configured, only its assignee may decide an assigned submission, singly and in bulk")
    func binding() async throws {
        for binds in [false, true] {
            let fixture = try await AdminFixture.make(settings: ["VITRINE_REVIEW_ASSIGNED_ONLY": "\(binds)"])
            let id = try await fixture.submit("First")
            let ann = try await fixture.browser(.curator, name: "Ann")
            let page = try await ann.visit("/queue/\(id)")
            var (form, reject) = (try page.form("Assign"), try page.form("Reject"))
            try form.fill("assignee", "role:editor")
            _ = try await ann.press("Assign", in: form)
            let assigned = try await ann.visit("/queue/\(id)")
            let reason =
                "This submission is assigned to any editor. Only an assignee or an administrator can decide it."
            #expect(assigned.says(reason) == binds && assigned.hasButton("Reject") != binds)
            #expect(assigned.form(id: "approve").isEmpty == binds && assigned.hasButton("Assign"))
            let ids = [id]
            let actor = try await fixture.test.actor(.curator, name: "Bob")
            let bulkAction = try await fixture.test.services.planBulkAction(.reject, .listed(ids), by: actor)
            if binds {
                let done = try await fixture.test.services(["VITRINE_REVIEW_ASSIGNED_ONLY": "true"]).runBulkAction(
                    bulkAction, .decide(Decision.Draft(verdict: .reject, reason: .spam)), by: actor)
                #expect(done.count(.skipped) == 1)
            }
            // The rule holds for a form that was opened before.
            try reject.fill("reason", "off_topic")
            let refused = try await ann.press("Reject", in: reject)
            #expect(refused.says("This submission is assigned to any editor.") == binds)
            #expect(try await fixture.state(id) == (binds ? .pending : .rejected))
            guard binds else { continue }
            let eve = try await fixture.browser(.publisher, name: "Eve")
            _ = try await eve.press("Reject", on: eve.visit("/queue/\(id)"), filling: ["reason": "off_topic"])
            #expect(try await fixture.state(id) == .rejected)
        }
    }

    @Test("The queue is shown next to the submission, which is marked in it")
    func sidebar() async throws {
        let fixture = try await AdminFixture.make()
        for number in 1...20 { try await fixture.submit("Part \(number)") }
        let ids = try await fixture.test.database.queue.page(QueueFilter(), cursor: nil, limit: 20).items.map(\.id)
        let page = try await fixture.browser(.curator).visit("/queue/\(ids[9])?type=article")
        let rows = page.links.filter { $0.url.hasPrefix("/queue/0") && $0.url.hasSuffix("?type=article") }
        #expect(rows.first?.url == "/queue/\(ids[5])?type=article")
        #expect(page.html.contains("aria-current=\"page\" data-row"))
        #expect(page.html.components(of: " data-row>").count - 1 == 15)
    }

    @Test("If configured, opening a submission from our own pages claims it")
    func claimOnOpen() async throws {
        let fixture = try await AdminFixture.make(settings: ["VITRINE_CLAIM_ON_OPEN": "true"])
        let id = try await fixture.submit()
        let ann = try await fixture.browser(.curator, name: "Ann")
        for headers in [["Sec-Fetch-Site": "cross-site"], ["Sec-Purpose": "prefetch"]] {
            _ = try await ann.send("GET", "/queue/\(id)", [], headers: headers)
            #expect(try await fixture.test.database.queue.find(id)?.claimedByID == nil)
        }
        let page = try await ann.visit("/queue/\(id)")
        #expect(page.says("Claimed by you") && page.html.contains("data-renew=\"/queue/\(id)/claim/renew\""))
        let bob = try await fixture.browser(.curator, name: "Bob")
        #expect(try await bob.visit("/queue/\(id)").says("Claimed by Ann"))
        let csrf = try #require(try page.form("Unclaim").value("csrf"))
        #expect(try await ann.send("POST", "/queue/\(id)/claim/renew", [("csrf", csrf)]).status == 204)
        _ = try await ann.press("Unclaim", on: page)
        #expect(try await ann.send("POST", "/queue/\(id)/claim/renew", [("csrf", csrf)]).status == 409)
    }

    @Test("S14: requests of a page's script don't extend the session")
    func scriptRequests() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .curator)
        let client = fixture.test.superuser()
        try await client.execute("update ops.session set seen_at = now() - interval '10 minutes'")
        #expect(try await browser.visit("/queue/counts").status == 200)
        let idle: Bool = try await client.one("select seen_at < now() - interval '9 minutes' as idle from ops.session")(
            "idle")
        #expect(idle)
        _ = try await browser.visit("/queue")
        let used: Bool = try await client.one("select seen_at > now() - interval '9 minutes' as used from ops.session")(
            "used")
        #expect(used)
    }

    @Test("The counts are sent as a server-sent event, with new submissions since the page was loaded")
    func counts() async throws {
        let fixture = try await AdminFixture.make()
        try await fixture.submit("One")
        let browser = try await fixture.browser(.curator)
        let page = try await browser.visit("/queue?type=article")
        let start = try #require(page.html.firstRange(of: "data-live=\"")).upperBound
        let live = String(page.html[start...].prefix { $0 != "\"" }).replacing("&amp;", with: "&")
        #expect(live.hasPrefix("/queue/counts?type=article&since="))
        try await fixture.submit("Two")
        try await fixture.submit("A film", type: "video")
        let event = try await browser.visit(live)
        #expect(event.headers["Content-Type"] == "text/event-stream; charset=utf-8")
        #expect(event.html.hasPrefix("retry: 5000\nevent: counts\ndata: {") && event.html.hasSuffix("}\n\n"))
        #expect(event.html.contains("\"pending\":\"3\"") && event.html.contains("\"new\":\"1\""))
    }

    @Test("A view is saved under a name, private or shared, and deleted by its owner")
    func views() async throws {
        let (fixture, ann) = try await AdminFixture.visited(by: .curator, name: "Ann")
        let bob = try await fixture.browser(.curator, name: "Bob")
        func save(_ name: String, shared: Bool, at address: String) async throws -> BrowserPage {
            var form = try await ann.visit(address).form("Save view")
            try form.fill("name", name)
            if shared { try form.tick("shared", "1") }
            return try await ann.press("Save view", in: form)
        }
        let saved = try await save("Films", shared: true, at: "/queue?type=video&sort=newest")
        #expect(saved.says("View saved as “Films”.") && saved.url == "/queue?type=video&sort=newest")
        _ = try await save("Urgent ones", shared: false, at: "/queue?priority=urgent")
        let again = try await save("films", shared: false, at: "/queue")
        #expect(again.status == 422 && again.says("You already have a view with this name."))
        #expect(try again.form("Save view").value("name") == "films")
        #expect(try await save("", shared: false, at: "/queue").says("Enter a name for the view."))
        #expect(try await save(String(repeating: "a", count: 61), shared: false, at: "/queue").status == 422)

        let seen = try await bob.visit("/queue")
        #expect(try seen.link("Films by Ann 0") == "/queue?type=video&sort=newest")
        #expect(!seen.says("Urgent ones"))
        #expect(!seen.hasButton("Delete"))
        let anybody = try await fixture.test.actor(.curator)
        let visible = try await fixture.test.database.savedViews.visible(to: ID(try #require(anybody.id)))
        let view = try #require(visible.first)
        let csrf = try #require(try seen.form("Save view").value("csrf"))
        #expect(try await bob.send("POST", "/saved-views/\(view.id)/delete", [("csrf", csrf)]).status == 403)
        let mine = try await ann.visit("/queue")
        #expect(try await ann.press("Delete", on: mine).says("View deleted."))
        #expect(!(try await bob.visit("/queue").says("Films")))
    }

    @Test("A submission as old as the target is overdue, a younger one is not")
    func overdue() async throws {
        let fixture = try await AdminFixture.make()
        let (old, young) = (try await fixture.submit("Old"), try await fixture.submit("Young"))
        try await fixture.test.client.execute(
            "update curation.queue_item set received_at = now() - interval '24 hours' where submission_id = \(old)")
        try await fixture.test.client.execute(
            "update curation.queue_item set received_at = now() - interval '23 hours 59 minutes' where submission_id = \(young)"
        )
        let browser = try await fixture.browser(.curator)
        let page = try await browser.visit("/queue")
        #expect(page.says("Over 24 h 1"))
        let overdue = try await browser.visit("/queue?age=24")
        #expect(overdue.says("Old") && overdue.links.filter { $0.text == "Young" }.isEmpty)
        let statistics = try await browser.visit("/queue/statistics")
        #expect(statistics.says("1 overdue"))
        #expect(statistics.html.contains("1 d to 3 d: 1"))
    }

    @Test("The time to decision is shown by reviewer and by source: median and 95th percentile")
    func statistics() async throws {
        let (fixture, ann) = try await AdminFixture.visited(by: .curator, name: "Ann")
        for hours in 1...20 {
            let id = try await fixture.submit("Part \(hours)")
            _ = try await ann.press("Reject", on: ann.visit("/queue/\(id)"), filling: ["reason": "spam"])
        }
        let client = fixture.test.superuser()
        try await client.execute(
            """
            update curation.submission s set received_at = d.decided_at - make_interval(hours => n.n::integer)
            from curation.decision d, (
                select id, row_number() over (order by id) as n from curation.submission) n
            where d.submission_id = s.id and n.id = s.id
            """)
        // Of the same client, but another source, as the feeds of an import are.
        try await client.execute("update curation.submission set source_name = 'City Blog' where title = 'Part 20'")
        let page = try await ann.visit("/queue/statistics")
        #expect(page.says("Ann") && page.says("portal"))
        #expect(page.html.contains("Ann: median 10 h, 95th percentile 19 h"))
        #expect(page.html.contains("portal: median 10 h, 95th percentile 19 h"))
        #expect(page.html.contains("City Blog: median 20 h, 95th percentile 20 h"))
        #expect(page.elements.contains("svg") && page.elements.contains("table"))
    }

    @Test("Times to decision are those of 50 sources; from then on the page says that there may be more")
    func manySources() async throws {
        let fixture = try await AdminFixture.make()
        let nora = try await fixture.test.actor(.curator, name: "Nora")
        for number in 1...50 {
            let id = try await fixture.submit("Part \(number)")
            _ = try await fixture.test.services.decideSubmission(
                id, Decision.Draft(verdict: .reject, reason: .spam), version: nil, by: nora)
        }
        let visit = try await fixture.browser(.curator)
        // The others have the name of the client.
        for (named, isCut) in [(0, false), (48, false), (49, true)] {
            try await fixture.test.client.execute(
                """
                update curation.submission set source_name = title
                where substring(title from '[0-9]+')::integer <= \(named)::integer
                """)
            let page = try await visit.visit("/queue/statistics")
            #expect(page.says("Only the 50 with the most decisions are shown.") == isCut, "\(named)")
        }
    }

    @Test("Error pages show the navigation to signed-in people only")
    func failures() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .curator, name: "Ann")
        for address in ["/nowhere", "/queue/none", "/webhooks"] {
            let page = try await browser.visit(address)
            #expect([403, 404].contains(page.status))
            #expect(try page.link("Pending") == "/queue" && page.hasButton("Sign out") && page.says("Ann"))
        }
        let forged = try await browser.send("POST", "/saved-views", [("csrf", "wrong"), ("name", "x")])
        #expect(forged.status == 403 && forged.hasButton("Sign out"))
        let stranger = try await fixture.stranger.visit("/nowhere")
        #expect(stranger.status == 404 && !stranger.hasButton("Sign out") && !stranger.elements.contains("nav"))
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
