// Tests the desk's pages: duplicates, putting off, handing on, notes, leases, views, counts and metrics.
import Domain
import FoundationEssentials
import HTTP
import Review
import Store
import TestSupport
import Testing

@Suite("The desk's pages", .databases)
struct SubmissionActionPagesTests {
    @Test("The original of a duplicate is found by its words, or named by address; the history leads to it")
    func duplicate() async throws {
        let desk = try await Desk.make()
        let original = try await desk.submit("Ten cafés by the water")
        let id = try await desk.submit("Cafés, ten of them")
        let other = try await desk.submit("Cafés, once more")
        let browser = try await desk.browser(.curator)
        let nothing = try await browser.press("Mark as duplicate", on: try await browser.visit("/queue/\(id)"))
        #expect(nothing.status == 422 && nothing.links.contains { $0.address == "#original" })

        var form = try nothing.form("Mark as duplicate")
        try form.fill("original_words", "water")
        let found = try await browser.press("Look for it", in: form)
        #expect(found.status == 200 && found.says("Ten cafés by the water"))
        #expect(try await desk.state(id) == .pending)
        var chosen = try found.form("Mark as duplicate")
        try chosen.tick("original", original.description)
        let done = try await browser.press("Mark as duplicate", in: chosen)
        #expect(done.says("Marked “Cafés, ten of them” as a duplicate."))
        let seen = try await browser.visit("/queue/\(id)")
        #expect(try seen.link("Ten cafés by the water") == "/queue/\(original)")

        var none = try await browser.visit("/queue/\(other)").form("Mark as duplicate")
        try none.fill("original_words", "zeppelin")
        #expect(try await browser.press("Look for it", in: none).says("Nothing that is live or waits"))
        try none.fill("original_address", "https://vitrine.example.org/entries/nothing")
        let wrong = try await browser.press("Mark as duplicate", in: none)
        #expect(wrong.status == 422 && wrong.says("There is no submission and no entry"))
        #expect(try wrong.form("Mark as duplicate").value("original_address")?.hasSuffix("nothing") == true)
        try none.fill("original_address", "https://vitrine.example.org/queue/\(original)?type=article")
        #expect(try await browser.press("Mark as duplicate", in: none).says("Marked “Cafés, once more”"))
        #expect(try await desk.state(other) == .duplicate)
    }

    @Test("What is put off leads to the next, with an undo; a wrong time is refused at its field")
    func snooze() async throws {
        let desk = try await Desk.make()
        let id = try await desk.submit("First")
        let next = try await desk.submit("Second")
        let browser = try await desk.browser(.curator)
        var form = try await browser.visit("/queue/\(id)").form("Put it off")
        try form.fill("until", "at")
        try form.fill("local", "2001-01-01T10:00")
        try form.fill("text", "Not yet.")
        let wrong = try await browser.press("Put it off", in: form)
        #expect(wrong.status == 422 && wrong.links.contains { $0.address == "#snooze-local" })
        var again = try wrong.form("Put it off")
        #expect(again.value("text") == "Not yet." && again.value("until") == "at")
        try again.fill("until", "24")
        let done = try await browser.press("Put it off", in: again)
        #expect(done.address == "/queue/\(next)" && done.says("Put off “First” for 1 d."))
        #expect(try await browser.visit("/queue").links.filter { $0.words == "First" }.isEmpty)
        #expect(try await browser.visit("/queue?snoozed=1").says("First"))
        let back = try await browser.press("Undo", on: done)
        #expect(back.address == "/queue/\(id)" && back.says("It waits again.") && back.says("Not yet."))
    }

    @Test("A submission is handed to somebody, who finds it under what names them")
    func assign() async throws {
        let desk = try await Desk.make()
        let id = try await desk.submit("First")
        let ann = try await desk.browser(.curator, name: "Ann")
        let eve = try await desk.browser(.editor, name: "Eve")
        let page = try await ann.visit("/queue/\(id)")
        var form = try page.form("Hand it on")
        try form.fill("assignee", "role:editor")
        try form.fill("text", "@Eve, may we?")
        #expect(try await ann.press("Hand it on", in: form).says("Handed on “First”."))
        #expect(try await ann.visit("/queue").says("for editors"))
        let list = try await eve.visit("/queue")
        #expect(list.says("1 name you"))
        #expect(try await eve.visit("/queue?mentions=1").says("First"))
        let seen = try await eve.visit("/queue/\(id)")
        #expect(seen.says("@Eve, may we?") && seen.says("Told: Eve"))
        #expect(!(try await eve.visit("/queue").says("name you")))

        var note = try seen.form("Note it")
        try note.fill("text", " ")
        let refused = try await eve.press("Note it", in: note)
        #expect(refused.status == 422 && refused.links.contains { $0.address == "#note-text" })
        try note.fill("text", "We may. @Ann")
        #expect(try await eve.press("Note it", in: note).says("one person is told"))

        var rank = try await eve.visit("/queue/\(id)").form("Set")
        try rank.fill("priority", "urgent")
        #expect(try await eve.press("Set", in: rank).says("The priority is urgent now."))
        #expect(try await ann.visit("/queue?priority=urgent&sort=priority").says("Urgent"))
    }

    @Test("Where it is configured, what was handed on is decided by whom it was handed to, alone and among many")
    func binding() async throws {
        for binds in [false, true] {
            let desk = try await Desk.make(bindsAssignees: binds)
            let id = try await desk.submit("First")
            let ann = try await desk.browser(.curator, name: "Ann")
            var form = try await ann.visit("/queue/\(id)").form("Hand it on")
            try form.fill("assignee", "role:editor")
            _ = try await ann.press("Hand it on", in: form)
            let ids = [id]
            let actor = try await desk.test.actor(.curator, name: "Bob")
            let bulkAction = try await PlanBulkAction(database: desk.test.database)(.reject, .these(ids), by: actor)
            if binds {
                let done = try await RunBulkAction(
                    database: desk.test.database, rules: desk.test.rules, bindsAssignees: true)(
                        bulkAction, .decide(Decision.Draft(verdict: .reject, reason: .spam)), by: actor)
                #expect(done.count(.skipped) == 1)
            }
            var reject = try await ann.visit("/queue/\(id)").form("Reject")
            try reject.fill("reason", "off_topic")
            let answer = try await ann.press("Reject", in: reject)
            #expect(answer.says("This was handed on to any editor") == binds)
            #expect(try await desk.state(id) == (binds ? .pending : .rejected))
            guard binds else { continue }
            let eve = try await desk.browser(.publisher, name: "Eve")
            var again = try await eve.visit("/queue/\(id)").form("Reject")
            try again.fill("reason", "off_topic")
            _ = try await eve.press("Reject", in: again)
            #expect(try await desk.state(id) == .rejected)
        }
    }

    @Test("The list stands beside the submission, which is marked in it")
    func beside() async throws {
        let desk = try await Desk.make()
        for number in 1...20 { try await desk.submit("Part \(number)") }
        let ids = try await desk.test.database.queue.page(QueueFilter(), cursor: nil, limit: 20).items.map(\.id)
        let page = try await desk.browser(.curator).visit("/queue/\(ids[9])?type=article")
        let rows = page.links.filter { $0.address.hasPrefix("/queue/0") && $0.address.hasSuffix("?type=article") }
        #expect(rows.first?.address == "/queue/\(ids[5])?type=article")
        #expect(page.html.contains("aria-current=\"page\" data-row"))
        #expect(page.html.components(of: "data-row").count - 1 == 15)
    }

    @Test("Opening takes a submission where that is configured, for who comes from our pages and nobody else")
    func claimOnOpen() async throws {
        let desk = try await Desk.make(claimsOnOpen: true)
        let id = try await desk.submit()
        let ann = try await desk.browser(.curator, name: "Ann")
        for headers in [["Sec-Fetch-Site": "cross-site"], ["Sec-Purpose": "prefetch"]] {
            _ = try await ann.send("GET", "/queue/\(id)", [], headers: headers)
            #expect(try await desk.test.database.queue.find(id)?.claimedByID == nil)
        }
        let page = try await ann.visit("/queue/\(id)")
        #expect(page.says("taken by you") && page.html.contains("data-renew=\"/queue/\(id)/claim/renew\""))
        let bob = try await desk.browser(.curator, name: "Bob")
        #expect(try await bob.visit("/queue/\(id)").says("Ann is looking at this"))
        let csrf = try #require(try page.form("Give back").value("csrf"))
        #expect(try await ann.send("POST", "/queue/\(id)/claim/renew", [("csrf", csrf)]).status == 204)
        _ = try await ann.press("Give back", on: page)
        #expect(try await ann.send("POST", "/queue/\(id)/claim/renew", [("csrf", csrf)]).status == 409)
    }

    @Test("S14: what a page asks by itself does not keep a session from ending")
    func quiet() async throws {
        let desk = try await Desk.make()
        let browser = try await desk.browser(.curator)
        let client = try await desk.test.superuser()
        try await client.execute("update ops.session set seen_at = now() - interval '10 minutes'")
        #expect(try await browser.visit("/queue/counts").status == 200)
        let idle: Bool = try await client.one("select seen_at < now() - interval '9 minutes' as idle from ops.session")(
            "idle")
        #expect(idle)
        _ = try await browser.visit("/queue")
        let used: Bool = try await client.one("select seen_at > now() - interval '9 minutes' as used from ops.session")(
            "used")
        #expect(used)
        await client.close()
    }

    @Test("The counts come as a server-sent event, with what is new since the page was made")
    func counts() async throws {
        let desk = try await Desk.make()
        try await desk.submit("One")
        let browser = try await desk.browser(.curator)
        let page = try await browser.visit("/queue?type=article")
        let start = try #require(page.html.firstRange(of: "data-live=\"")).upperBound
        let live = String(page.html[start...].prefix { $0 != "\"" }).replacing("&amp;", with: "&")
        #expect(live.hasPrefix("/queue/counts?type=article&since="))
        try await desk.submit("Two")
        try await desk.submit("A film", type: "video")
        let event = try await browser.visit(live)
        #expect(event.headers["Content-Type"] == "text/event-stream; charset=utf-8")
        #expect(event.html.hasPrefix("retry: 5000\nevent: counts\ndata: {") && event.html.hasSuffix("}\n\n"))
        #expect(event.html.contains("\"waiting\":\"3\"") && event.html.contains("\"fresh\":\"1\""))
    }

    @Test("A list is kept under a name, for oneself or for all, and forgotten by its owner")
    func views() async throws {
        let desk = try await Desk.make()
        let ann = try await desk.browser(.curator, name: "Ann")
        let bob = try await desk.browser(.curator, name: "Bob")
        func save(_ name: String, shared: Bool, at address: String) async throws -> BrowserPage {
            var form = try await ann.visit(address).form("Save the view")
            try form.fill("name", name)
            if shared { try form.tick("shared", "1") }
            return try await ann.press("Save the view", in: form)
        }
        let kept = try await save("Films", shared: true, at: "/queue?type=video&sort=newest")
        #expect(kept.says("Kept as “Films”.") && kept.address == "/queue?type=video&sort=newest")
        _ = try await save("Urgent ones", shared: false, at: "/queue?priority=urgent")
        let again = try await save("films", shared: false, at: "/queue")
        #expect(again.status == 422 && again.says("You have a view of this name already."))
        #expect(try again.form("Save the view").value("name") == "films")
        #expect(try await save("", shared: false, at: "/queue").says("Give the view a name."))
        #expect(try await save(String(repeating: "a", count: 61), shared: false, at: "/queue").status == 422)

        let seen = try await bob.visit("/queue")
        #expect(try seen.link("Films by Ann") == "/queue?type=video&sort=newest")
        #expect(!seen.says("Urgent ones"))
        #expect(!seen.hasButton("Remove"))
        let anybody = try await desk.test.actor(.curator)
        let visible = try await desk.test.database.savedViews.visible(to: ID(try #require(anybody.id)))
        let view = try #require(visible.first)
        let csrf = try #require(try seen.form("Save the view").value("csrf"))
        #expect(try await bob.send("POST", "/saved-views/\(view.id)/delete", [("csrf", csrf)]).status == 403)
        let mine = try await ann.visit("/queue")
        #expect(try await ann.press("Remove", on: mine).says("The view was removed."))
        #expect(!(try await bob.visit("/queue").says("Films")))
    }

    @Test("What has waited for as long as the target is late, and what is a second younger is not")
    func late() async throws {
        let desk = try await Desk.make()
        let (old, young) = (try await desk.submit("Old"), try await desk.submit("Young"))
        let client = try await desk.test.superuser()
        try await client.execute(
            "update curation.queue_item set received_at = now() - interval '24 hours' where submission_id = \(old)")
        try await client.execute(
            "update curation.queue_item set received_at = now() - interval '23 hours 59 minutes' where submission_id = \(young)"
        )
        await client.close()
        let browser = try await desk.browser(.curator)
        let page = try await browser.visit("/queue")
        #expect(page.says("1 over 24 h"))
        let late = try await browser.visit("/queue?age=24")
        #expect(late.says("Old") && late.links.filter { $0.words == "Young" }.isEmpty)
        let metrics = try await browser.visit("/queue/statistics")
        #expect(metrics.says("1 have waited for too long"))
        #expect(metrics.html.contains("1 d to 3 d: 1"))
    }

    @Test("How long decisions took is told by decider and by source: median and 95 of 100")
    func metrics() async throws {
        let desk = try await Desk.make()
        let ann = try await desk.browser(.curator, name: "Ann")
        for hours in 1...20 {
            let id = try await desk.submit("Part \(hours)")
            var form = try await ann.visit("/queue/\(id)").form("Reject")
            try form.fill("reason", "spam")
            _ = try await ann.press("Reject", in: form)
        }
        let client = try await desk.test.superuser()
        try await client.execute(
            """
            update curation.submission s set received_at = d.decided_at - make_interval(hours => n.n::integer)
            from curation.decision d, (
                select id, row_number() over (order by id) as n from curation.submission) n
            where d.submission_id = s.id and n.id = s.id
            """)
        await client.close()
        let page = try await ann.visit("/queue/statistics")
        #expect(page.says("Ann") && page.says("portal"))
        #expect(page.html.contains("Ann: median 10 h, 95 of 100 within 19 h"))
        #expect(page.elements.contains("svg") && page.elements.contains("table"))
    }

    @Test("Somebody who is signed in keeps the navigation when something is refused or not there; a stranger sees none")
    func failures() async throws {
        let desk = try await Desk.make()
        let browser = try await desk.browser(.curator, name: "Ann")
        for address in ["/nowhere", "/queue/none", "/webhooks"] {
            let page = try await browser.visit(address)
            #expect([403, 404].contains(page.status))
            #expect(try page.link("Queue") == "/queue" && page.hasButton("Sign out") && page.says("Ann"))
        }
        let forged = try await browser.send("POST", "/saved-views", [("csrf", "wrong"), ("name", "x")])
        #expect(forged.status == 403 && forged.hasButton("Sign out"))
        let stranger = try await desk.stranger.visit("/nowhere")
        #expect(stranger.status == 404 && !stranger.hasButton("Sign out") && !stranger.elements.contains("nav"))
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
